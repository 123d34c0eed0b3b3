"""Turns settings into what a lookup needs: the profile with its thresholds, and how candidates are found."""

import msgspec

from bibfold.errors import SettingsError
from bibfold.settings import Settings
from bibfold.workspace import key_settings
from lookup.evidence import Profile
from lookup.profiles import profile as named
from lookup.retrieve import Retrieval


def profile_of(settings: Settings) -> Profile:
    """The profile that the settings name, with their thresholds in place of its own."""
    profile = named(settings.profile)
    same = profile.same if settings.same is None else settings.same
    unsure = min(profile.unsure, same) if settings.unsure is None else settings.unsure
    if unsure > same:
        raise SettingsError(f"unsure: {unsure} is above same: {same}; pairs from {unsure} on would be both")
    return msgspec.structs.replace(profile, same=same, unsure=unsure)


def retrieval_of(settings: Settings, profile: Profile) -> Retrieval:
    """How candidates are found under these settings."""
    return Retrieval(
        searched=profile.searched,
        top_n=settings.top_n,
        retriever="fingerprint" if settings.retriever == "fingerprint" else "bigrams",
        identifiers=settings.identifiers,
        keys=key_settings(settings),
    )
