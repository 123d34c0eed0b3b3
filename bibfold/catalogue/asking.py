"""What may be left in a catalogue without the right to write: tokens of the service, and commands for the writer."""

import time
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final, Literal

import msgspec
from sqlalchemy import Connection, insert, select, update

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.schema import commands, tokens
from bibfold.errors import NotFound, SettingsError

Scope = Literal["read", "write", "review"]
SCOPES: Final[tuple[Scope, ...]] = ("read", "write", "review")


class Token(msgspec.Struct, frozen=True):
    """A token of the service, but for its secret, of which only a digest is kept."""

    name: str
    scope: Scope
    created: float
    digest: bytes


class Asking:
    """A short transaction beside the writer's."""

    def __init__(self, connection: Connection) -> None:
        self.execute = connection.execute

    def enqueue(self, body: bytes, who: str) -> int:
        """Leave a command for the writer; its ticket."""
        values = {"at": time.time(), "who": who, "body": body, "state": "waiting"}
        return int(self.execute(insert(commands).values(values).returning(commands.c.no)).scalar_one())

    def create_token(self, name: str, scope: Scope) -> str:
        """Make a token; its secret, which is told this once."""
        if not name or not name.isprintable():
            raise SettingsError(f"{name!r} cannot name a token: use letters that can be printed")
        if any(token.name == name for token in standing_tokens(self)):
            raise SettingsError(f"there is a token {name!r} already; revoke it first, or choose another name")
        secret = f"bibfold_{token_urlsafe(32)}"
        self.execute(
            insert(tokens).values(name=name, digest=digest(secret), scope=scope, created=time.time(), revoked=None)
        )
        return secret

    def revoke_token(self, name: str) -> None:
        """Make a token useless."""
        standing = update(tokens).where(tokens.c.name == name, tokens.c.revoked.is_(None))
        if not self.execute(standing.values(revoked=time.time())).rowcount:
            raise NotFound(f"no token {name!r} here; `bibfold token list` shows them")


def standing_tokens(read: Reading | Asking) -> list[Token]:
    """The tokens that were not revoked, oldest first."""
    query = select(tokens).where(tokens.c.revoked.is_(None)).order_by(tokens.c.no)
    return [Token(row.name, row.scope, row.created, row.digest) for row in read.execute(query)]


def digest(secret: str) -> bytes:
    """What is kept of a secret: it is long and random, so that no slow hash is needed."""
    return sha256(secret.encode(errors="surrogatepass")).digest()
