"""Profiles as files: JSON that names comparators, combination, vetoes and cautions; no code, and checked in full."""

import math
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final

import msgspec

from bibfold.errors import SettingsError
from bibfold.records.identifiers import PROPOSING
from lookup.cautions import CAUTIONS
from lookup.combinations import COMBINATIONS
from lookup.fields import CLEANED, COMPARATORS, COMPARATORS_VERSION
from lookup.learnt import Trees
from lookup.profile import Profile
from lookup.trees import MOST_LEAVES, leaves_of
from lookup.vetoes import VETOES

FILE_VERSION: Final = 1
"""Of the form of the file."""

SEARCHED: Final = ("title", "also")
"""The index fields that a profile may have searched."""


class ProfileFile(Profile, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A profile with the versions that it was written for."""

    bibfold: int
    comparators: int


def to_text(profile: Profile) -> str:
    """The profile as the text of a file, to start one's own from."""
    named = msgspec.structs.replace(profile, name=profile.name.partition("@")[0])
    data = {"bibfold": FILE_VERSION, "comparators": COMPARATORS_VERSION, **msgspec.to_builtins(named)}
    return msgspec.json.format(msgspec.json.encode(data)).decode() + "\n"


def from_text(text: str) -> Profile:
    """The profile that a file's text holds; its name carries a digest of its content, since files change."""
    profile = _decoded(text)
    digest = blake2b(msgspec.json.encode(profile), digest_size=3).hexdigest()
    return msgspec.structs.replace(profile, name=f"{profile.name}@{digest}")


def named_as(name: str, text: str) -> Profile:
    """The profile that a shipped file's text holds, by the name that it ships under."""
    return msgspec.structs.replace(_decoded(text), name=name)


def _decoded(text: str) -> Profile:
    try:
        held = msgspec.json.decode(text, type=ProfileFile)
    except msgspec.ValidationError as error:
        raise SettingsError(
            f"profile file: {error}; `bibfold profiles NAME --json` prints one to start from"
        ) from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise SettingsError(f"profile file: is not JSON: {error}") from error
    if (held.bibfold, held.comparators) != (FILE_VERSION, COMPARATORS_VERSION):
        raise SettingsError(
            f"profile file {held.name}: was written for version {held.bibfold} with comparators {held.comparators}; "
            f"this bibfold has {FILE_VERSION} with {COMPARATORS_VERSION}; make it anew"
        )
    fields: dict[str, Any] = {name: getattr(held, name) for name in Profile.__struct_fields__}
    profile = Profile(**fields)
    check(profile)
    return profile


def check(profile: Profile) -> None:
    """Refuse a profile that names what does not exist or whose numbers make no sense."""
    for what, names, table in (
        ("comparator", [part.comparator for part in profile.parts], COMPARATORS),
        ("comparator of cleaned text", [part.comparator for part in profile.parts if part.text == "cleaned"], CLEANED),
        ("combination", [profile.combine], COMBINATIONS),
        ("veto", profile.vetoes, VETOES),
        ("caution", profile.cautions, CAUTIONS),
        ("index field", profile.searched, SEARCHED),
        ("kind of identifier", [kind for proof in profile.proofs for kind in proof.kinds], sorted(PROPOSING)),
    ):
        for name in names:
            _need(name in table, profile, f"{what} {name!r} is not known; choose from {', '.join(table)}")
    _need(bool(profile.name.strip()), profile, "it has no name")
    _need(bool(profile.parts), profile, "it has no parts")
    repeated = [field for field, count in Counter(part.field for part in profile.parts).items() if count > 1]
    _need(not repeated, profile, f"two parts are named {', '.join(repeated)}; give each a name of its own")
    for part in profile.parts:
        scores = [part.least, part.needed, *([] if part.missing is None else [part.missing])]
        _need(_in_range(scores), profile, f"{part.field}: missing, least and needed are scores from 0 to 1")
        _need(
            math.isfinite(part.weight) and part.weight >= 0, profile, f"{part.field}: weight {part.weight} is no weight"
        )
    _need(any(part.weight for part in profile.parts), profile, "all weights are 0")
    if profile.combine == "trees":
        _check_trees(profile, profile.learnt.trees if profile.learnt else None)
    _need(_in_range([profile.same, profile.unsure]), profile, "same and unsure are scores from 0 to 1")
    _need(all(proof.kinds for proof in profile.proofs), profile, "a proof names no kind of identifier")
    _need(_in_range([proof.score for proof in profile.proofs]), profile, "a proof's score is from 0 to 1")
    _need(profile.unsure <= profile.same, profile, f"unsure: {profile.unsure} is above same: {profile.same}")


def _check_trees(profile: Profile, trees: Trees | None) -> None:
    """Refuse trees whose arrays do not fit together or that lead nowhere."""
    if trees is None:
        raise SettingsError(f"profile file {profile.name}: it has no trees; `bibfold learn trees` makes some")
    size = len(trees.feature)
    lengths = {len(line) for line in (trees.threshold, trees.missing_left, trees.left, trees.right, trees.value)}
    _need(lengths == {size} and size > 0, profile, "the arrays of its trees are not equally long")
    _need(all(0 <= root < size for root in trees.roots), profile, "a root is no node of its trees")
    for node, part in enumerate(trees.feature):
        _need(-1 <= part < len(profile.parts), profile, f"node {node} of its trees asks for part {part}")
        below = part < 0 or (node < trees.left[node] < size and node < trees.right[node] < size)
        _need(below, profile, f"node {node} of its trees leads to none below it")
    leaves = [len(leaves) for leaves in leaves_of(trees)]
    _need(max(leaves) <= MOST_LEAVES, profile, f"a tree has {max(leaves)} leaves; {MOST_LEAVES} are the most")


def _in_range(scores: Iterable[float]) -> bool:
    return all(0 <= score <= 1 for score in scores)


def _need(condition: bool, profile: Profile, otherwise: str) -> None:
    if not condition:
        raise SettingsError(f"profile file {profile.name}: {otherwise}")
