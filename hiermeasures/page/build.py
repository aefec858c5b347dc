"""Write the page: a folder of static files that any host of them serves as they are, with Python's
wheels; and serve it on this machine. All paths in it are relative.
"""

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hiermeasures
from hiermeasures.cases.library import write_json
from hiermeasures.core.errors import InputError, shown
from hiermeasures.explorer import component_data
from hiermeasures.explorer.library import OPENING, figure
from hiermeasures.explorer.parts import explorer_module
from hiermeasures.page import lessons
from hiermeasures.page.downloads import PLATFORM, PYODIDE, PYTHON, WHEELS, downloaded
from hiermeasures.page.session import TOKEN, Session
from hiermeasures.picture.notebook_repr import drawing_of_explanation

OWN = ("page.js", "worker.js", "embed.js", "page.css")
PLACE = f"pyodide-{PYODIDE}"  # another for each version, whose files have the same names
LATER = next(name for name in WHEELS if name.startswith("networkx-"))
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The content security policy, of the page itself and, as a header, of its worker."""


@dataclass(frozen=True)
class Written:
    """A file of the page: its path, its bytes, and those that travel under gzip."""

    path: str
    size: int
    sent: int


def write_page(folder: Path, pyodide: Path | None = None) -> list[Written]:
    """Write the page into a folder, made where it is not there, in place of one that was; return
    what was written. `pyodide` is a folder with Pyodide's core and the wheels; by default they are
    fetched once and kept. InputError for a folder that holds something else, or without these
    files.
    """
    _check(folder)
    contents = _contents(downloaded(pyodide))
    for old in folder.glob("pyodide-*/*"):
        if old.relative_to(folder).as_posix() not in contents:
            old.unlink()
    for path, content in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return [Written(path, len(content), len(gzip.compress(content, 9))) for path, content in contents.items()]


def _check(folder: Path) -> None:
    if folder.is_file():
        raise InputError(f"{shown(str(folder))} is a file; --out names a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "first.json").is_file():
        raise InputError(f"{shown(str(folder))} is not empty and holds no page; --out names a folder of its own")


def _contents(there: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file by its path. Addresses of ours hold a version, so that no browser mixes two."""
    wheel, wheel_content = own_wheel()
    others = {f"{PLACE}/{name}": without_tests(there[name]) if name in WHEELS else there[name] for name in there}
    found = {f"{PLACE}/{wheel}": wheel_content, **others, **_own(f"{PLACE}/{wheel}")}
    version = hashlib.sha256(b"".join(found[path] for path in sorted(found))).hexdigest()[:12]
    parts = {"version": version, "policy": escape(POLICY), "alt": escape(figure(OPENING).described)}
    explorer = {"shows": "explorer", "title": "the Explorer", "first": "first.json"}
    learn = {"shows": "lessons", "title": "Lessons", "first": "lessons.json"}
    return {"index.html": _page(parts | explorer), "lessons.html": _page(parts | learn), **found}


def _page(parts: Mapping[str, str]) -> bytes:
    text = _file("index.html")
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text.encode()


def _own(wheel: str) -> dict[str, bytes]:
    opening = drawing_of_explanation(figure(OPENING).explained())
    return {
        "first.json": _stored(Session().answer(), _settings(wheel, TOKEN, "session")),
        "lessons.json": _stored(lessons.first(), _settings(wheel, lessons.TOKEN, "lessons")),
        "explorer.js": explorer_module(component_data.constants()).encode(),
        "first.svg": opening.svg.encode(),
        "icon.svg": files("hiermeasures").joinpath("app", "icon.svg").read_bytes(),
        **{name: _file(name).encode() for name in OWN},
    }


def _stored(answer: str, settings: Mapping[str, object]) -> bytes:
    """The first picture of a page."""
    first = {"data": json.loads(answer)["data"], "settings": settings}
    return json.dumps(first, ensure_ascii=False, separators=(",", ":")).encode()


def _settings(wheel: str, token: str, module: str) -> dict[str, object]:
    """The settings that page.js gives the worker."""
    abi = PLATFORM.partition("_")[2].removesuffix("_wasm32")
    info = {"abi_version": abi, "arch": "wasm32", "platform": "emscripten", "python": PYTHON, "version": "0"}
    wheels = [*(f"{PLACE}/{name}" for name in WHEELS if name != LATER), wheel]
    begin = {
        "core": PLACE,
        "wheels": wheels,
        "later": f"{PLACE}/{LATER}",
        "lock": json.dumps({"info": info, "packages": {}}),
    }
    return {"token": token, "begin": {**begin, "session": f"hiermeasures.page.{module}"}}


def _file(name: str) -> str:
    return files("hiermeasures.page").joinpath("files", name).read_text("utf-8")


# --- the wheels ---------------------------------------------------------------------------------

FLOORS = ("core", "formats", "measures", "picture", "behaviour", "cases", "lessons", "explorer", "page")
"""Those of our packages that are in it. What of them needs arrays is there and is not imported."""
_MADE = (1980, 1, 1, 0, 0, 0)  # the same wheel of the same files


def own_wheel() -> tuple[str, bytes]:
    """Return the name and the content of a wheel of this package."""
    name = f"hiermeasures-{hiermeasures.__version__}"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: hiermeasures\nVersion: {hiermeasures.__version__}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: hiermeasures\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    top = files("hiermeasures")
    modules = [("hiermeasures/__init__.py", top.joinpath("__init__.py").read_bytes())]
    for floor in FLOORS:
        modules += _python(top.joinpath(floor), f"hiermeasures/{floor}")
    with TemporaryDirectory() as folder:
        write_json(Path(folder))
        modules += [
            (f"hiermeasures/cases/files/{path.relative_to(folder).as_posix()}", path.read_bytes())
            for path in Path(folder).rglob("*")
            if path.is_file()
        ]
    described = ((f"{name}.dist-info/{part}", text.encode()) for part, text in about.items())
    return f"{name}-py3-none-any.whl", _packed([*sorted(modules), *described])


def without_tests(wheel: bytes) -> bytes:
    """Return a wheel without the tests that it brings along."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as inside:
        names = [name for name in inside.namelist() if "tests" not in name.split("/") and not name.endswith("/")]
        return _packed((name, inside.read(name)) for name in names)


def _python(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _python(entry, f"{place}/{entry.name}")
        elif entry.name.endswith((".py", ".json")):
            yield f"{place}/{entry.name}", entry.read_bytes()


def _packed(members: Iterable[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, _MADE), content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


# --- the page on this machine -------------------------------------------------------------------

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
    """A server for this machine only, at any free port for 0; InputError for a taken port."""
    try:
        return ThreadingHTTPServer((THIS_MACHINE, port), partial(Handler, directory=str(folder)))
    except (OSError, OverflowError) as error:
        raise InputError(f"--port {port}: {getattr(error, 'strerror', None) or 'there is no such port'}") from None


def serve(folder: Path, port: int = 0) -> None:
    """Serve a folder until Ctrl+C."""
    with server_of(folder, port) as server:
        print(f"hiermeasures: the page is at http://{THIS_MACHINE}:{server.server_port}/; Ctrl+C ends it", flush=True)
        server.serve_forever()
