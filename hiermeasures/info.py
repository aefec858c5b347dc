"""Facts for a bug report: versions, the machine, the compiled kernels, and the case files.

The report finds versions without imports, and names the facts that it cannot find. So it works even
in a broken installation.
"""

import os
import platform
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import hiermeasures
from hiermeasures.hierarchy.extras import EXTRAS, is_installed

_REQUIREMENT = re.compile(r"""([A-Za-z0-9._-]+).*?(?:extra\s*==\s*["']([\w-]+)["'])?$""")


def info() -> dict[str, Any]:
    """Return versions, cores, kernels and places as plain data.

    Returns
    -------
    dict
        "hiermeasures", "folder", "python", "platform", "cores" (the usable ones and all),
        "packages" (the version of each, or None if it is missing), "extras" (packages of each
        extra), "kernels" and "cases". An entry that cannot be found is a text that begins with
        "unknown".

    See Also
    --------
    info_lines : The facts as text.

    Examples
    --------
    >>> info()["hiermeasures"] == hiermeasures.__version__
    True
    """
    needed = _known(_requirements)
    told = needed if isinstance(needed, str) else None
    return {
        "hiermeasures": hiermeasures.__version__,
        "folder": _place(Path(__file__).resolve().parent),
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
    """Return the facts as lines of text, one for each entry and each package."""
    cores, kernels, cases = found["cores"], found["kernels"], found["cases"]
    lines = [
        ("hiermeasures", f"{found['hiermeasures']} in {found['folder']}"),
        ("Python", f"{found['python']}, {found['executable']}"),
        ("platform", found["platform"]),
        ("cores", cores if isinstance(cores, str) else f"{cores['usable']} of {cores['all']}"),
        ("kernels", kernels if isinstance(kernels, str) else _kernel_words(kernels)),
        (
            "cases",
            cases
            if isinstance(cases, str)
            else f"{cases['sources']} papers and tools in {cases['folder']}",
        ),
    ]
    extras = found["extras"]
    named = (
        {}
        if isinstance(extras, str)
        else {f"extra {extra}": versions for extra, versions in extras.items()}
    )
    for title, versions in {"packages": found["packages"], **named}.items():
        words = [versions] if isinstance(versions, str) else [
            f"{name} {version or 'is not installed'}" for name, version in versions.items()
        ]  # fmt: skip
        lines += [(title if k == 0 else "", word) for k, word in enumerate(words)]
    return [f"{name:15}{words}" for name, words in lines]


def _kernel_words(kernels: dict[str, Any]) -> str:
    if not is_installed("fast"):
        return (
            "not available, because numba (extra fast) is not installed. explain evaluates instead."
        )
    if kernels["folder"] is None:
        return "compiled again by each process, because no folder is writable"
    if not kernels["compiled"]:
        return f"not compiled yet. They will be kept in {kernels['folder']}"
    size = f"{kernels['bytes'] / 1e6:.1f} MB in {kernels['folder']}"
    return f"{kernels['functions']} of {kernels['of']} functions compiled, {size}"


def _known(find: Callable[[], Any]) -> Any:
    """Return the result of a function, or the reason why it failed."""
    try:
        return find()
    except Exception as fault:  # the report must show what is broken
        return f"unknown ({type(fault).__name__}: {' '.join(str(fault).split())})"


def _place(path: Path) -> str:
    """Return a path with the home folder shortened, to hide the person's name."""
    try:
        return str(Path("~", path.relative_to(Path.home())))
    except (ValueError, RuntimeError):
        return str(path)


def _cores() -> dict[str, int]:
    from hiermeasures.evaluation.batch import available_cores

    return {"usable": available_cores(), "all": os.cpu_count() or 1}


def _kernels() -> dict[str, Any]:
    from hiermeasures.evaluation.kernel_cache import kept_kernels

    kept = kept_kernels()
    return {**kept, "folder": _place(kept["folder"]) if kept["folder"] else None}


def _cases() -> dict[str, Any]:
    from hiermeasures.verify.library import default_folder

    folder = default_folder()
    return {"folder": _place(folder), "sources": len(list(folder.glob("*/paper.yaml")))}


def _versions(names: Iterable[str]) -> dict[str, str | None]:
    """Return the version of each installed package, and None for others."""
    found: dict[str, str | None] = dict.fromkeys(names)
    for name in found:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _requirements() -> dict[str, list[str]]:
    """Return the names of required packages by extra ("" for the base install)."""
    found: dict[str, list[str]] = {"": []}
    for needed in filter(None, map(_REQUIREMENT.match, metadata.requires("hiermeasures") or ())):
        found.setdefault(needed[2] or "", []).append(needed[1])
    return found
