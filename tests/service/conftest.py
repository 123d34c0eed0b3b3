"""A real service on a loopback port, over a small catalogue."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx
import pytest
import uvicorn

import bibfold
from service.access import Access
from service.app import application
from service.serving import Options, serving

OPTIONS = Options()

RECORDS = [
    {
        "source": "a",
        "id": "1",
        "title": "Insulin glargine and hypoglycemia in type 2 diabetes",
        "authors": ["Roe, Jane", "Doe, John"],
        "publication": "Diabetes Care",
        "year": 2008,
        "identifiers": {"doi": "10.1000/abc"},
        "pages": "11-19",
    },
    {
        "source": "b",
        "id": "9",
        "title": "Insulin glargine and hypoglycemia in type 2 diabetes.",
        "authors": ["J Roe", "J Doe"],
        "publication": "Diabetes Care",
        "year": 2008,
        "pages": "11-19",
    },
    {
        "source": "a",
        "id": "2",
        "title": "<script>alert(1)</script> & \u202egnol a",
        "authors": ["<b>Poe</b>"],
        "year": 1999,
    },
    {"source": "b", "id": "x/y z", "title": "Screening for cervical cancer by cytology", "year": 2011},
]


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue of four records, two of which are the same."""
    folder = tmp_path_factory.mktemp("served") / "cat"
    with bibfold.open(folder, create=True) as opened:
        opened.ingest(RECORDS)
    return folder


@contextmanager
def running(folder: Path, options: Options = OPTIONS, root_path: str = "") -> Iterator[str]:
    """The address of a service that runs in a thread of its own."""
    with serving(folder, (), options) as served, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app = application(served, Access(served.catalogue))
        config = uvicorn.Config(app, log_level="warning", lifespan="off", root_path=root_path)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def address(catalogue: Path) -> Iterator[str]:
    """Where the service listens."""
    with running(catalogue) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """A client of the service."""
    with httpx.Client(base_url=address, timeout=20) as client:
        yield client
