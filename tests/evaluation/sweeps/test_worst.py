"""The pairs that a metric gets most wrong come first."""

import re

from evaluation.sweeps.scores import score_pairs
from evaluation.sweeps.worst import worst_sections
from lookup.profiles import profile_named

TRUTH = ("a,b,label", "x:a,x:b,same", "x:a,x:c,same", "x:a,x:d,different", "x:a,x:e,different")


def _order(section):
    return [b for _, b in re.findall(r"<th>(x:\w)</th><th>(x:\w)</th>", section.html)]


def test_the_worst_pairs_come_first(make, label):
    records = [make("a"), make("b"), make("c", 1), make("d", 2), make("e")]
    pairs = label(records, *TRUTH)
    mendeley = profile_named("mendeley")
    scores = score_pairs(pairs, [mendeley])["mendeley"]
    found = {record.key: record for record in records}
    same, different = worst_sections(pairs, scores, mendeley, lambda keys: {key: found[key] for key in keys})
    assert _order(same) == ["x:c", "x:b"]
    assert _order(different) == ["x:e", "x:d"]


def test_pairs_that_a_veto_parts_are_no_error(make, label):
    records = [make("a", title="Maps of the sea, part 1"), make("b", title="Maps of the sea, part 2")]
    pairs = label(records, "a,b,label", "x:a,x:b,different")
    bibfold = profile_named("bibfold")
    assert list(worst_sections(pairs, score_pairs(pairs, [bibfold])["bibfold"], bibfold, lambda keys: {})) == []
