"""The records and the truth that a metric is measured by, and the run that is made of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from bibfold.errors import InputError
from bibfold.records.formats.files import Read
from bibfold.records.model import DeadLetter, Record
from evaluation.records import by_key, check_repeatable, fingerprint, read_records
from evaluation.replay.replay import stripped
from evaluation.runs import Run, file_data, this_version
from evaluation.sweeps.known import Known, known, read_named
from evaluation.truth import no_different, no_same


class Data(msgspec.Struct, frozen=True):
    """What is measured, and how it is read, by flags that a run keeps; `letters` gathers what could not be read."""

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
        return read_records(stripped(items) if self.strip_identifiers else items, letter)

    def known(self, *, every: bool = False) -> Known:
        """The known pairs with the records that they name; with all where asked or where the truth is whole."""
        for path in (self.records, self.truth):
            check_repeatable(path)
        named = read_named(self.truth, self.judged)
        records = self.each(self.letters.append)
        return known(named, records, every=every or named.whole, skip_unknown=self.skip_unknown)

    def fetch(self, wanted: set[str]) -> dict[str, Record]:
        """The records of these keys."""
        return by_key(self.each(), wanted)

    def run(self, kind: str, pairs: Known, settings: dict[str, Any], figures: dict[str, Any]) -> Run:
        """The run that measured these pairs."""
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
        return Run(kind, this_version(), settings, files, {"pairs": counts, **msgspec.to_builtins(figures)})

    def need(self, pairs: Known, *, different: bool) -> None:
        """Refuse a truth without pairs of the same work, or of different ones where they are needed."""
        if not pairs.same.any():
            raise no_same(self.truth)
        if different and pairs.proposed and pairs.same.all():
            raise InputError(
                "the index proposes no pair that the truth does not hold; precision cannot be told; "
                "raise --top-n, leave --across-sources out, or label pairs: `bibfold evaluate sample` draws some"
            )
        if different and pairs.same.all():
            raise no_different(self.truth)
