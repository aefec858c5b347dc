"""Data that lies beside a module as YAML. Only hosts that have PyYAML read it, which a browser has
not.
"""

from importlib.resources import files
from typing import Any


def data_file(package: str, name: str) -> Any:
    """Return the content of a YAML file of a package."""
    import yaml

    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
