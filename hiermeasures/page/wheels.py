"""The wheels that Python loads on the page: our own, of the floors that need no arrays and with the
case files as JSON, and those of others without their tests.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory

import hiermeasures
from hiermeasures.cases.library import write_json

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
