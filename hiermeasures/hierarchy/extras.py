"""Optional packages, and the error message if one is missing.

`pip install hiermeasures` installs the library and the command line. pyproject.toml declares the
packages and versions of each extra. This module lists only the packages that our code imports
itself.
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
"""The modules of each extra, by the names under which they are imported."""


class MissingExtra(InputError, ImportError):
    """A package that is not installed. The message names the extra that installs it."""


def require(extra: str, what: str, *modules: str) -> None:
    """Raise MissingExtra unless an extra is installed. It imports nothing.

    Parameters
    ----------
    extra : str
        A key of `EXTRAS`.
    what : str
        What needs it, for the message.
    modules : str
        Those of its modules that are needed; by default all.

    Raises
    ------
    MissingExtra
        An InputError and an ImportError in one, where one of the modules is missing.

    Examples
    --------
    >>> require("app", "the Explorer", "no_such_module")
    Traceback (most recent call last):
    hiermeasures.hierarchy.extras.MissingExtra: the Explorer needs the extra 'app': ...
    """
    if any(find_spec(module) is None for module in modules or EXTRAS[extra]):
        raise MissingExtra(f"{what} needs the extra {extra!r}: {install_command(extra)}")


def is_installed(extra: str) -> bool:
    """Return whether every module of an extra can be imported. It imports nothing."""
    return all(find_spec(module) for module in EXTRAS[extra])


def install_command(extra: str) -> str:
    """Return the command that installs an extra from the source that hiermeasures came from.

    pip writes a folder, a file or a repository into `direct_url.json` (PEP 610), and nothing for an
    index. An editable folder also has metadata, without that file.
    """
    import json  # these take longer to import than all of the library
    from importlib.metadata import distributions

    # a checkout on Python's path
    note = json.dumps({"url": Path(__file__).resolve().parents[2].as_uri()})
    for found in distributions(name="hiermeasures"):
        told = found.read_text("direct_url.json")
        if told or found.read_text("RECORD"):  # of what pip installed, the first on the path
            note = told or "{}"
            break
    return command_from(extra, json.loads(note))


def command_from(extra: str, origin: Mapping[str, Any]) -> str:
    """Return the command for the content of a `direct_url.json`. An empty text means an index.

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
            return f"install hiermeasures as before, with [{extra}] behind the name of its folder or wheel"
        editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
        return f"pip install {editable}{quote(f'{path}[{extra}]')}"
    elif url:
        name += f" @ {url}"
    return f"pip install {quote(name)}"
