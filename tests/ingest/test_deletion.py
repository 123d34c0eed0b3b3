"""Records that are taken out: by a person, by their source, for good; and those that come back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.catalogue.views import cluster_data, dead_letter_list, event_list, statistics
from bibfold.errors import NotFound, Retired
from bibfold.records.formats.files import Files
from bibfold.records.model import DeadLetter, Deletion, Record
from bibfold.workspace import Workspace, opened, throw_away
from indexer.check import check
from ingest import curate
from ingest.dedupe import dedupe
from ingest.deletion import Removed, delete
from ingest.link import link
from ingest.observer import Observer
from ingest.run import fold_stream
from tests.ingest.test_contradictions import decisions
from tests.ingest.test_sifting import contents

Make = Callable[..., Record]
Write = Callable[..., str]

OAI = """<OAI-PMH><ListRecords>{}</ListRecords></OAI-PMH>"""
HEADER = "<header><identifier>oai:x:{0}</identifier></header>"
DC = f"<record>{HEADER}<metadata><dc><title>{{1}}</title></dc></metadata></record>"
GONE = '<record><header status="deleted"><identifier>oai:x:{0}</identifier></header></record>'
MARC = (
    "<record>{0}<metadata><record><leader>00000{2}am a2200000 a 4500</leader><controlfield tag='001'>{1}</controlfield>"
    "<datafield tag='245' ind1=' ' ind2=' '><subfield code='a'>On maps</subfield></datafield>"
    "</record></metadata></record>"
)


def keys(workspace: Workspace) -> list[str]:
    return list(contents(workspace))


def folded(workspace: Workspace, *items: Record | Deletion) -> list[str]:
    remarks: list[str] = []
    fold_stream(workspace, list(items), observer=Observer(remark=remarks.append))
    return remarks


class TestByAPerson:
    def test_the_cluster_goes_on_without_it(self, workspace: Workspace, make: Make) -> None:
        folded(workspace, make("1"), make("2", pages="7"))
        assert delete(workspace, ["x:2"], "withdrawn") == [Removed("x:2", "c1", 1)]
        assert keys(workspace) == ["x:1"]
        with workspace.catalogue.reading() as read:
            assert cluster_data(read, "c1")["canonical"]["id"] == "1"
            (event,) = [event for event in event_list(read, "x:2", 9) if event["kind"] == "deleted"]
            assert (event["record"], event["cluster"], event["cause"]) == ("x:2", "c1", "withdrawn")
            with pytest.raises(NotFound, match="x:2 was deleted; `bibfold events x:2`"):
                cluster_data(read, "x:2")
        assert check(workspace).agree

    def test_an_emptied_cluster_is_retired_until_its_record_comes_back(self, workspace: Workspace, make: Make) -> None:
        folded(workspace, make("1"), make("2", 1))
        assert delete(workspace, ["x:1"]) == [Removed("x:1", "c1", 0)]
        with workspace.catalogue.reading() as read:
            with pytest.raises(Retired, match="c1 is retired: x:1 was deleted"):
                cluster_data(read, "c1")
            assert [event["kind"] for event in event_list(read, "c1", 9)] == ["deleted", "founded"]
        assert check(workspace).agree
        folded(workspace, make("1", pages="7"))
        with workspace.catalogue.reading() as read:
            assert cluster_data(read, "x:1")["cluster"] == "c1"

    @pytest.mark.parametrize("size", [1, 50])
    def test_what_it_held_stays_out_and_other_content_brings_it_back(self, make: Make, size: int) -> None:
        with throw_away([{"batch_size": size}]) as workspace:
            folded(workspace, make("1"))
            folded(workspace, make("1", pages="1"))
            delete(workspace, ["x:1"])
            stays = "x:1 was deleted and is read again with that content; it stays deleted"
            assert folded(workspace, make("1")) == [stays]
            assert folded(workspace, make("1", pages="1")) == [stays]
            assert keys(workspace) == []
            assert folded(workspace, make("1", pages="2")) == []
            assert contents(workspace) == {"x:1": make("1", pages="2")}
            assert folded(workspace, make("1")) == [stays]

    def test_of_several_of_one_name_the_others_stay(self, workspace: Workspace, make: Make) -> None:
        unit = [make("1"), make("1", 1), make("1", 2)]
        folded(workspace, *unit)
        delete(workspace, ["x:1~2"])
        assert len(folded(workspace, *unit[::-1])) == 1
        assert keys(workspace) == ["x:1", "x:1~3"]
        delete(workspace, ["x:1"])
        folded(workspace, *unit)
        assert keys(workspace) == ["x:1~3"]

    def test_what_a_person_tied_through_it_stays_tied(self, workspace: Workspace, make: Make) -> None:
        folded(workspace, make("1"), make("2", 1), make("3", 2))
        curate.merge(workspace, ["c1", "c2", "c3"])
        delete(workspace, ["x:1"])
        assert ("x:2", "x:3", "same") in decisions(workspace)
        folded(workspace, make("3", 2, pages="7"))
        with workspace.catalogue.reading() as read:
            assert cluster_data(read, "x:3")["cluster"] == cluster_data(read, "x:2")["cluster"]

    def test_all_or_nothing(self, workspace: Workspace, make: Make) -> None:
        folded(workspace, make("1"))
        with pytest.raises(NotFound, match="no record 'x:9' here"):
            delete(workspace, ["x:1", "x:9"])
        assert keys(workspace) == ["x:1"]
        delete(workspace, ["x:1"])
        with pytest.raises(NotFound, match="x:1 was deleted before; --purge"):
            delete(workspace, ["x:1"])


class TestBySource:
    def test_oai_says_that_a_record_is_gone(self, workspace: Workspace, write: Write) -> None:
        first = write("1.xml", OAI.format(DC.format(1, "On maps") + DC.format(2, "On terns")).encode())
        second = write("2.xml", OAI.format(DC.format(3, "On noise") + GONE.format(1)).encode())
        fold_stream(workspace, Files((first,), source="r"))
        totals = fold_stream(workspace, Files((second,), source="r"))
        assert (totals.records, totals.deleted) == (1, 1)
        assert keys(workspace) == ["r:oai:x:2", "r:oai:x:3"]
        with workspace.catalogue.reading() as read:
            cause = next(event["cause"] for event in event_list(read, "r:oai:x:1", 1))
        assert cause == f"the OAI-PMH header says status=deleted ({second})"
        assert fold_stream(workspace, Files((first, second), source="r")).deleted == 0

    def test_a_header_deletes_a_record_whose_id_is_its_control_number(self, workspace: Workspace, write: Write) -> None:
        header = HEADER.format(1)
        fold_stream(
            workspace, Files((write("1.xml", OAI.format(MARC.format(header, "n1", "n")).encode()),), source="r")
        )
        assert keys(workspace) == ["r:n1"]
        page = write("2.xml", OAI.format(GONE.format(1)).encode())
        assert fold_stream(workspace, Files((page,), "marcxml", "r")).deleted == 1
        assert keys(workspace) == []

    def test_a_leader_says_that_a_record_is_gone(self, workspace: Workspace, write: Write) -> None:
        for status, left in (("n", ["r:n1"]), ("d", [])):
            file = write(f"{status}.xml", OAI.format(MARC.format("", "n1", status)).encode())
            fold_stream(workspace, Files((file,), "marcxml", "r"))
            assert keys(workspace) == left

    @pytest.mark.parametrize("size", [1, 50])
    def test_order_counts_within_a_unit(self, make: Make, size: int) -> None:
        gone = Deletion("x", "1", "gone")
        with throw_away([{"batch_size": size}]) as workspace:
            folded(workspace, make("1"), make("1", 1), gone, make("2", 2))
            assert keys(workspace) == ["x:2"]
            folded(workspace, gone, make("1", 3), gone, make("1", 4))
            assert contents(workspace) == {"x:1": make("1", 4), "x:2": make("2", 2)}

    def test_what_is_not_there_is_remarked_upon_once_it_was_not_deleted_before(
        self, workspace: Workspace, make: Make
    ) -> None:
        gone = Deletion("x", "1", "gone")
        assert folded(workspace, gone) == ["x:1 is to be deleted, but there is no such record here: gone"]
        folded(workspace, make("1"))
        assert folded(workspace, gone) == []
        assert folded(workspace, gone) == []

    def test_dedupe_and_link_leave_it_out(self, tmp_path: Path, make: Make) -> None:
        stream = [make("1"), make("2"), Deletion("x", "2", "gone"), make("3", 1)]
        summary = dedupe(stream, tmp_path / "out")
        assert (summary.records, summary.canonical, summary.duplicates, summary.deleted) == (2, 2, 0, 1)
        assert b"x,2" not in (tmp_path / "out" / "clusters.csv").read_bytes()
        linked = link(stream, [make("7", source="y")], tmp_path / "links")
        assert (linked.left, linked.links) == (2, 1)

    def test_an_evaluation_keeps_it_and_says_so(self, workspace: Workspace, make: Make) -> None:
        remarks: list[str] = []
        stream = [make("1"), Deletion("x", "1", "gone")]
        fold_stream(workspace, stream, observer=Observer(remark=remarks.append), obey_deletions=False)
        assert (keys(workspace), remarks) == (["x:1"], ["x:1 is kept, although the input deletes it: gone"])


class TestForGood:
    def test_nothing_is_left_of_it(self, kept: Path, make: Make) -> None:
        secret = make("secret-1", title="Folding duplicate records as they arrived", authors=("Quux, Quentin",))
        with opened(kept, create=True) as workspace:
            folded(workspace, make("1"), secret, make("3", 1))
            with workspace.catalogue.writing() as write:
                write.keep_dead_letters([DeadLetter(file="f", position="1", reason="r", raw=f"{{{secret.id}")], 1)
            curate.merge(workspace, ["c1", "x:secret-1", "x:3"], "all three")
            folded(workspace, make("secret-1", pages="Quux 7"))
            assert delete(workspace, ["x:secret-1"], for_good=True) == [Removed("x:secret-1", "c1", 2)]
            assert check(workspace).agree
            with workspace.catalogue.reading() as read:
                assert list(dead_letter_list(read, 9)) == []
                assert all(
                    "secret" not in str(event) and "Quux" not in str(event) for event in event_list(read, None, 99)
                )
            assert ("x:1", "x:3", "same") in decisions(workspace)
            written = b"".join(file.read_bytes() for file in kept.glob("catalogue.sqlite*"))
        assert b"secret-1" not in written
        assert b"Quux" not in written

    def test_it_comes_back_as_if_it_had_never_been_there(self, workspace: Workspace, make: Make) -> None:
        folded(workspace, make("1"))
        delete(workspace, ["x:1"])
        assert delete(workspace, ["x:1"], for_good=True) == [Removed("x:1", None, 0)]
        with workspace.catalogue.reading() as read:
            assert statistics(read)["events"] == 0
            with pytest.raises(Retired, match="c1 is retired: nothing is left of what it held"):
                cluster_data(read, "c1")
        assert folded(workspace, make("1")) == []
        assert keys(workspace) == ["x:1"]
