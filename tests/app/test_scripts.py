"""The components' scripts as the page loads them: a linter finds nothing in them, and none is left
over.
"""

import json
import re
import subprocess
from importlib.metadata import files
from pathlib import Path

import pytest

from hiermeasures.explore import component_data, location, parts
from hiermeasures.explore.parts import COMPONENTS, STYLES, source

pytestmark = pytest.mark.slow

LINTER = next(file.locate() for file in files("oxlint") or () if file.stem == "oxlint")
FOLDER = Path(parts.__file__).parent / "scripts"
RULES = (
    "no-undef",
    "no-unused-vars",
    "no-var",
    "prefer-const",
    "eqeqeq",
    "no-eval",
    "no-implied-eval",
    "no-shadow",
)
CONSTANTS = [*re.findall(r"([A-Z]+) = ", component_data.constants()), "ADDRESS_PARAMETERS", "PAGE"]
assert location.constants().startswith("const ADDRESS_PARAMETERS = ")
PARTS = [*CONSTANTS, "PARTS", "STYLE"]
SETTINGS = {
    "env": {"browser": True, "es2024": True},
    "plugins": ["eslint", "oxc"],
    "categories": {"correctness": "error", "suspicious": "error"},
    "rules": dict.fromkeys(RULES, "error"),
}


def linted(folder: Path, script: str, known: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the linter on a script, around which these names are known."""
    (folder / "script.js").write_text(script, "utf-8")
    settings = SETTINGS | {"globals": dict.fromkeys(known, "readonly")}
    (folder / ".oxlintrc.json").write_text(json.dumps(settings), "utf-8")
    return subprocess.run(
        [LINTER, "--deny-warnings", "."], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_linter_finds_nothing_in_a_script(name: str, tmp_path: Path) -> None:
    """A component need not use all that its shared scripts declare, so those count as exported."""
    shared = source(*COMPONENTS[name].shared)
    declared = re.findall(r"^(?:function|class|const) (\w+)", shared, re.M)
    exported = f"export {{ {', '.join([*declared, 'drawComponent'])} }};\n"
    found = linted(tmp_path, shared + source(*COMPONENTS[name].own) + exported, CONSTANTS)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("host", ["explore/scripts/streamlit.js", "notebook/widget.js"])
def test_a_linter_finds_nothing_in_the_explorer_with_what_joins_it_with_a_host(
    host: str, tmp_path: Path
) -> None:
    script = source("dark.js", "element.js", "keys.js", "download.js", "controls.js", "explorer.js")
    script += (FOLDER.parents[1] / host).read_text(
        "utf-8"
    ) + "export { svgElement, drawComponent };\n"
    found = linted(
        tmp_path,
        script if "drawComponent(" in script else script.replace(", drawComponent", ""),
        PARTS,
    )
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("name", ["page.js", "worker.js", "embed.js"])
def test_a_linter_finds_nothing_in_the_page_without_a_server(name: str, tmp_path: Path) -> None:
    found = linted(tmp_path, (FOLDER.parents[1] / "page" / "files" / name).read_text("utf-8"), [])
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_script_and_style_sheet_belongs_to_a_component() -> None:
    used = {path for made in COMPONENTS.values() for path in (*made.shared, *made.own, *made.css)}
    used |= {"scripts.js", "formulas.js"}  # the first holds the others
    used |= {"download.js", "controls.js", "explorer.js", "streamlit.js", *STYLES}  # of pages
    assert {
        p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.suffix in (".js", ".css")
    } == used
