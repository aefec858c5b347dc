"""The build step that puts the folder cases/ of a checkout, whatever is in it, into the installed package.

Only setuptools imports this module, while a wheel or a source distribution is built.
"""

from pathlib import Path

from setuptools.command.build_py import build_py

FOLDER = Path("cases")
INSTALLED = Path("hiermeasures", "cases", "files")


class BuildWithCases(build_py):  # type: ignore[misc]
    """Copies the Python code as usual, and then every case file."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:  # an editable install reads the checkout's own
            for source, target in self._case_files().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def get_source_files(self) -> list[str]:
        """What a source distribution holds."""
        return [*super().get_source_files(), *self._case_files()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *self._case_files().values()]

    def _case_files(self) -> dict[str, str]:
        files = sorted(file for file in FOLDER.rglob("*") if file.is_file())
        return {str(file): str(Path(self.build_lib, INSTALLED, file.relative_to(FOLDER))) for file in files}
