"""A person's word on pairs: kept once, whichever way round it is said, the last one counts."""

from sqlalchemy import insert, select

from bibfold.catalogue.decisions import any_made, forget_verdicts, record_verdict, verdicts
from bibfold.catalogue.schema import decisions, reviews
from bibfold.workspace import Workspace


def test_the_last_word_counts_whichever_way_round(workspace: Workspace) -> None:
    with workspace.catalogue.writing() as connection:
        assert not any_made(connection)
        record_verdict(connection, [("b", "a"), ("a", "c")], "same", "first")
        record_verdict(connection, [("a", "b")], "different", "second thoughts")
        assert any_made(connection)
        assert verdicts(connection, ["a"]) == {
            "a": {"b": "different", "c": "same"},
            "b": {"a": "different"},
            "c": {"a": "same"},
        }
        assert verdicts(connection, ["z"]) == {}
        notes = connection.execute(select(decisions.c.note).order_by(decisions.c.b)).scalars()
        assert list(notes) == ["second thoughts", "first"]
        forget_verdicts(connection, [("c", "a")])
        assert verdicts(connection, ["c"]) == {}


def test_what_is_decided_leaves_the_queue(workspace: Workspace) -> None:
    pairs = [("a", "b"), ("b", "a"), ("a", "c")]
    rows = [{"record": a, "against": b, "score": 0.5, "comparison": b"{}", "at": 0.0} for a, b in pairs]
    with workspace.catalogue.writing() as connection:
        connection.execute(insert(reviews), rows)
        record_verdict(connection, [("a", "b")], "same")
        left = connection.execute(select(reviews.c.record, reviews.c.against)).all()
    assert [tuple(row) for row in left] == [("a", "c")]


def test_many_pairs_at_once(workspace: Workspace) -> None:
    pairs = [(f"a{at}", f"b{at}") for at in range(1200)]
    with workspace.catalogue.writing() as connection:
        record_verdict(connection, iter(pairs), "different")
        assert len(verdicts(connection, [a for a, _ in pairs])) == 2400
