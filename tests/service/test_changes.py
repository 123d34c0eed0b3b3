"""Routes that change the catalogue: queued, carried out in order, answered, signed with who asked."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import bibfold
from bibfold.catalogue.store import open_catalogue
from tests.service.conftest import RECORDS, running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with bibfold.open(tmp_path / "cat", create=True) as opened:
        opened.ingest(RECORDS)
    return tmp_path / "cat"


@pytest.fixture
def client(folder: Path) -> Iterator[httpx.Client]:
    with running(folder) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def home(client: httpx.Client, source: str, id: str) -> str:
    return str(client.get(f"/v1/records/{source}/{id}").json()["cluster"])


def test_records_are_folded_and_searchable_when_their_ticket_is_done(client: httpx.Client) -> None:
    new = {"source": "c", "id": "1", "title": "Cytology in screening of rare tumours", "year": 2020}
    ticket = client.post("/v1/records?wait=30", json=[new, {**RECORDS[0], "source": "c", "id": "2"}])
    assert ticket.status_code == 200, ticket.text
    answer = ticket.json()["answer"]
    assert answer["new"] == 1
    assert answer["records"]["c:2"] == home(client, "a", "1")
    assert client.post("/v1/lookup", json=new).json()["answers"][0]["cluster"] == answer["records"]["c:1"]
    later = client.post("/v1/records", json=new).json()
    done = client.get(f"/v1/tickets/{later['ticket']}?wait=30").json()
    assert (done["state"], done["answer"]["unchanged"]) == ("done", 1)


def test_a_record_is_deleted_and_its_id_says_so(client: httpx.Client) -> None:
    cluster = home(client, "a", "2")
    gone = client.request("DELETE", "/v1/records/a/2")
    assert gone.json()["answer"]["removed"] == [{"record": "a:2", "cluster": cluster, "left": 0}]
    assert client.get("/v1/records/a/2").status_code == 404
    retired = client.get(f"/v1/clusters/{cluster}")
    assert retired.status_code == 410
    assert "retired" in retired.json()["error"]["message"]
    assert client.request("DELETE", "/v1/records/a/2").status_code in (404, 409)
    assert client.post("/v1/records?wait=30", json=RECORDS[2]).json()["answer"]["records"] == {}


def test_people_merge_split_decide_and_undo(client: httpx.Client) -> None:
    first, other = home(client, "a", "1"), home(client, "a", "2")
    merged = client.post("/v1/clusters/merge", json={"clusters": [first, other], "note": "same book"}).json()
    assert merged["answer"]["cluster"] == first
    assert client.get(f"/v1/clusters/{other}").json()["cluster"] == first
    causes = [event["cause"] for event in client.get(f"/v1/clusters/{first}/events").json()]
    assert any(cause.startswith("local: same book") for cause in causes)
    split = client.post(f"/v1/clusters/{first}/split", json={"records": ["a:2"]}).json()
    assert home(client, "a", "2") == split["answer"]["cluster"] != first
    decided = client.post("/v1/decisions", json={"a": "a:1", "b": "b:9", "verdict": "different"}).json()
    assert len(set(decided["answer"]["clusters"])) == 2
    client.post("/v1/decisions/undo", json={"a": "a:1", "b": "b:9"}).raise_for_status()
    assert home(client, "a", "1") == home(client, "b", "9")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/clusters/merge", {"clusters": ["c1", "c1"]}, 409),
        ("/v1/clusters/merge", {"clusters": ["c1", "c999"]}, 404),
        ("/v1/clusters/merge", {"groups": ["c1"]}, 400),
        ("/v1/clusters/c1/split", {"records": []}, 409),
        ("/v1/decisions", {"a": "a:1", "b": "a:1", "verdict": "same"}, 409),
        ("/v1/decisions", {"a": "a:1", "b": "b:9", "verdict": "maybe"}, 400),
        ("/v1/decisions/undo", {"a": "a:1", "b": "b:9"}, 409),
        ("/v1/records?wait=-1", {"title": "A title"}, 400),
    ],
)
def test_what_cannot_be_done_is_told(client: httpx.Client, path: str, body: dict[str, object], status: int) -> None:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]


def test_a_command_waits_while_another_process_writes(folder: Path, client: httpx.Client) -> None:
    with open_catalogue(folder, write=True):
        waiting = client.post("/v1/records?wait=0.2", json={"source": "c", "id": "1", "title": "Patience"})
        assert waiting.status_code == 202
        assert waiting.json()["state"] == "waiting"
    done = client.get(f"/v1/tickets/{waiting.json()['ticket']}?wait=30").json()
    assert done["state"] == "done"
    assert client.get("/v1/tickets/999").status_code == 404
    assert client.get(f"/v1/tickets/{10**30}").status_code == 404


def test_changes_need_their_scopes(folder: Path) -> None:
    with open_catalogue(folder) as opened, opened.asking() as asking:
        tokens = {scope: asking.create_token(scope, scope) for scope in ("read", "write", "review")}  # type: ignore[arg-type]
    requests = {
        "write": ("/v1/records?wait=30", {"id": "1", "title": "Signed"}),
        "review": ("/v1/clusters/merge", {"clusters": ["a:1", "a:2"]}),
    }
    with running(folder) as address, httpx.Client(base_url=address, timeout=60) as client:
        for needed, (path, body) in requests.items():
            for scope, token in tokens.items():
                answer = client.post(path, json=body, headers={"authorization": f"Bearer {token}"})
                assert answer.status_code == (200 if scope == needed else 403), (needed, scope, answer.text)
        read = {"authorization": f"Bearer {tokens['read']}"}
        assert client.get("/v1/records/write/1", headers=read).status_code == 200
