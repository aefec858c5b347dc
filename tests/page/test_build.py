"""The folder of the page: everything in it is relative, nothing in it asks elsewhere, and its wheel
has no more than it needs. What is not ours is made up here; tests/browser/test_page.py has the real
page.
"""

import hashlib
import io
import json
import os
import re
import stat
import subprocess
import sys
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hiermeasures import InputError
from hiermeasures.cli import main
from hiermeasures.page import build
from hiermeasures.page.build import (
    HEADERS,
    PLACE,
    POLICY,
    TYPES,
    downloaded,
    own_wheel,
    server_of,
    without_tests,
    write_page,
)


def wheel(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return packed.getvalue()


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pyodide")
    for name in build.NEEDED:
        (folder / name).write_bytes(
            wheel(some__code="1", some__tests__more="2") if name in build.WHEELS else b"core"
        )
    return folder


@pytest.fixture(scope="module")
def page(given: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    digests = {
        name: hashlib.sha256((given / name).read_bytes()).hexdigest() for name in build.NEEDED
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "NEEDED", digests)
        folder = tmp_path_factory.mktemp("page")
        write_page(folder, given)
        yield folder


class Elements(HTMLParser):
    """The elements of a page, with their attributes and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found:
            self.texts[self.found[-1][0]] = self.texts.get(self.found[-1][0], "") + data


def test_every_address_in_it_is_relative_and_there(page: Path) -> None:
    elements = Elements((page / "index.html").read_text("utf-8")).found
    addresses = [
        value
        for _, found in elements
        for name, value in found.items()
        if name in ("href", "src") and value
    ]
    assert len(addresses) >= 5
    for address in addresses:
        assert re.fullmatch(r"[\w.-]+(\?[0-9a-f]{12})?", address)
        assert (page / address.partition("?")[0]).is_file()


def test_no_script_or_style_stands_in_the_page_itself(page: Path) -> None:
    elements = Elements((page / "index.html").read_text("utf-8"))
    assert not elements.texts.get("script", "").strip()
    assert "style" not in dict(elements.found)
    assert not any(
        name == "style" or name.startswith("on") for _, found in elements.found for name in found
    )


def test_the_policy_allows_webassembly_and_nothing_else_unsafe(page: Path) -> None:
    elements = Elements((page / "index.html").read_text("utf-8")).found
    (policy,) = (
        found["content"]
        for _, found in elements
        if found.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy == POLICY
    assert [word for word in POLICY.replace(";", " ").split() if "unsafe" in word] == [
        "'wasm-unsafe-eval'"
    ]
    assert not re.search(r"https?:|\*", POLICY)


def test_what_the_worker_loads_is_there(page: Path) -> None:
    begin = json.loads((page / "first.json").read_text("utf-8"))["settings"]["begin"]
    assert {(page / path).is_file() for path in (*begin["wheels"], begin["later"])} == {True}
    assert [path for path in begin["wheels"] if "networkx" in path] == []


def test_the_version_is_of_all_that_is_in_it(
    page: Path, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(folder: Path) -> str | None:
        return Elements((folder / "index.html").read_text("utf-8")).found[0][1]["data-version"]

    write_page(tmp_path / "same", given)
    assert version(tmp_path / "same") == version(page)
    original = build._file
    monkeypatch.setattr(
        build, "_file", lambda name: original(name) + ("/* new */" if name == "page.css" else "")
    )
    write_page(tmp_path / "new", given)
    assert version(tmp_path / "new") != version(page)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, given: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years")
    with pytest.raises(InputError, match="contains other files"):
        write_page(tmp_path, given)
    with pytest.raises(InputError, match="is a file"):
        write_page(tmp_path / "thesis.tex", given)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_page_is_written_anew_where_one_was(page: Path, given: Path) -> None:
    (page / "page.js").write_text("old")
    (page / PLACE / "hiermeasures-0.0.1-py3-none-any.whl").write_text("old")
    write_page(page, given)
    assert not (page / PLACE / "hiermeasures-0.0.1-py3-none-any.whl").exists()
    assert (page / "page.js").read_text("utf-8") != "old"


# --- wheels -------------------------------------------------------------------------------------


def test_our_wheel_has_the_cases_as_json_and_nothing_of_app_or_engine() -> None:
    name, content = own_wheel()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
    assert re.fullmatch(r"hiermeasures-[\d.]+-py3-none-any\.whl", name)
    assert "hiermeasures/verify/files/kosmopoulos2015/figure-11.yaml.json" in names
    assert not [n for n in names if n.split("/")[1] in ("app", "evaluation", "cli", "notebook")]
    assert len(names) == len(set(names))


ABSENT = (
    "numpy",
    "scipy",
    "pandas",
    "numba",
    "rapidfuzz",
    "yaml",
    "pyvis",
    "defusedxml",
    "pyarrow",
    "segno",
)
ABSENT += ("rdflib", "streamlit", "plotly", "anywidget", "ipywidgets")
# Opens what there is to open, and says where it stumbles.
ALL_OF_IT = """
import json, sys
sys.path.insert(0, sys.argv[1])
sys.modules.update(dict.fromkeys(json.loads(sys.argv[2])))
from hiermeasures.teach.library import own_keys, own_lesson
from hiermeasures.page.session import Session, first, start
session, number = Session("page", "https://example.org/#"), 0
def put(key, value=None):
    global number
    number += 1
    gesture = {"number": number, "model": "explorer", "key": key, "value": value}
    return json.loads(session.received(json.dumps({"session": "page", "gestures": [gesture]})))
def controls(parts):
    for part in parts:
        yield part
        yield from controls(part.get("parts", []))
first_answer = put("paper_tools", True)
words = next(c["words"] for c in controls(first_answer["data"]["areas"]) if c.get("key") == "view")
used = 0
for view in range(8):
    put("view", {"place": view, "word": words[view]})
    answer = put("all_measures")
    for menu in [c["key"] for c in controls(answer["data"]["areas"]) if c["kind"] == "menu"]:
        opened = put(menu, True)
        used += sum(c["kind"] == "menu" and c.get("open", False) for c in controls(opened["data"]["areas"]))
        put(menu, False)
assert used >= 32, used
assert json.loads(session.answer())["data"]["seen"] == number
told = {"data": json.loads(first()["lessons"])["data"], "address": ""}
lessons = start(lambda: None)
lessons.begin("lessons", "t", json.dumps(told))
for at in (f"lesson={k}&card={card}{more}" for k, key in enumerate(own_keys())
           for card in range(1, 1 + len(own_lesson(key).cards))
           for more in ("", "&present=1", "&present=1&revealed=1")):
    word = json.loads(lessons.opened("lessons", at))["word"]
    assert word == at, word
"""


def test_our_wheel_alone_draws_every_view_and_every_card_and_opens_every_menu(
    tmp_path: Path,
) -> None:
    """With pydantic, networkx and latex2mathml, and nothing without a Pyodide wheel."""
    with zipfile.ZipFile(io.BytesIO(own_wheel()[1])) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-I", "-c", ALL_OF_IT, str(tmp_path), json.dumps(ABSENT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_wheel_loses_its_tests_and_nothing_else() -> None:
    whole = wheel(some__code="1", some__tests__test_code="2", some__latest="3", tests__more="4")
    with zipfile.ZipFile(io.BytesIO(without_tests(whole))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "some/code": b"1",
            "some/latest": b"3",
        }


# --- the command --------------------------------------------------------------------------------


def test_the_command_says_what_each_file_takes_on_its_way(
    page: Path, given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["page", "--out", str(out), "--pyodide", str(given)]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    sizes = {path: int(size.replace(",", "")) for size, path in (line.split() for line in lines)}
    assert sizes.keys() == {
        path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()
    }
    assert last.split()[0] == f"{sum(sizes.values()):,}"
    assert main(["page", "--out", str(tmp_path), "--pyodide", "nowhere"]) == 2
    why = f"{str(tmp_path)!r} contains other files. Give an empty folder as --out."
    assert capsys.readouterr().err == f"hiermeasures: {why}\n"


# --- the server ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(page: Path) -> Iterator[str]:
    with server_of(page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", "text/html; charset=utf-8"),
        ("page.js", "text/javascript; charset=utf-8"),
        (f"{PLACE}/pyodide.mjs", "text/javascript; charset=utf-8"),
        (f"{PLACE}/pyodide.asm.wasm", "application/wasm"),
        ("first.json", "application/json"),
        ("first.svg", "image/svg+xml"),
    ],
)
def test_the_server_says_what_a_file_is_and_how_it_may_be_used(
    address: str, path: str, kind: str
) -> None:
    with urllib.request.urlopen(f"{address}/{path}") as answer:
        assert answer.headers["Content-Type"] == kind
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


DEPLOY = (Path(__file__).resolve().parents[2] / "docs" / "deploy.md").read_text("utf-8")


def test_the_docs_about_static_hosts_say_what_this_server_does() -> None:
    (block,) = (
        b
        for b in re.findall(r"```text\n(.*?)```", DEPLOY, re.DOTALL)
        if "Content-Security-Policy" in b
    )
    assert dict(line.split(": ", 1) for line in block.strip().splitlines()) == HEADERS
    rows = re.findall(r"^\| ((?:`\.\w+`(?:, )?)+) \| `([^`]+)` \|$", DEPLOY, re.MULTILINE)
    assert {
        ending: kind for endings, kind in rows for ending in re.findall(r"\.\w+", endings)
    } == TYPES


def test_a_port_that_cannot_be_is_said() -> None:
    with pytest.raises(InputError, match="--port 70000"):
        server_of(Path(), 70_000)
    with (
        server_of(Path()) as server,
        pytest.raises(InputError, match=f"--port {server.server_port}"),
    ):
        server_of(Path(), server.server_port)


# --- what is not ours -----------------------------------------------------------------------------


FILES = {"pyodide.mjs": b"export", "networkx-3.7-py3-none-any.whl": b"PK"}


@pytest.fixture
def complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all that is needed, as far as these tests go."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    monkeypatch.setattr(build, "NEEDED", digests)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(build, "user_caches", lambda: tmp_path)
    return tmp_path


def test_a_missing_file_is_named(complete: Path) -> None:
    (complete / "pyodide.mjs").unlink()
    with pytest.raises(InputError, match=r"needs pyodide\.mjs"):
        downloaded(complete)


def test_a_changed_file_is_refused(complete: Path) -> None:
    (complete / "pyodide.mjs").write_bytes(b"export evil")
    with pytest.raises(InputError, match=r" is not the pyodide\.mjs of .*: its SHA-256 differs"):
        downloaded(complete)


def test_without_npm_the_extra_is_named(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"npm is missing.* 'page' .*\[page\]'.*--pyodide"):
        downloaded()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for npm")
def test_npm_that_fails_is_quoted_in_one_line(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = empty_cache / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(
        "#!/bin/sh\necho 'npm error network' >&2\necho 'npm error nobody answers' >&2\nexit 1\n"
    )
    npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(
        build.Unreachable, match=r"^npm cannot fetch Pyodide .*: npm error nobody answers\..* --py"
    ):
        downloaded()
    assert not list((empty_cache / "hiermeasures").glob("*/*"))  # nothing half done is left
