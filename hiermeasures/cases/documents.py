"""Case files as documents, read from YAML or from JSON that was made of it where there is no
PyYAML, as in a browser.

Beside each place at which a YAML file would be, its JSON has the name of the file and `.json`.
There an entry is its line, counted from 0, and its content.
"""

import json
import re
from pathlib import Path
from typing import Any

from hiermeasures.cases.reading import MAX_BYTES, NO_TEXT, Document, Misplaced, Place
from hiermeasures.core.errors import InputError
from hiermeasures.formats.json_text import parse
from hiermeasures.formats.source import Limits, Source

LESSONS = "lessons"  # the folder of lessons, in which there are no cases
TOO_LARGE = f"the file is larger than {MAX_BYTES // 1000} kB"
_JSON = ".yaml.json"


def default_folder() -> Path:
    """The folder of the cases that come with the project: beside the package in a checkout, inside
    it when installed.

    Raises
    ------
    InputError
        Where neither is found.
    """
    here = Path(__file__).resolve().parent
    for folder in (here.parents[1] / "cases", here / "files"):
        if any(folder.glob("*/paper.yaml*")):
            return folder
    raise InputError("the case files that come with hiermeasures are not where it was installed")


def yaml_files(top: Path) -> list[Path]:
    """Return the YAML files in and below a folder, figure-2 before figure-11; also those that are
    there as JSON.
    """
    found = [path for path in top.rglob("*") if path.suffix in (".yaml", ".yml") and path.is_file()]
    stored = [path.with_suffix("") for path in top.rglob(f"*{_JSON}")]
    return sorted({*found, *stored}, key=_natural)


def read_document(path: Path, name: str) -> Document:
    """Read one YAML file, or the JSON that stands for it.

    Raises
    ------
    Misplaced
        For a file that cannot be read, is no YAML or is larger or deeper than is read; `loc` is
        then the line, as in ``("line", 3)``.
    """
    try:
        if not path.exists() and (stored := path.with_suffix(_JSON)).exists():
            return Document(path, name, *_entries(stored.read_bytes()))
        if path.stat().st_size > MAX_BYTES:
            raise Misplaced((), TOO_LARGE)
        return document_of(path.read_bytes(), path, name)
    except OSError as error:
        raise Misplaced((), f"cannot be read: {error.strerror}") from None


def document_of(content: bytes, path: Path, name: str) -> Document:
    """Read a file's content; only the stem of `path` is used."""
    if len(content) > MAX_BYTES:
        raise Misplaced((), TOO_LARGE)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Misplaced((), NO_TEXT) from None
    try:
        from hiermeasures.cases.yaml_text import entries_of
    except ModuleNotFoundError:
        return Document(path, name, _json_alone(text), Place(0))
    return Document(path, name, *entries_of(text))


def entries_of_file(content: bytes, name: str) -> Any:
    """Return the entries of a file, as `document_of` reads it; for the sandbox."""
    return document_of(content, Path(name), name).data


def _json_alone(text: str) -> Any:
    """The data of a file that was saved where there is no PyYAML, which is read there again."""
    if not text.lstrip().startswith("{"):
        instead = "save it as JSON, or open it in the app, hiermeasures app"
        raise Misplaced((), f"YAML is not read here, where there is no PyYAML; {instead}")
    try:
        return parse(text, Source(), Limits(bytes=MAX_BYTES, lines=MAX_BYTES, nesting=30))
    except InputError as error:
        raise Misplaced((), str(error)) from None


def write_json(folder: Path) -> None:
    """Write the case files and lessons that come with the project as JSON into a folder, which then
    can be the folder of cases where there is no PyYAML.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     write_json(Path(made))
    ...     read_document(Path(made, "falis2021", "paper.yaml"), "paper.yaml").data["name"]
    'Falis et al. 2021'
    """
    top = default_folder()
    for path in yaml_files(top):
        document = read_document(path, path.name)
        stored = (folder / path.relative_to(top)).with_suffix(_JSON)
        stored.parent.mkdir(parents=True, exist_ok=True)
        packed = json.dumps(_packed(document.data, document.place), ensure_ascii=False, separators=(",", ":"))
        stored.write_text(packed, "utf-8")


def _packed(data: Any, place: Place) -> list[Any]:
    if isinstance(data, dict):
        return [place.line, {key: _packed(value, place.inside[key]) for key, value in data.items()}]
    if isinstance(data, list):
        return [place.line, [_packed(value, place.inside[k]) for k, value in enumerate(data)]]
    return [place.line, data]


def _entries(stored: bytes) -> tuple[Any, Place]:
    try:
        return _unpacked(json.loads(stored))
    except (TypeError, ValueError, RecursionError):
        raise Misplaced((), "the JSON that stands for it is no case file") from None


def _unpacked(packed: list[Any]) -> tuple[Any, Place]:
    line, content = packed
    if isinstance(content, str):
        return content, Place(int(line))
    pairs = content.items() if isinstance(content, dict) else enumerate(content)
    inside = {key: _unpacked(value) for key, value in pairs}
    data = {key: value for key, (value, _) in inside.items()}
    places: dict[str | int, Place] = {key: place for key, (_, place) in inside.items()}
    return data if isinstance(content, dict) else list(data.values()), Place(int(line), places)


def _natural(path: Path) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
    parts = re.split(r"([0-9]+)", path.stem)
    return path.parent.parts, [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
