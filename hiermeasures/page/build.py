"""Write the page: a folder of static files that any host of them serves as they are. All paths in
it are relative.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from hiermeasures.core.errors import InputError, shown
from hiermeasures.explorer import graph_data, values
from hiermeasures.explorer.library import OPENING, figure
from hiermeasures.explorer.parts import explorer_module
from hiermeasures.page import lessons
from hiermeasures.page.downloads import PLATFORM, PYODIDE, PYTHON, WHEELS, downloaded
from hiermeasures.page.session import TOKEN, Session
from hiermeasures.page.wheels import own_wheel, without_tests
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
    """Write the page into a folder, and return what was written.

    Parameters
    ----------
    folder : Path
        Made where it is not there. Files of a page that was there before are replaced.
    pyodide : Path, optional
        A folder that has Pyodide's core and the wheels; by default they are fetched once and kept
        (downloads.py).

    Raises
    ------
    InputError
        For a folder that holds something else, and where Pyodide's files cannot be had.
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
    """Every file by its path. The version of all that is ours is part of the addresses, so that a
    browser does not mix those of two.
    """
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
        "explorer.js": explorer_module(graph_data.constants() + values.constants()).encode(),
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
