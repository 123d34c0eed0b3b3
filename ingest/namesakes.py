"""Several records of one name, as a unit of input finds and leaves them."""

from collections.abc import Callable


def numbered(name: str, number: int, *, labels: bool) -> str:
    """The name of a second or later record of one name."""
    return name if number == 1 else f"{name}{'-' if labels else '~'}{number}"


class Namesakes:
    """The records that go by one source and id, each under an id of its own, and their contents.

    A content is told by its digest under the common id. `taken` are the contents that the unit has brought, `replaced`
    those that gave way to them, each with the id that it stands or stood under. `vacant` ids were left by records that
    were deleted, `deleted` ones had such records at some time. It is `whole` if the record of the common id is known
    to hold what the unit found there.
    """

    def __init__(self, source: str, id: str, *, labels: bool) -> None:
        self.source = source
        self.id = id
        self.labels = labels
        self.taken: dict[bytes, str] = {}
        self.replaced: dict[bytes, str] = {}
        self.vacant: list[str] = []
        self.deleted: list[str] = []
        self.next = 1
        self.whole = False
        self._free: dict[bytes, list[str]] = {}
        self._open: dict[str, bytes] = {}

    def key(self, id: str) -> str:
        """The name in the catalogue for one of the ids."""
        return f"{self.source}:{id}"

    def numbered(self, number: int) -> str:
        """The id of the first, second or later record."""
        return numbered(self.id, number, labels=self.labels)

    def hold(self, id: str, content: bytes, *, claimed: bool, open: bool) -> None:
        """Note what stands under an id, whether the unit has brought it, and else whether the unit may change it."""
        if claimed:
            self.taken[content] = id
            return
        self._free.setdefault(content, []).append(id)
        if open:
            self._open[id] = content

    def found(self, content: bytes) -> str | None:
        """The id of a record that holds this content, and that no other record of the unit has been taken for."""
        ids = self._free.get(content)
        if not ids:
            return None
        id = ids.pop(0)
        self._open.pop(id, None)
        self.taken[content] = id
        return id

    def open_slot(self) -> str | None:
        """The first id whose record the unit may change and has not brought; it gives way."""
        for id, content in self._open.items():
            del self._open[id]
            self._free[content].remove(id)
            self.replaced[content] = id
            return id
        return None

    def new_slot(self, is_free: Callable[[str], bool]) -> str:
        """An id for another record."""
        if self.vacant:
            return self.vacant.pop(0)
        while not is_free(id := self.numbered(self.next)):
            self.next += 1
        self.next += 1
        return id
