"""The pairs that a metric gets most wrong come first."""

import re

from evaluation.sweeps.scores import scored
from evaluation.sweeps.worst import worst_sections
from lookup.profiles import profile

TRUTH = ("a,b,label", "x:a,x:b,same", "x:a,x:c,same", "x:a,x:d,different", "x:a,x:e,different")


def _order(section):
    return [b for _, b in re.findall(r"<th>(x:\w)</th><th>(x:\w)</th>", section.html)]


def test_the_worst_pairs_come_first(make, knows):
    records = [make("a"), make("b"), make("c", 1), make("d", 2), make("e")]
    known = knows(records, *TRUTH)
    mendeley = profile("mendeley")
    scores = scored(known, [mendeley])["mendeley"]
    found = {record.key: record for record in records}
    same, different = worst_sections(known, scores, mendeley, lambda keys: {key: found[key] for key in keys})
    assert _order(same) == ["x:c", "x:b"]
    assert _order(different) == ["x:e", "x:d"]


def test_pairs_that_a_veto_parts_are_no_error(make, knows):
    records = [make("a", title="Maps of the sea, part 1"), make("b", title="Maps of the sea, part 2")]
    known = knows(records, "a,b,label", "x:a,x:b,different")
    bibfold = profile("bibfold")
    assert list(worst_sections(known, scored(known, [bibfold])["bibfold"], bibfold, lambda keys: {})) == []
