"""Tokens and sessions: who may do what, and that a form of another page is refused."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import bibfold
from bibfold.catalogue.asking import standing_tokens
from bibfold.catalogue.store import open_catalogue
from bibfold.errors import NotFound, SettingsError
from service.access import Access, Person
from service.errors import Refused
from tests.service.conftest import running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with bibfold.open(tmp_path / "cat", create=True) as opened:
        opened.ingest([{"source": "a", "id": "1", "title": "A title of some length"}])
    return tmp_path / "cat"


@pytest.fixture
def client(folder: Path) -> Iterator[httpx.Client]:
    with running(folder) as address, httpx.Client(base_url=address) as client:
        yield client


def token(folder: Path, scope: str = "read", name: str = "ada") -> str:
    with open_catalogue(folder) as opened, opened.asking() as asking:
        return asking.create_token(name, scope)  # type: ignore[arg-type]


def test_only_a_digest_of_a_token_is_kept(folder: Path) -> None:
    secret = token(folder)
    assert secret.encode() not in (folder / "catalogue.sqlite").read_bytes()
    with open_catalogue(folder) as opened:
        with opened.reading() as read:
            assert [(kept.name, kept.scope) for kept in standing_tokens(read)] == [("ada", "read")]
        with pytest.raises(SettingsError, match="already"), opened.asking() as asking:
            asking.create_token("ada", "write")
        with opened.asking() as asking:
            asking.revoke_token("ada")
        with pytest.raises(NotFound), opened.asking() as asking:
            asking.revoke_token("ada")


def test_with_a_token_made_every_request_needs_one(folder: Path, client: httpx.Client) -> None:
    assert client.get("/healthz").status_code == 200
    secret = token(folder)
    with running(folder) as address, httpx.Client(base_url=address) as guarded:
        assert guarded.get("/v1/stats").status_code == 401
        assert guarded.get("/v1/stats", headers={"authorization": f"Bearer {secret}x"}).status_code == 401
        assert guarded.get("/v1/stats", headers={"authorization": f"Basic {secret}"}).status_code == 401
        assert guarded.get("/v1/stats", headers={"authorization": f"Bearer {secret}"}).status_code == 200
        assert guarded.get("/healthz").status_code == 200


def test_a_token_may_stand_in_the_reconciliation_address(folder: Path) -> None:
    secret = token(folder)
    with running(folder) as address, httpx.Client(base_url=address) as openrefine:
        assert openrefine.get("/reconcile").status_code == 401
        manifest = openrefine.get(f"/reconcile/t/{secret}").json()
        path = manifest["suggest"]["property"]["service_path"]
        assert path == f"/reconcile/t/{secret}/suggest/property"
        assert openrefine.get(path, params={"prefix": "year"}).json()["result"]
        assert openrefine.get("/reconcile/t/guessed").status_code == 401
        assert openrefine.get(f"/reconcile/t/{secret}/../../v1/stats").status_code in (401, 404)


def test_a_browser_signs_in_with_a_token(folder: Path) -> None:
    secret = token(folder, "review")
    with running(folder) as address, httpx.Client(base_url=address) as browser:
        page = {"accept": "text/html"}
        sent_away = browser.get("/overview", headers=page)
        assert (sent_away.status_code, sent_away.headers["location"]) == (303, "/login")
        assert browser.post("/login", data={"token": "wrong"}).status_code == 403
        signed_in = browser.post("/login", data={"token": secret})
        assert signed_in.status_code == 303
        cookie = signed_in.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        shown = browser.get("/overview", headers=page)
        assert shown.status_code == 200
        assert "ada" in shown.text
        assert browser.post("/logout", data={"form": "guessed"}).status_code == 403
        secret_of_form = shown.text.split('name="form" value="')[1].split('"')[0]
        assert browser.post("/logout", data={"form": secret_of_form}).status_code == 303
        assert browser.get("/overview", headers=page).status_code == 303


def test_a_session_ends_and_is_nobody_elses(folder: Path) -> None:
    now = 0.0
    with open_catalogue(folder) as catalogue:
        access = Access(catalogue, lambda: now)
        first, second = (access.begin_session(Person(name, frozenset())) for name in "ab")
        access.check_form(first, access.form_secret(first))
        with pytest.raises(Refused):
            access.check_form(first, access.form_secret(second))
        assert access.session(first.id) == first
        now = 13 * 3600
        assert access.session(first.id) is None
