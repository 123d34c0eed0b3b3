"""Connections to the nodes of a Solr: kept alive, shared by threads, each used by one thread at a time."""

import select
import ssl
from collections import defaultdict, deque
from collections.abc import Callable
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

from bibfold.engines.asking import SILENCE


class Connections:
    """Asks over a free connection, or a new one where all are in use.

    The standard library's connection sends head and body at once; urllib3's pool takes 1.4 times the processor time.
    """

    def __init__(self, timeout: float, ca_file: str) -> None:
        self._timeout = timeout
        self._trust = ssl.create_default_context(cafile=ca_file) if ca_file else None
        self._free: defaultdict[str, deque[HTTPConnection]] = defaultdict(deque)

    def ask(
        self,
        method: str,
        url: str,
        body: bytes | None,
        headers: dict[str, str],
        when_silent: Callable[[], object] = lambda: None,
    ) -> tuple[int, bytes]:
        """The status and the body of the answer; `OSError` or `HTTPException` where there is none.

        `when_silent` is called for each `SILENCE` that passes without an answer, and may raise to end the waiting.
        """
        parts = urlsplit(url)
        node = f"{parts.scheme}://{parts.netloc}"
        connection = self._take(node)
        try:
            connection.request(method, url[len(node) :], body, headers)
            self._await_answer(connection, when_silent)
            with connection.getresponse() as answer:
                content = answer.read()
        except BaseException:
            connection.close()
            raise
        self._free[node].append(connection)
        return answer.status, content

    def close(self) -> None:
        """Let go of the connections that are not in use."""
        for free in self._free.values():
            while free:
                free.pop().close()

    def _await_answer(self, connection: HTTPConnection, when_silent: Callable[[], object]) -> None:
        waiting = select.poll()
        waiting.register(connection.sock, select.POLLIN)
        left = self._timeout
        while not waiting.poll(1000 * min(SILENCE, left)):
            left -= SILENCE
            if left <= 0:
                raise TimeoutError("timed out")
            when_silent()

    def _take(self, node: str) -> HTTPConnection:
        free = self._free[node]
        while free:
            connection = free.pop()
            if not _is_closed_by_server(connection):
                return connection
            connection.close()
        parts = urlsplit(node)
        if parts.scheme == "https":
            return HTTPSConnection(parts.netloc, timeout=self._timeout, context=self._trust)
        return HTTPConnection(parts.netloc, timeout=self._timeout)


def _is_closed_by_server(connection: HTTPConnection) -> bool:
    """Whether something is to be read although nothing was asked: it is the end."""
    if connection.sock is None:
        return False  # it connects anew by itself
    waiting = select.poll()
    waiting.register(connection.sock, select.POLLIN)
    return bool(waiting.poll(0))
