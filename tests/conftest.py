"""What every test may use: hypothesis settings, random hierarchies, and the real data where it is at hand."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from hiermeasures import Hierarchy

settings.register_profile(
    "suite", deadline=None, max_examples=80, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


class ByFolder(LoadScopeScheduling):
    """Of several workers, one has the browser to itself and one compiles the kernels; all else is shared out by
    file.
    """

    def _split_scope(self, nodeid: str) -> str:
        alone = re.match(r"tests/(batch|browser)/", nodeid)
        return alone.group() if alone else nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFolder:
    return ByFolder(config, log)


def needs_data(name: str) -> Path:
    """The path of a real file under ../shared/data; skips the test elsewhere."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the data file {name} is not beside this checkout (../shared/data)")
    return path


def hierarchy_of(text: str) -> Hierarchy:
    """A hierarchy from edges written as in the papers: "A>B A>C"."""
    return Hierarchy.from_edges([tuple(edge.split(">")) for edge in text.split()])


@st.composite
def edge_lists(draw: st.DrawFn, max_nodes: int = 9, dag: bool = True) -> list[tuple[str, str]]:
    """Edges of a random rooted tree or DAG over n0, n1, …: every class but the first has parents before it."""
    n = draw(st.integers(2, max_nodes))
    edges = []
    for child in range(1, n):
        most = min(3, child) if dag else 1
        for parent in sorted(draw(st.sets(st.integers(0, child - 1), min_size=1, max_size=most))):
            edges.append((f"n{parent}", f"n{child}"))
    return edges


@st.composite
def instances(draw: st.DrawFn, max_nodes: int = 9, max_classes: int = 4, dag: bool = True, empty: bool = True):
    """A random hierarchy with true and predicted classes."""
    h = Hierarchy.from_edges(draw(edge_lists(max_nodes, dag)))
    labels = st.sets(st.sampled_from(h.nodes), min_size=0 if empty else 1, max_size=max_classes)
    return h, frozenset(draw(labels)), frozenset(draw(labels))
