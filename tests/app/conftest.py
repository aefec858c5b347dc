"""What all tests of the pages share."""

from collections.abc import Iterator

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(autouse=True, scope="session")
def components_are_looked_for_once() -> Iterator[None]:
    """Every AppTest would read what each installed package says of itself, to find components of Streamlit's."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield
