"""The app from its wheel alone, as a stranger has it: installed with the extra `app`, started in
any folder.
"""

import json
import os
import signal
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import FIGURE, PATIENCE, VIEWPORT, WELCOMED, free_port, opened, running
from tests.browser.screen import chosen, click_class, value
from tests.fresh import PROJECT, build, copied, installed, run, surroundings

THEME = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
OTHER_SETTINGS = (
    '[theme]\nprimaryColor = "#ff0000"\nbackgroundColor = "#00ff00"\n[server]\nmaxUploadSize = 1\n'
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel and the app."""
    folder = tmp_path_factory.mktemp("installed")
    build(copied(folder / "project"), folder, "wheel")
    (wheel,) = folder.glob("*.whl")
    return installed(folder / "env", wheel, "[app]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the app is started: a folder with settings of another app."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(OTHER_SETTINGS)
    return folder


@pytest.fixture(scope="module")
def address(
    programs: Path, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The app of a person who never started one, opened in a hierarchy of their own."""
    port, home = free_port(), tmp_path_factory.mktemp("home")
    mine = home / "mine.txt"
    mine.write_text("animal bird\nanimal fish\nbird owl\nbird penguin\n")
    instance = ["--hierarchy", str(mine), "--true", "owl", "--predicted", "owl,penguin"]
    command = [str(programs / "hiermeasures"), "app", "--port", str(port), *instance]
    around = surroundings(HOME=str(home), STREAMLIT_SERVER_HEADLESS="true")
    with running(command, port, home / "log", cwd=folder, env=around):
        assert f"hiermeasures: the app is at http://localhost:{port};" in (home / "log").read_text()
        yield f"http://localhost:{port}"
    assert [file.name for file in folder.iterdir()] == [".streamlit"]  # it leaves nothing behind


@pytest.fixture(params=["light", "dark"])
def themed(
    browser: Browser, address: str, request: pytest.FixtureRequest
) -> Iterator[tuple[Page, dict[str, str]]]:
    """The app in each theme, and the colours that the checkout's settings give it."""
    context = browser.new_context(viewport=VIEWPORT, color_scheme=request.param)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WELCOMED)
    with opened(context.new_page(), f"{address}/{FIGURE}") as page:
        yield page, THEME[request.param]
    context.close()


def test_it_opens_in_the_instance_and_a_click_moves_the_values(page: Page) -> None:
    page.goto(page.url.partition("?")[0])
    expect(chosen(page, "true")).to_contain_text("owl")
    # The ancestors of owl are bird and animal; penguin adds one class: three of four predicted are
    # true.
    expect(value(page, "hP")).to_have_text("0.75")
    click_class(page, "penguin")
    expect(value(page, "hP")).to_have_text("1.00")


def test_a_lesson_opens(page: Page) -> None:
    page.get_by_role("link", name="Learn", exact=True).click()
    page.get_by_role("button", name="Why accuracy is not enough").click()
    expect(page.locator("[data-key=learn_graph_0] .hm-graph[data-painted]").first).to_be_visible()


def test_what_the_dockerfile_runs_answers_is_healthy_and_ends_when_it_is_told(
    programs: Path, tmp_path: Path
) -> None:
    lines = (PROJECT / "Dockerfile").read_text("utf-8").splitlines()
    told = {line.partition(" ")[0]: line.partition(" ")[2] for line in lines}
    healthy, command = json.loads(told["HEALTHCHECK"].removeprefix("CMD ")), json.loads(told["CMD"])
    port = free_port()
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    around = surroundings(HOME=str(tmp_path), PATH=path, PORT=str(port))
    check = partial(subprocess.run, healthy, env=around, cwd=tmp_path, capture_output=True)
    assert check().returncode != 0
    with running(command, port, tmp_path / "log", cwd=tmp_path, env=around) as server:
        assert check().returncode == 0
        server.terminate()
        assert server.wait(20) in (0, -signal.SIGTERM)
    assert told["USER"] not in ("root", "0")


def test_after_what_the_dockerfile_runs_the_app_has_nothing_to_compile(tmp_path: Path) -> None:
    (line,) = (
        line
        for line in (PROJECT / "Dockerfile").read_text("utf-8").splitlines()
        if line.startswith("RUN [")
    )
    _, *command = json.loads(line.removeprefix("RUN "))
    # with the kernels that are kept here
    run([sys.executable, *command], tmp_path, PYTHONPATH=str(PROJECT))
    unready = """
        from hiermeasures.evaluation.kernel_registry import KERNELS
        from hiermeasures.evaluation.tasks import load_kernels
        load_kernels()
        print([name for name, kernel in KERNELS.items() if not kernel.ready])
    """
    assert (
        run([sys.executable, "-c", textwrap.dedent(unready)], tmp_path, PYTHONPATH=str(PROJECT))
        == "[]\n"
    )
