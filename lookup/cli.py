"""The commands that look records up and compare them; each imports what it runs when it runs."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from bibfold.console import echo, echo_json
from bibfold.errors import InputError, RecordError
from bibfold.lines import whole_lines
from bibfold.options import (
    DEAD_LETTERS,
    catalogue_option,
    files_argument,
    input_options,
    json_option,
    say,
    setting_options,
)
from bibfold.records.formats.files import Read
from bibfold.records.model import DeadLetter, Record
from bibfold.records.native import from_native
from bibfold.settings import MATCHING, checked, resolve

if TYPE_CHECKING:
    from bibfold.workspace import Layers
    from lookup.answers import Answer
    from lookup.evidence import Comparison
    from lookup.profile import Profile


@click.command()
@files_argument
@catalogue_option
@input_options
@setting_options(*MATCHING)
@json_option
def lookup(files: tuple[str, ...], catalogue: Path, read: Read, layers: "Layers", as_json: bool) -> None:
    """Look records up: decision, candidates and reasons.

    FILES may be of different formats; a file named - is standard input. Nothing is written to the catalogue.
    """
    from bibfold.workspace import opened
    from lookup.answers import answer_data, look_up

    with opened(catalogue, layers) as workspace:
        letters = _DeadLetters()
        for answer in look_up(workspace, letters.without(read(files))):
            if as_json:
                echo_json(answer_data(answer))
            else:
                echo(*_answer_lines(answer))
    letters.finish()


@click.command()
@files_argument
@input_options
@setting_options("profile", "same", "unsure", "same_identifier")
@json_option
def compare(files: tuple[str, ...], read: Read, layers: "Layers", as_json: bool) -> None:
    """Compare pairs of records, without an index.

    FILES is one file with a pair per line, {"a": record, "b": record}, or two files of one record each, in any
    format. Prints for each pair the decision, the score and the evidence, field by field.
    """
    from lookup.answers import compare_records, comparison_data
    from lookup.matcher import profile_of

    profile = profile_of(resolve(layers))
    letters = _DeadLetters()
    for a, b in _pairs(files, read, letters):
        comparison = compare_records(a, b, profile)
        if as_json:
            echo_json(comparison_data(comparison))
        else:
            echo(*_comparison_lines(a, b, comparison))
    letters.finish()


@click.command()
@click.argument("name", required=False, metavar="[NAME|FILE]")
@json_option
def profiles(name: str | None, as_json: bool) -> None:
    """List the profiles: the fields each compares, their weights, vetoes and thresholds.

    With --json a profile is printed as a profile file: save it, change it and name it with --profile. For example:
    bibfold profiles bibfold --json > mine.json; bibfold dedupe *.ris --profile ./mine.json --out folded/
    """
    from lookup.profile_file import to_text
    from lookup.profiles import PROFILES, profile_named

    given = checked({"profile": name}).get("profile")
    for profile in [profile_named(given)] if given else PROFILES.values():
        if not as_json:
            echo(*_profile_lines(profile), "")
        elif given:
            echo(*to_text(profile).splitlines())
        else:
            echo_json(msgspec.json.decode(to_text(profile)))


def _profile_lines(profile: "Profile") -> Iterator[str]:
    from lookup.cautions import CAUTIONS
    from lookup.combinations import COMBINATIONS
    from lookup.fields import comparator_of
    from lookup.pairs import first_sentence
    from lookup.vetoes import VETOES

    yield f"{profile.name}: {profile.title}"
    yield f"  same from {profile.same}, unsure from {profile.unsure}"
    yield f"  {profile.combine}: {COMBINATIONS[profile.combine].meaning}"
    for proof in profile.proofs:
        condition = f"where they score at least {proof.score:g}" if proof.score else "whatever they score"
        yield f"  first: those that share {' or '.join(proof.kinds)} are the same {condition}"
    for part in profile.parts:
        missing = "" if part.missing is None else f" Missing counts as {part.missing:g}."
        cleaned = " Texts as in the paper: stripped of all but letters and digits." if part.text == "cleaned" else ""
        meaning = comparator_of(part.comparator, part.text).meaning
        yield f"  {part.weight:>5g} x {part.field}: {meaning}{missing}{cleaned}"
    for name in profile.vetoes:
        yield f"  never the same: {first_sentence(VETOES[name].look)}"
    for name in profile.cautions:
        yield f"  at most unsure: {first_sentence(CAUTIONS[name])}"


class _DeadLetters:
    """Reports what could not be read, and counts it for the exit status."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, letter: DeadLetter) -> None:
        self.count += 1
        say(f"{letter.file}, {letter.position}: {letter.reason}")

    def without(self, stream: Iterable[Record | DeadLetter]) -> Iterator[Record]:
        for item in stream:
            if isinstance(item, DeadLetter):
                self(item)
            else:
                yield item

    def finish(self) -> None:
        if self.count:
            click.get_current_context().exit(DEAD_LETTERS)


def _pairs(files: tuple[str, ...], read: Read, letters: _DeadLetters) -> Iterator[tuple[Record, Record]]:
    if len(files) == 2:
        a, b = (_only(file, list(letters.without(read([file])))) for file in files)
        yield a, b
    elif len(files) == 1:
        yield from _pair_lines(files[0], letters)
    else:
        raise InputError(f"compare takes one file of pairs or two files of one record, not {len(files)} files")


def _only(file: str, records: list[Record]) -> Record:
    if len(records) != 1:
        raise InputError(f"{file} holds {len(records)} records; to compare two files each must hold one")
    return records[0]


def _pair_lines(file: str, letters: _DeadLetters) -> Iterator[tuple[Record, Record]]:
    for number, line in enumerate(whole_lines(file), start=1):
        if not line.strip():
            continue
        try:
            data = msgspec.json.decode(line, type=dict[str, Any])
            yield from_native(data["a"], "a", str(number)), from_native(data["b"], "b", str(number))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, RecordError) as error:
            reason = f'expected {{"a": record, "b": record}}: {error}'
            letters(DeadLetter(file=file, position=f"line {number}", reason=reason))


def _answer_lines(answer: "Answer") -> list[str]:
    lines = [f"{answer.record.key}: {answer.decision}" + (f", {answer.cluster}" if answer.cluster else "")]
    for candidate in answer.candidates:
        lines.append(
            f"  {candidate.rank}. {candidate.cluster} {candidate.score:.3f} {candidate.decision} "
            f"(found by {', '.join(candidate.found_by)}): {_label(candidate.record)}"
        )
        if candidate.decision != "different":
            lines.append(f"     {candidate.comparison.summary}")
    return lines


def _label(record: Record) -> str:
    year = f" ({record.year})" if record.year else ""
    return f"{record.title[:100]}{year}"


def _comparison_lines(a: Record, b: Record, comparison: "Comparison") -> list[str]:
    lines = [f"{_label(a)}  ~  {_label(b)}", f"  {comparison.decision}, score {comparison.score:.3f}"]
    lines += [f"  veto: {reason}" for reason in comparison.vetoes]
    lines += [
        f"  {found.field:<12} {found.score:5.3f} x {found.weight:<5g} {found.reason}" for found in comparison.evidence
    ]
    return lines
