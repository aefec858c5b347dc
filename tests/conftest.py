"""Fixtures of all tests: hypothesis settings, random hierarchies, and the real data where it is at
hand.
"""

import logging
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from hiermeasures import Hierarchy
from tests.latex import compiled, document, parsed

if TYPE_CHECKING:
    from distributed import Client
    from playwright.sync_api import Browser

# Every property is tried on some examples every day; .ci/run tries it on many more.
for name, examples in (("short", 15), ("long", 400)):
    settings.register_profile(
        name,
        deadline=None,
        max_examples=examples,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("short")

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# of our own making, in the same formats and under the same names
SAMPLES = Path(__file__).resolve().parent / "samples"


# The processes that tests begin import modules that were compiled once, even where Python is told
# not to keep them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nothing but speed differs without the extra `fast`: all tests pass so, but for those of compiling.
if WITHOUT_NUMBA := os.environ.get("WITHOUT_NUMBA") == "yes":
    blocked = Path(__file__).with_name("without_numba")
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(blocked), os.environ.get("PYTHONPATH")])
    )
    sys.modules["numba"] = None  # type: ignore[assignment]

# No app that a test starts compiles kernels of its own accord.
os.environ["HIERMEASURES_COMPILE_AHEAD"] = "no"

SLOW_FILE = "\npytestmark = pytest.mark.slow\n"


def everyday(config: pytest.Config) -> bool:
    """Return True if slow tests are deselected."""
    return bool(config.option.markexpr == "not slow")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of slow tests only is not imported without need: what it needs takes seconds."""
    unwanted = everyday(config) and collection_path.suffix == ".py"
    return True if unwanted and SLOW_FILE in collection_path.read_text("utf-8") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Doctests are in the package; to look for them in tests takes seconds."""
    found = yield
    here = file_path.is_relative_to(SAMPLES.parent)
    return [part for part in found if not (here and isinstance(part, DoctestModule))]


# the kernels, while other tests run
COMPILING = (
    "tests/evaluation/",
    "tests/debug/",
    "tests/verify/",
    "tests/test_doc",
    "tests/test_meter",
    "tests/test_metrics",
    "tests/test_partial",
)
# Browser tests for which the app would compile them as well.
EVALUATING = ("accessibility", "behaviour_page", "narrow", "pages", "systems_page", "what_if")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests whose app evaluates come after all other ones: by then the kernels are there,
    and no server compiles them a second time.
    """

    def rank(item: pytest.Item) -> int:
        if item.nodeid.startswith(COMPILING):
            return 0
        name = item.path.stem.removeprefix("test_")
        return (2 if name in EVALUATING else 1) if item.nodeid.startswith("tests/browser/") else 3

    items.sort(key=rank)


class ByFile(LoadScopeScheduling):
    """Tests are shared out to the workers by file; those that compile the kernels go to one worker
    together, and every day those in the browser to the other one: each browser and each server
    takes seconds to start.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(COMPILING):
            return "kernels"
        if nodeid.startswith("tests/browser/") and everyday(self.config):
            return "browser"
        return nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)


def needs_data(name: str) -> Path:
    """The path of a real file under ../shared/data; skips the test elsewhere."""
    path = DATA / name
    if not path.exists():
        pytest.skip(
            "the real data is not beside this checkout (../shared/data); their twins ran on "
            "tests/samples"
        )
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Chromium, for all tests of a worker."""
    from tests.browser.conftest import launched

    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def client() -> Iterator["Client"]:
    """A Dask cluster of two worker processes."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local,
        Client(local) as client,
    ):
        yield client


@pytest.fixture(params=["sample", pytest.param("real", marks=pytest.mark.slow)])
def data(request: pytest.FixtureRequest) -> Path:
    """A folder of data files: the small samples', and that of the real ones if at hand."""
    return SAMPLES if request.param == "sample" else needs_data("")


@pytest.fixture(params=["parsed", pytest.param("compiled", marks=pytest.mark.slow)])
def latex(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], None]:
    """Checks a piece of LaTeX: parsed every day, and compiled by pdflatex among the slow tests."""
    if request.param == "parsed":
        return parsed

    def check(text: str) -> None:
        compiled(document(text), tmp_path)

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print in one line which tests were skipped, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        terminalreporter.write_line(
            "skipped: " + "; ".join(f"{n} tests, for {why}" for why, n in reasons.items())
        )


@pytest.fixture(autouse=True, scope="session")
def streamlits_deprecations_are_errors() -> None:
    """Streamlit logs what is on its way out where other packages warn. As in pyproject.toml, that
    fails a test.
    """

    def refuse(record: logging.LogRecord) -> bool:
        raise DeprecationWarning(record.getMessage())

    logging.getLogger("streamlit.deprecation_util").addFilter(refuse)


def hierarchy_of(text: str) -> Hierarchy:
    """A hierarchy from edges written as in the papers: "A>B A>C"."""
    return Hierarchy.from_edges([tuple(edge.split(">")) for edge in text.split()])


FIGURE_11A = hierarchy_of("A>B A>C B>T1 B>P1 B>P2")  # of Kosmopoulos et al. 2015


def most_specific(h: Hierarchy, labels: Collection[str]) -> list[str]:
    """The classes of a set without a descendant in it; the root for none."""
    return [c for c in labels if not any(other in h.descendants(c) for other in labels)] or [h.root]


@st.composite
def edge_lists(draw: st.DrawFn, max_nodes: int = 9, dag: bool = True) -> list[tuple[str, str]]:
    """Edges of a random rooted tree or DAG over n0, n1, …: parents come before their children."""
    n = draw(st.integers(2, max_nodes))
    edges = []
    for child in range(1, n):
        most = min(3, child) if dag else 1
        for parent in sorted(draw(st.sets(st.integers(0, child - 1), min_size=1, max_size=most))):
            edges.append((f"n{parent}", f"n{child}"))
    return edges


@st.composite
def weighted(draw: st.DrawFn, h: Hierarchy) -> Hierarchy:
    """A hierarchy whose classes have weights, at times others for ICM; a virtual root has none."""

    def row(*weights: float) -> st.SearchStrategy[list[float]]:
        return st.lists(st.sampled_from(weights), min_size=len(h), max_size=len(h))

    own = draw(row(0.0, 1.0, 0.1, 1e-5, 1e12))
    weights = np.array([own, draw(st.one_of(st.just(own), row(0.0, -0.1, 1e-300)))])
    weights[:, 0] *= not h.virtual_root
    return h.with_class_weights(weights)


def ways_up(h: Hierarchy, label: str) -> list[list[str]]:
    """All upward ways from a class, itself first, along the edges."""
    found = [[label]]
    for way in found:
        found.extend([*way, above] for above, below in h.edges if below == way[-1])
    return found


@st.composite
def instances(
    draw: st.DrawFn,
    max_nodes: int = 9,
    max_classes: int = 4,
    dag: bool = True,
    empty: bool = True,
    weights: Collection[float] = (),
):
    """A random hierarchy, at times with edges of some weights, and true and predicted classes."""
    edges = draw(edge_lists(max_nodes, dag))
    if weights and draw(st.booleans()):
        edges = [(*edge, draw(st.sampled_from(weights))) for edge in edges]
    h = Hierarchy.from_edges(edges)
    labels = st.sets(st.sampled_from(h.nodes), min_size=0 if empty else 1, max_size=max_classes)
    return h, frozenset(draw(labels)), frozenset(draw(labels))
