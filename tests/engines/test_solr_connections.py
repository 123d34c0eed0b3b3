"""Connections to Solr are kept, given back, and replaced where the server has closed them."""

import socket
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from bibfold.engines.solr_connections import Connections


class Greeter(BaseHTTPRequestHandler):
    """Greets each connection by its own port, and hangs up unannounced where the path says so."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        port = str(self.client_address[1]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(port)))
        self.end_headers()
        self.wfile.write(port)
        self.close_connection = self.path == "/bye"

    def do_GET(self) -> None:
        page = b"<html>Please log in</html>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


def test_silence_is_told_and_may_end_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bibfold.engines.solr_connections.SILENCE", 0.02)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        told: list[None] = []
        with closing(Connections(0.1, "")) as connections, pytest.raises(TimeoutError):
            connections.ask("POST", url, b"", {}, lambda: told.append(None))
        assert 3 <= len(told) <= 5
        with closing(Connections(9, "")) as connections, pytest.raises(ZeroDivisionError):
            connections.ask("POST", url, b"", {}, lambda: 1 / 0)


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Greeter) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def connections() -> Iterator[Connections]:
    with closing(Connections(5, "")) as made:
        yield made


def test_a_connection_is_used_again(url: str, connections: Connections) -> None:
    answers = {connections.ask("POST", f"{url}/hello", b"x", {}) for _ in range(3)}
    assert len(answers) == 1


def test_a_connection_that_the_server_closed_is_replaced(url: str, connections: Connections) -> None:
    status, first = connections.ask("POST", f"{url}/bye", b"x", {})
    ((_, kept),) = ((node, free[0]) for node, free in connections._free.items())
    assert kept.sock is not None
    kept.sock.settimeout(5)
    assert kept.sock.recv(1) == b""  # wait until it is closed
    assert (status, connections.ask("POST", f"{url}/hello", b"x", {}) == (200, first)) == (200, False)


def test_a_connection_that_failed_is_not_kept(connections: Connections) -> None:
    with pytest.raises(OSError, match="refused"):
        connections.ask("POST", "http://127.0.0.1:9/", b"x", {})
    assert not any(connections._free.values())


def test_a_server_that_answers_with_a_web_page_is_no_solr(url: str, bibfold: Any, write: Any, make: Any) -> None:
    engine = f"solr:{url}/solr?patience=0"
    file = write("a.jsonl", make("1"))
    ran = bibfold("ingest", file, "-c", f"{file}.cat", "--engine", engine, "--outage", "0")
    assert ran.status == 1
    assert ran.err.splitlines()[-1] == (
        f"Error: {url}/solr answers, but not as Solr does; correct the address, which usually ends in /solr"
    )
