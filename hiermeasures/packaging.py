"""Build step that copies the folder cases/ and the app's entry with its settings into the wheel.

Only setuptools imports this module, while a wheel or a source distribution is built.
"""

from pathlib import Path

from setuptools.command.build_py import build_py

COPIED = {
    "cases": "hiermeasures/cases/files",  # as hiermeasures.cases.library looks for them
    "app.py": "hiermeasures/app/entry/app.py",  # and hiermeasures.app.launch for these
    ".streamlit/config.toml": "hiermeasures/app/entry/.streamlit/config.toml",
}


class BuildWithFiles(build_py):  # type: ignore[misc]
    """Copies the Python code as usual, and then the rest."""

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
        """List every file that is copied, with its place in the wheel."""
        return {
            str(file): str(Path(self.build_lib, target, file.relative_to(source)))
            for source, target in COPIED.items()
            for file in sorted([Path(source), *Path(source).rglob("*")])
            if file.is_file()
        }
