"""Facts for a bug report: versions, the machine, the compiled kernels, and where the case files
are.

Nothing is imported to find a version, and what cannot be found out is said in its place: this must
work where much else does not.
"""

import os
import platform
import re
import sys
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import hiermeasures
from hiermeasures.core.extras import EXTRAS, is_installed

_PACKAGE = Path(__file__).resolve().parent
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")


def info() -> dict[str, Any]:
    """Versions, cores, kernels and places, as plain data.

    Returns
    -------
    dict
        "hiermeasures", "folder", "python", "platform", "cores" (those that this process may use,
        and all), "packages" (version by name, None where one is missing), "extras" (the same for
        each extra), "kernels" and "cases". An entry that cannot be found out is a text that begins
        with "unknown".

    Examples
    --------
    >>> info()["hiermeasures"] == hiermeasures.__version__
    True
    """
    needed = _known(_requirements)
    told = needed if isinstance(needed, str) else None
    return {
        "hiermeasures": hiermeasures.__version__,
        "folder": _place(_PACKAGE),
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "executable": _place(Path(sys.executable)),
        "platform": _known(platform.platform),
        "cores": _known(_cores),
        "packages": told or _versions(needed[""]),
        "extras": told or {extra: _versions(needed.get(extra, ())) for extra in EXTRAS},
        "kernels": _known(_kernels),
        "cases": _known(_cases),
    }


def info_lines(found: dict[str, Any]) -> list[str]:
    """The same for people, a line for each entry and each package."""
    cores, kernels, cases = found["cores"], found["kernels"], found["cases"]
    if isinstance(cores, dict):
        cores = f"{cores['usable']} of {cores['all']}"
    if isinstance(kernels, dict):
        kernels = _kernel_words(kernels)
    if isinstance(cases, dict):
        cases = f"{cases['sources']} papers and tools in {cases['folder']}"
    lines = [
        ("hiermeasures", f"{found['hiermeasures']} in {found['folder']}"),
        ("Python", f"{found['python']}, {found['executable']}"),
        ("platform", found["platform"]),
        ("cores", cores),
        ("kernels", kernels),
        ("cases", cases),
        *_package_lines("packages", found["packages"]),
    ]
    extras = found["extras"]
    for extra, versions in extras.items() if isinstance(extras, dict) else ():
        lines += _package_lines(f"extra {extra}", versions)
    return [f"{name:15}{words}" for name, words in lines]


def _kernel_words(kernels: dict[str, Any]) -> str:
    if not is_installed("fast"):
        return "none, for numba is not installed (extra fast): explain evaluates"
    if kernels["folder"] is None:
        return "compiled anew by each process, for no folder can be written"
    if not kernels["compiled"]:
        return f"not compiled yet; they will be kept in {kernels['folder']}"
    size = f"{kernels['bytes'] / 1e6:.1f} MB in {kernels['folder']}"
    return f"{kernels['functions']} of {kernels['of']} functions compiled, {size}"


def _package_lines(title: str, versions: Any) -> list[tuple[str, str]]:
    if not isinstance(versions, dict):
        return [(title, versions)]
    words = [f"{name} {version or 'is not installed'}" for name, version in versions.items()]
    return [(title if k == 0 else "", word) for k, word in enumerate(words)]


def _known(find: Callable[[], Any]) -> Any:
    """Return what is found, or why it is not."""
    try:
        return find()
    except Exception as fault:  # whatever is broken is what the report is about
        return f"unknown ({type(fault).__name__}: {' '.join(str(fault).split())})"


def _place(path: Path) -> str:
    """A path, without the name of the person whose home it is in."""
    try:
        return str(Path("~", path.relative_to(Path.home())))
    except (ValueError, RuntimeError):
        return str(path)


def _cores() -> dict[str, int]:
    every = os.cpu_count() or 1
    return {"usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else every, "all": every}


def _kernels() -> dict[str, Any]:
    from hiermeasures.engine.kernel_cache import kernel_cache

    kept = kernel_cache()
    folder = _place(kept.folder) if kept.folder else None
    counts = {"compiled": kept.compiled, "functions": kept.functions, "of": kept.of, "bytes": kept.size}
    return {**counts, "folder": folder}


def _cases() -> dict[str, Any]:
    from hiermeasures.cases.library import default_folder

    folder = default_folder()
    return {"folder": _place(folder), "sources": len(list(folder.glob("*/paper.yaml")))}


def _versions(names: tuple[str, ...]) -> dict[str, str | None]:
    """The version of each package that is installed, and None for others."""
    found: dict[str, str | None] = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def _requirements() -> dict[str, tuple[str, ...]]:
    """The names of the packages that are needed, by extra ("" for all)."""
    declared = _PACKAGE.with_name("pyproject.toml")
    if declared.exists():
        project = tomllib.loads(declared.read_text("utf-8"))["project"]
        by_extra = {"": project["dependencies"], **project["optional-dependencies"]}
        return {extra: tuple(map(_name, lines)) for extra, lines in by_extra.items()}
    found: dict[str, tuple[str, ...]] = {"": ()}
    for line in metadata.requires("hiermeasures") or ():
        extra = _EXTRA.search(line)
        key = extra.group(1) if extra else ""
        found[key] = (*found.get(key, ()), _name(line))
    return found


def _name(requirement: str) -> str:
    found = _NAME.match(requirement)
    return found.group() if found else requirement
