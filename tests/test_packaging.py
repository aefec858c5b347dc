"""The installed package holds everything that it needs to run, without a list kept by hand."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import textwrap
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest
from readme_renderer import markdown

import hiermeasures
from hiermeasures.hierarchy.extras import EXTRAS
from tests.fresh import PROJECT, build, copied, installed, run, surroundings
from tests.test_extras import COMMANDS, REFUSED, TEXTS

pytestmark = pytest.mark.slow

QUICK = "not slow and not browser"
OWN_TESTS = (
    "tests/test_project.py",
    "tests/hierarchy/test_hierarchy.py",
    "tests/hierarchy/test_expressions.py",
    "tests/measures",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout with a paper more, and a file of a kind that no page has yet."""
    project = copied(tmp_path_factory.mktemp("project") / "copy")
    shutil.copytree(project / "cases" / "falis2021", project / "cases" / "someone2026")
    (project / "hiermeasures" / "app" / "cases" / "words.new").write_text("of a new kind")
    return project


@pytest.fixture(scope="module")
def built(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source distribution and a wheel of it."""
    built = tmp_path_factory.mktemp("built")
    build(project, built, "sdist", "wheel")
    return built


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The programs of an environment without extras."""
    return installed(tmp_path_factory.mktemp("base") / "env", wheel)


def test_the_wheel_holds_every_file_of_the_package_the_cases_and_the_app_with_its_settings(
    project: Path, wheel: Path
) -> None:
    def below(folder: str, target: str) -> dict[str, bytes]:
        files = (file for file in sorted(project.glob(f"{folder}/**/*")) if file.is_file())
        return {
            f"{target}/{f.relative_to(project / folder).as_posix()}": f.read_bytes() for f in files
        }

    with zipfile.ZipFile(wheel) as inside:
        held = {name: inside.read(name) for name in inside.namelist() if ".dist-info/" not in name}
    entry = {name: (project / name).read_bytes() for name in ("app.py", ".streamlit/config.toml")}
    assert held == {
        **{
            name: data
            for name, data in below("hiermeasures", "hiermeasures").items()
            if "__pycache__" not in name
        },
        **below("cases", "hiermeasures/verify/files"),
        **{f"hiermeasures/app/entry/{name}": data for name, data in entry.items()},
    }


def test_an_index_takes_both_and_every_address_of_the_description_leads_to_a_file(
    built: Path, wheel: Path
) -> None:
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, built.iterdir())], built)
    with zipfile.ZipFile(wheel) as inside:
        (told,) = (name for name in inside.namelist() if name.endswith(".dist-info/METADATA"))
        assert told.replace("METADATA", "licenses/LICENSE") in inside.namelist()
        metadata = BytesParser().parsebytes(inside.read(told))
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL"))
    shown = markdown.render(metadata.get_payload())
    addresses = re.findall(r'(?:href|src|srcset)="([^"#]+)', shown)
    assert len(addresses) > 10
    here = re.compile(
        re.escape(urls["Repository"])
        + rf"/(?:raw|blob)/v{re.escape(hiermeasures.__version__)}/(.+)"
    )
    files = [address for address in addresses if not address.startswith(urls["Documentation"])]
    assert [
        address for address in files if not (PROJECT / here.fullmatch(address)[1]).is_file()
    ] == []


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution's folder."""
    folder = tmp_path_factory.mktemp("unpacked")
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as inside:
        inside.extractall(folder, filter="data")
    (project,) = folder.iterdir()
    return project


def test_the_source_distribution_has_every_file_and_passes_its_own_tests(
    project: Path, unpacked: Path
) -> None:
    def files(folder: Path) -> set[str]:
        found = (
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        )
        return {name for name in found if not re.search(r"\.egg-info/|__pycache__|^build/", name)}

    assert files(project) - files(unpacked) == {".gitignore", ".pre-commit-config.yaml"}
    assert files(unpacked) - files(project) == {"PKG-INFO", "setup.cfg"}
    where = run(
        [sys.executable, "-c", "import hiermeasures; print(hiermeasures.__file__)"], unpacked
    )
    assert Path(where.strip()).is_relative_to(unpacked)
    run([sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", QUICK, *OWN_TESTS], unpacked)


def test_the_base_install_brings_no_extra_verifies_the_same_cells_and_says_what_the_app_needs(
    base: Path, project: Path, wheel: Path, tmp_path: Path
) -> None:
    packages = json.loads(
        run([str(base / "python"), "-m", "pip", "list", "--format", "json"], tmp_path)
    )
    assert not {module for modules in EXTRAS.values() for module in modules} & {
        p["name"].lower() for p in packages
    }
    verify = ["verify", "--paper", "kosmopoulos2015", "--json"]
    here = run([sys.executable, "-m", "hiermeasures", *verify], project, PYTHONPATH=str(project))
    assert json.loads(run([str(base / "hiermeasures"), *verify], tmp_path)) == json.loads(here)
    app = [str(base / "hiermeasures"), "app"]
    asked = subprocess.run(app, cwd=tmp_path, env=surroundings(), capture_output=True, text=True)
    line = f"hiermeasures: hiermeasures app needs the extra 'app': pip install '{wheel}[app]'\n"
    assert (asked.returncode, asked.stdout, asked.stderr) == (2, "", line)


def test_the_base_install_is_light_and_each_command_runs_or_names_its_extra(
    base: Path, tmp_path: Path
) -> None:
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run([str(base / "python"), "-c", where], tmp_path).strip())
    brought = [
        each for each in packages.iterdir() if not each.name.startswith(("pip", "setuptools"))
    ]
    files = [file for each in brought for file in (each, *each.rglob("*")) if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 150e6
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    for command in COMMANDS.values():
        run([str(base / "hiermeasures"), *shlex.split(command)], tmp_path)
    for command, what, extra in REFUSED.values():
        asked = [str(base / "hiermeasures"), *shlex.split(command)]
        done = subprocess.run(
            asked, cwd=tmp_path, env=surroundings(), capture_output=True, text=True
        )
        assert done.returncode == 2
        assert done.stderr.startswith(
            f"hiermeasures: {what} needs the extra {extra!r}: pip install"
        )


def test_the_widget_needs_nothing_of_the_app(wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "env", wheel, "[notebook]")
    script = """
        import importlib.util
        from hiermeasures import Explorer, Hierarchy
        h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
        widget = Explorer(h, true={"T1"}, predicted={"P1", "P2"})
        print(widget.explanation["F_LCA"], importlib.util.find_spec("streamlit"))
    """
    printed = run([str(programs / "python"), "-c", textwrap.dedent(script)], tmp_path)
    assert printed == "0.4 None\n"  # Kosmopoulos et al., Figure 11(a)
