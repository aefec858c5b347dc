"""A package that imports its public names when they are first asked for, with what they need."""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def lazy_package(package: str, places: Mapping[str, str]) -> None:
    """Let a package have public names, each from the module in it that `places` gives, and the
    modules in it; both are imported when they are asked for.
    """

    class LazyPackage(ModuleType):
        def __getattr__(self, name: str) -> Any:
            if name in places:
                found = getattr(import_module(f"{package}.{places[name]}"), name)
                setattr(self, name, found)
                return found
            if name.startswith("_") or not find_spec(f"{package}.{name}"):
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            return import_module(f"{package}.{name}")

        def __setattr__(self, name: str, value: Any) -> None:
            """Python gives a package the modules in it as attributes; of one name, here the
            function is meant.
            """
            if not (name in places and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

        def __dir__(self) -> list[str]:
            return sorted({*super().__dir__(), *self.__all__})

    sys.modules[package].__class__ = LazyPackage
