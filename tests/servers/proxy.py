"""A proxy on loopback that stands before a real server and fails on request."""

import socket
import ssl
import time
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import urllib3

HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive"}

CUT = "cut"
"""The fault of an answer that ends in the middle; a number is a status, ("slow", seconds) a late answer."""

Fault = int | str | tuple[str, float]


class FaultProxy:
    """Passes requests on to a server, but for those that meet a fault; faults are used up one by one.

    `where` is what a request's line must hold to meet one, `demanded` the only authorization that is let through.
    """

    def __init__(self, target: str, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(target)
        self._tls = tls
        self.path = parts.path
        self.target = f"{parts.scheme}://{parts.netloc}"
        self.faults: deque[Fault] = deque()
        self.always: Fault | None = None
        self.where = ""
        self.demanded = ""
        self.requests = 0
        self.pool = urllib3.PoolManager(retries=False)
        self._port = 0
        self._server: ThreadingHTTPServer | None = None
        self.back()

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}{self.path}"

    def back(self) -> None:
        """Answer, on the same port as before."""
        self._server = _Server(("127.0.0.1", self._port), _Handler)
        self._server.proxy = self  # type: ignore[attr-defined]
        if self._tls:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        self._port = self._server.server_address[1]
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def away(self) -> None:
        """Refuse connections, and break those that are open."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def close(self) -> None:
        self.away()
        self.pool.clear()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._sockets: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._sockets.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._sockets.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""

    def server_close(self) -> None:
        super().server_close()
        for open_socket in list(self._sockets):
            _shut(open_socket)


def _shut(open_socket: socket.socket) -> None:
    try:
        open_socket.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self) -> None:
        proxy: FaultProxy = self.server.proxy  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        proxy.requests += 1
        if proxy.demanded and self.headers.get("Authorization") != proxy.demanded:
            return self._answer(403 if "Authorization" in self.headers else 401, {}, b"{}")
        fault = proxy.faults.popleft() if proxy.faults and proxy.where in self.requestline else proxy.always
        if isinstance(fault, int):
            return self._answer(fault, {}, b"{}")
        if isinstance(fault, tuple):
            time.sleep(fault[1])
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP | {"host"}}
        answer = proxy.pool.request(
            self.command, proxy.target + self.path, body=body, headers=headers, decode_content=False
        )
        if fault == CUT:
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(answer.data) + 1))
            self.end_headers()
            self.wfile.write(answer.data)
            self.close_connection = True
            return None
        kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP}
        return self._answer(answer.status, kept, answer.data)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""
