"""Asking servers: in order, many at once, and an outage or Ctrl-C is noticed within two seconds, in a batch, too."""

import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from threading import Event
from threading import enumerate as enumerate_threads

import pytest

from bibfold.engines import SERVERS, open_engine
from bibfold.engines.asking import SILENCE, Asking
from bibfold.engines.base import Query
from bibfold.errors import EngineError, EngineUnavailable

NOTICED = 2 * SILENCE
SLACK = 3.0
"""Seconds that a busy machine may take on top."""


def here() -> None:
    """The server is there."""


def away() -> None:
    raise EngineUnavailable("it is gone")


def test_answers_are_in_order_and_asked_for_at_once() -> None:
    threads: Counter[int] = Counter()

    def ask(number: int) -> int:
        threads[number % 3] += 1
        time.sleep(0.01 * (5 - number % 5))
        return 2 * number

    started = time.monotonic()
    assert Asking(0, here).many(ask, range(40), 8) == [2 * number for number in range(40)]
    assert time.monotonic() - started < 40 * 0.03
    assert Asking(0, here).many(ask, [], 8) == []
    assert Asking(0, here).one(lambda: "one") == "one"


def test_only_what_is_missing_is_asked_for_again() -> None:
    asked: Counter[int] = Counter()

    def ask(number: int) -> int:
        asked[number] += 1
        if number == 7 and asked[7] < 3:
            raise EngineUnavailable("busy")
        return number

    assert Asking(20, here).many(ask, range(10), 1) == list(range(10))
    assert asked == Counter({**dict.fromkeys(range(10), 1), 7: 3})


def test_another_error_is_raised_and_ends_the_batch() -> None:
    asked: list[int] = []

    def ask(number: int) -> int:
        asked.append(number)
        if number == 3:
            raise EngineError("wrong")
        return number

    with pytest.raises(EngineError, match="wrong"):
        Asking(20, here).many(ask, range(1000), 1)
    time.sleep(0.05)
    assert len(asked) < 1000


def test_a_slow_server_that_says_that_it_is_there_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bibfold.engines.asking.SILENCE", 0.02)
    probes: list[None] = []

    def ask() -> str:
        time.sleep(0.2)
        return "at last"

    assert Asking(0, lambda: probes.append(None)).one(ask) == "at last"
    assert len(probes) > 2


def test_a_silent_server_that_is_not_there_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bibfold.engines.asking.SILENCE", 0.05)
    never = Event()
    started = time.monotonic()
    with pytest.raises(EngineUnavailable, match="it is gone") as raised:
        Asking(0, away).many(lambda _: never.wait(), range(9), 3)
    assert time.monotonic() - started < SLACK
    assert raised.value.since == pytest.approx(started, abs=0.05)
    never.set()


@pytest.fixture
def frozen() -> Iterator[str]:
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("name", SERVERS)
def test_an_outage_is_bounded_whatever_the_address_says(name: str, frozen: str) -> None:
    with closing(open_engine(f"{name}:{frozen}?patience=60&timeout=30", outage=1)) as engine:
        for ask in (lambda: engine.search("i", [Query({"title": ["x"]})] * 500, 10), lambda: engine.count("i")):
            started = time.monotonic()
            with pytest.raises(EngineUnavailable, match="does not answer"):
                ask()
            assert time.monotonic() - started < NOTICED + SLACK
        started = time.monotonic()
        assert not engine.ready()
        assert time.monotonic() - started < NOTICED + SLACK


@pytest.mark.parametrize("name", SERVERS)
def test_a_refused_connection_is_bounded_too(name: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"{name}:http://127.0.0.1:{unused.getsockname()[1]}"
    with closing(open_engine(address, outage=1)) as engine:
        started = time.monotonic()
        with pytest.raises(EngineUnavailable, match="does not answer"):
            engine.count("i")
        assert 1 <= time.monotonic() - started < 1 + SLACK


STOPPED = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from contextlib import closing
from bibfold.engines.asking import Asking
def ask(number):
    if number == 3: print("under way", flush=True)
    time.sleep(60 if number else 0)
try:
    Asking(60, lambda: None).many(ask, range(100), 8)
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_does_not_wait_for_what_is_under_way() -> None:
    with subprocess.Popen([sys.executable, "-c", STOPPED], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "under way\n"
        started = time.monotonic()
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert time.monotonic() - started < 2 + SLACK


def test_threads_end_when_a_batch_does() -> None:
    before = {thread.name for thread in enumerate_threads()}
    Asking(0, here).many(lambda number: number, range(50), 8)
    time.sleep(0.05)
    assert {thread.name for thread in enumerate_threads()} <= before
