"""The fixture of the pages' tests, which some tests here need."""

from tests.app.conftest import components_are_looked_for_once

__all__ = ["components_are_looked_for_once"]
