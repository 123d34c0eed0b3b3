"""The input of a sweep: records and truth, how to read them, and the run file that describes them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from bibfold.errors import InputError
from bibfold.records.formats.files import Read
from bibfold.records.model import DeadLetter, Record
from evaluation.records import by_key, check_repeatable, fingerprint, read_records, without_identifiers
from evaluation.runs import EvaluationRun, file_data, this_version
from evaluation.sweeps.labelled_pairs import LabelledPairs, match_records, read_named_pairs
from evaluation.truth import no_different, no_same


class Data(msgspec.Struct, frozen=True):
    """Paths and flags of an evaluation; `letters` collects the dead letters of the records file."""

    records: str
    truth: str
    read: Read
    judged: str | None = None
    skip_unknown: bool = False
    strip_identifiers: bool = False
    input_flags: Mapping[str, Any] = {}
    letters: list[DeadLetter] = []

    def each(self, letter: Callable[[DeadLetter], Any] = lambda letter: None) -> Iterator[Record]:
        """Every record."""
        items = self.read([self.records])
        return read_records(without_identifiers(items) if self.strip_identifiers else items, letter)

    def labelled_pairs(self, *, every: bool = False) -> LabelledPairs:
        """The pairs of the truth with the records that they name; with `every` record if asked or if it is whole."""
        for path in (self.records, self.truth):
            check_repeatable(path)
        named = read_named_pairs(self.truth, self.judged)
        records = self.each(self.letters.append)
        return match_records(named, records, every=every or named.whole, skip_unknown=self.skip_unknown)

    def fetch(self, keys: set[str]) -> dict[str, Record]:
        """The records of these keys."""
        return by_key(self.each(), keys)

    def run(self, kind: str, pairs: LabelledPairs, settings: dict[str, Any], figures: dict[str, Any]) -> EvaluationRun:
        """The run file for figures that were measured on these pairs."""
        same = int(pairs.same.sum())
        counts = {
            "same": same,
            "different": len(pairs.same) - same,
            "proposed": pairs.proposed,
            "unknown_records": len(pairs.unknown),
            "dead_letters": len(self.letters),
        }
        flags = {name: getattr(self, name) for name in ("judged", "skip_unknown", "strip_identifiers")}
        settings = {**settings, **flags, **self.input_flags}
        files: dict[str, Any] = {
            "records": file_data(self.records, len(pairs.keys)),
            "truth": file_data(self.truth, same if pairs.proposed else len(pairs.same)),
        }
        if self.judged:
            files["judged"] = {"fingerprint": fingerprint(self.judged)}
        return EvaluationRun(kind, this_version(), settings, files, {"pairs": counts, **msgspec.to_builtins(figures)})

    def need(self, pairs: LabelledPairs, *, different: bool) -> None:
        """Raise InputError if the truth has no pairs of the same work, or none of different ones if needed."""
        if not pairs.same.any():
            raise no_same(self.truth)
        if different and pairs.proposed and pairs.same.all():
            raise InputError(
                "the index proposes no pair that the truth does not hold; precision cannot be measured; "
                "raise --top-n, leave --across-sources out, or label pairs: `bibfold evaluate sample` draws some"
            )
        if different and pairs.same.all():
            raise no_different(self.truth)
