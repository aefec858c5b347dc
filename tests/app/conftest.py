"""Fixtures of all tests of the pages."""

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner

from hiermeasures.app import pages


@pytest.fixture(autouse=True, scope="session")
def components_are_looked_for_once() -> Iterator[None]:
    """Every AppTest would read the metadata of all packages to find Streamlit's components."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture
def went(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The places that the app was led to."""
    places: list[Any] = []
    monkeypatch.setattr(pages, "switch_to", lambda *place: places.append(place))
    return places
