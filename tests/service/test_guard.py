"""Requests that are refused before any route sees them, and the headers of every answer."""

import socket
import time
from pathlib import Path

import httpx
import pytest

from service.guard import Limits
from service.serving import Options
from tests.service.conftest import running


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-encoding": "gzip"}, 415),
    ],
)
def test_a_request_is_refused_by_its_headers(client: httpx.Client, headers: dict[str, str], status: int) -> None:
    answer = client.post("/v1/lookup", content=b"", headers=headers)
    assert answer.status_code == status
    assert answer.json()["error"]["request"] == answer.headers["x-request-id"]


def test_one_address_may_ask_only_so_often(catalogue: Path) -> None:
    with running(catalogue, Options(limits=Limits(rate=1))) as address, httpx.Client(base_url=address) as client:
        statuses = [client.get("/healthz").status_code for _ in range(14)]
        assert statuses[:10] == [200] * 10
        assert 429 in statuses[10:]
        refused = client.get("/healthz")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")


def test_a_body_that_says_it_is_too_large_is_not_read(client: httpx.Client) -> None:
    assert client.post("/v1/lookup", content=b"x" * 16_000_001).status_code == 413


def test_every_answer_keeps_a_browser_in_bounds(client: httpx.Client) -> None:
    for path in ("/v1/stats", "/nowhere", "/overview", "/static/desk.css"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_a_request_id_is_kept_if_it_is_harmless(client: httpx.Client) -> None:
    assert client.get("/healthz", headers={"x-request-id": "job-7.a"}).headers["x-request-id"] == "job-7.a"
    assert client.get("/healthz", headers={"x-request-id": "a b<c>"}).headers["x-request-id"] != "a b<c>"


def test_a_body_that_is_too_large_or_too_slow_is_cut_off(catalogue: Path) -> None:
    options = Options(limits=Limits(body=1_000, sending=0.4))
    with running(catalogue, options) as address, httpx.Client(base_url=address) as client:
        chunks = (b"x" * 600 for _ in range(3))
        json = {"content-type": "application/json"}
        assert client.post("/v1/lookup", content=chunks, headers=json).status_code == 413
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(b"POST /v1/lookup HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\n{")
            started = time.monotonic()
            assert b" 408 " in slow.recv(4_096).partition(b"\r\n")[0]
            assert time.monotonic() - started < 5
        assert client.get("/healthz").status_code == 200
