"""The page's folder on this machine, with the headers that docs/deploy.md asks of a host."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from hiermeasures.core.errors import InputError
from hiermeasures.page.build import POLICY

THIS_MACHINE = "127.0.0.1"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".whl": "application/octet-stream",
    ".zip": "application/zip",
}


class Handler(SimpleHTTPRequestHandler):
    """Answers with the files of a folder, and says nothing about it."""

    protocol_version = "HTTP/1.1"
    extensions_map = {"": "application/octet-stream", **TYPES}  # noqa: RUF012

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def server_of(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server for this machine only; 0 stands for any port that is free.

    Raises
    ------
    InputError
        For a port that does not exist or is taken.
    """
    try:
        return ThreadingHTTPServer((THIS_MACHINE, port), partial(Handler, directory=str(folder)))
    except (OSError, OverflowError) as error:
        raise InputError(f"--port {port}: {getattr(error, 'strerror', None) or 'there is no such port'}") from None


def serve(folder: Path, port: int = 0) -> None:
    """Serve a folder until Ctrl+C."""
    with server_of(folder, port) as server:
        print(f"hiermeasures: the page is at http://{THIS_MACHINE}:{server.server_port}/; Ctrl+C ends it", flush=True)
        server.serve_forever()
