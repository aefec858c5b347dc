"""Build steps for wheels and source distributions.

They copy the folder cases/ and the app's entry with its settings into the wheel. They also turn the
links of README into full addresses, because package indexes need them. Only setuptools imports this
module.
"""

import re
from pathlib import Path

from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

COPIED = {
    "cases": "hiermeasures/verify/files",  # as hiermeasures.verify.library looks for them
    "app.py": "hiermeasures/app/entry/app.py",  # and hiermeasures.app.server for these
    ".streamlit/config.toml": "hiermeasures/app/entry/.streamlit/config.toml",
}


class BuildWithFiles(build_py):  # type: ignore[misc]
    """A build step that copies the Python code and then the other files."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:  # an editable install reads the checkout's own
            for source, target in self._beside().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def get_source_files(self) -> list[str]:
        """List the files of a source distribution."""
        return [*super().get_source_files(), *self._beside()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *self._beside().values()]

    def _beside(self) -> dict[str, str]:
        """List every copied file with its place in the wheel."""
        return {
            str(file): str(Path(self.build_lib, target, file.relative_to(source)))
            for source, target in COPIED.items()
            for file in sorted([Path(source), *Path(source).rglob("*")])
            if file.is_file()
        }


class InfoWithAddresses(egg_info):  # type: ignore[misc]
    """A build step that writes the metadata, with full addresses in the long description."""

    def run(self) -> None:
        told = self.distribution.metadata
        if told.long_description:
            repository = told.project_urls["Repository"]
            told.long_description = with_addresses(
                told.long_description, repository, f"v{told.version}"
            )
        super().run()


def with_addresses(readme: str, repository: str, revision: str) -> str:
    """Return README with full addresses instead of paths in the repository.

    Examples
    --------
    >>> with_addresses("![a](docs/a.png) [b](b.md#c) [d](https://d.org)", "https://e.org", "v1")
    '![a](https://e.org/raw/v1/docs/a.png) [b](https://e.org/blob/v1/b.md#c) [d](https://d.org)'
    """

    def addressed(found: re.Match[str]) -> str:
        before, path = found.groups()
        kind = "raw" if path.endswith((".png", ".svg")) else "blob"
        return f"{before}{repository}/{kind}/{revision}/{path}"

    return re.sub(r"""(\]\(|src="|srcset=")(?![a-z]+:|#|/)([^)"\s]+)""", addressed, readme)
