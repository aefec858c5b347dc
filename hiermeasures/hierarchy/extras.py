"""Optional packages, and the error for a package that is not installed.

`pip install hiermeasures` installs the library and the command line. pyproject.toml declares the
packages and versions of each extra. This module lists only the packages that our code imports.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hiermeasures.hierarchy.errors import InputError

EXTRAS = {
    "app": (
        *("streamlit", "pyvis", "plotly", "segno", "latex2mathml"),
        *("pandas", "pyarrow", "scipy"),
    ),
    "cluster": ("dask", "distributed", "pandas", "pyarrow", "scipy"),
    "compare": ("pandas", "scipy"),
    "fast": ("numba",),
    "files": ("pyarrow", "rdflib"),
    "notebook": ("anywidget", "latex2mathml", "pyvis"),
    "page": ("latex2mathml", "pyvis"),
    "plots": ("pandas", "plotly", "scipy"),
}
"""The modules that the code of each extra imports."""


class MissingExtra(InputError, ImportError):
    """An error for a package that is not installed. The message names its extra."""


def require(extra: str, what: str, *modules: str) -> None:
    """Raise MissingExtra if an extra is not installed. It does not import the modules.

    Parameters
    ----------
    extra : str
        A key of `EXTRAS`.
    what : str
        The feature that needs the extra, for the message.
    modules : str
        The modules that the feature needs. By default all modules of the extra.

    Raises
    ------
    MissingExtra
        If a module is not installed. It is an InputError and an ImportError.

    Examples
    --------
    >>> require("app", "the Explorer", "no_such_module")
    Traceback (most recent call last):
    hiermeasures.hierarchy.extras.MissingExtra: the Explorer needs the extra 'app': ...
    """
    if any(find_spec(module) is None for module in modules or EXTRAS[extra]):
        raise MissingExtra(f"{what} needs the extra {extra!r}: {install_command(extra)}")


def is_installed(extra: str) -> bool:
    """Return whether every module of an extra is installed. It does not import them."""
    return all(find_spec(module) for module in EXTRAS[extra])


def install_command(extra: str) -> str:
    """Return the command that installs an extra from the same source as hiermeasures.

    If the source is a folder, a file or a repository, pip writes it into `direct_url.json`
    (PEP 610). For an index this file is missing. An editable folder has a second set of metadata
    without this file.
    """
    import json  # these two take longer to import than the whole library
    from importlib.metadata import distributions

    # the default: a checkout on Python's path
    note = json.dumps({"url": Path(__file__).resolve().parents[2].as_uri()})
    for found in distributions(name="hiermeasures"):
        told = found.read_text("direct_url.json")
        if told or found.read_text("RECORD"):  # the first one on the path that pip installed
            note = told or "{}"
            break
    return command_from(extra, json.loads(note))


def command_from(extra: str, origin: Mapping[str, Any]) -> str:
    """Return the install command for the content of a `direct_url.json`.

    An empty mapping means a package index.

    >>> command_from("app", {})
    "pip install 'hiermeasures[app]'"
    >>> command_from("app", {"url": "https://example.org/h.git", "vcs_info": {"vcs": "git"}})
    "pip install 'hiermeasures[app] @ git+https://example.org/h.git'"
    """
    from shlex import quote
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    name, url = f"hiermeasures[{extra}]", origin.get("url", "")
    if vcs := origin.get("vcs_info"):
        revision = f"@{vcs['requested_revision']}" if "requested_revision" in vcs else ""
        name += f" @ {vcs['vcs']}+{url}{revision}"
    elif url.startswith("file:"):
        path = url2pathname(urlsplit(url).path)
        if not Path(path).exists():
            return f"install hiermeasures as before, and add [{extra}] to the name of its folder or wheel"
        editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
        return f"pip install {editable}{quote(f'{path}[{extra}]')}"
    elif url:
        name += f" @ {url}"
    return f"pip install {quote(name)}"
