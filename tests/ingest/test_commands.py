"""Commands in the catalogue's queue: carried out in order, once, and answered."""

from collections.abc import Callable

import msgspec
import pytest

from bibfold.catalogue.queue import count_waiting, ticket, waiting
from bibfold.errors import NotFound
from bibfold.records.model import Record
from bibfold.records.native import encode as encode_record
from bibfold.workspace import Workspace
from ingest.commands import Command, Decide, Fold, Merge, Split, carry_out_waiting, encode

Make = Callable[..., Record]


def ask(workspace: Workspace, *commands: Command) -> list[int]:
    with workspace.catalogue.asking() as asking:
        return [asking.enqueue(encode(command), "ada") for command in commands]


def answers(workspace: Workspace, numbers: list[int]) -> list[tuple[str, object]]:
    with workspace.catalogue.reading() as read:
        found = [ticket(read, number) for number in numbers]
    return [(queued.state, msgspec.json.decode(queued.answer or b"null")) for queued in found]


def folded(make: Make, *ids: str) -> Fold:
    return Fold(tuple(msgspec.Raw(encode_record(make(id, title=f"Title of work {id * 9}"))) for id in ids))


def test_commands_are_carried_out_in_order_and_answered(workspace: Workspace, make: Make) -> None:
    keys = [make(id).key for id in "ab"]
    numbers = ask(workspace, folded(make, "a", "b"), Merge(("c1", "c2"), "one book"), Split("c1", (keys[1],)))
    assert carry_out_waiting(workspace) == 3
    (_, first), (_, second), (_, third) = answers(workspace, numbers)
    assert first["records"] == {keys[0]: "c1", keys[1]: "c2"}  # type: ignore[index]
    assert second == {"cluster": "c1"}
    assert set(third) == {"cluster"}  # type: ignore[call-overload]
    assert carry_out_waiting(workspace) == 0


def test_one_that_fails_is_told_and_the_next_goes_on(workspace: Workspace, make: Make) -> None:
    numbers = ask(workspace, Decide("x:1", "x:2", "same"), folded(make, "a"))
    with workspace.catalogue.asking() as asking:
        numbers.append(asking.enqueue(b'{"type": "nonsense"}', "ada"))
    carry_out_waiting(workspace)
    (failed, error), (done, _), (unreadable, _) = answers(workspace, numbers)
    assert (failed, done, unreadable) == ("failed", "done", "failed")
    assert "no record" in str(error)
    with workspace.catalogue.reading() as read, pytest.raises(NotFound):
        ticket(read, 999)


def test_a_change_that_was_made_is_not_made_again(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(workspace, folded(make, "a", "b"))
    carry_out_waiting(workspace)
    (number,) = ask(workspace, Merge(("c1", "c2")))

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("ingest.curate.deliver_change", stopped)
        with pytest.raises(KeyboardInterrupt):
            carry_out_waiting(workspace)
    with workspace.catalogue.reading() as read:
        assert (count_waiting(read), waiting(read, 10), ticket(read, number).state) == (0, [], "done")
        assert read.resolve("c2") == 1
    assert carry_out_waiting(workspace) == 0
