"""The benchmark beside HEMKit, with a stand-in that takes its arguments and writes its files; and
that of reading.
"""

import sys

import pytest

from benchmarks import reading, run
from benchmarks.hemkit import beside
from benchmarks.process import write_files
from benchmarks.shapes import Data
from hiermeasures import Hierarchy
from hiermeasures.engine import evaluate
from hiermeasures.engine.encode import encode
from hiermeasures.formats import HIERARCHY_FORMATS, LABEL_FORMATS

# 2 below 1 and 3, both below the root. For 2 the class 3 is predicted: {0, 1, 2} and {0, 3} share
# the root alone; then 3 for 3. HEMKit's order is hP, hR, hF, SDL, F_LCA, P_LCA, R_LCA, MGIA; its
# values of F here are made up.
HIERARCHY = Hierarchy.from_edges([("0", "1"), ("0", "3"), ("1", "2")])
TRUE, PREDICTED = [{"2"}, {"3"}], [{"3"}, {"3"}]
WRITTEN = ["0.5 0.333333 0.4 3 0 0.5 0.333333 0.7", "1 1 1 0 1 1 1 1"]
STAND_IN = """#!{python}
import sys
from pathlib import Path
hierarchy, true, predicted, farthest, maximum, *rest = sys.argv[1:]
edges = dict.fromkeys(Path(hierarchy).read_text().splitlines())
assert sorted(edges) == ["0 1", "0 2", "1 3"]  # parents are numbered before children
assert [len(Path(f).read_text().splitlines()) for f in (true, predicted)] == [2, 2]
assert (farthest, maximum) == ("100000", "5")
print("LCA F = 0.5")
for file in rest:
    Path(file).write_text({written!r})
"""


def stand_in(folder, lines):
    path = folder / "HEMKit"
    path.write_text(STAND_IN.format(python=sys.executable, written="".join(f"{line}\n" for line in lines)))
    path.chmod(0o755)
    return path


def compared(folder, lines):
    data = Data(HIERARCHY, encode(HIERARCHY, TRUE), encode(HIERARCHY, PREDICTED))
    report = evaluate(HIERARCHY, TRUE, PREDICTED, measures=run.SEVEN)
    return beside(stand_in(folder, lines), write_files(data, folder), report.per_instance)


def test_hemkit_is_timed_and_its_values_are_compared_instance_by_instance(tmp_path):
    found = compared(tmp_path, WRITTEN)
    assert 0 < found["seconds"] < 60
    apart = {d["measure"]: (d["instances"], d["ours"], d["theirs"]) for d in found["differing"]}
    assert list(apart) == ["hP", "hR", "hF", "SDL", "F_LCA", "P_LCA", "R_LCA"]
    # F_LCA is 0.4 for the first, as 2 and 3 meet in the root: {2, 1, 0} and {3, 0}.
    assert apart["F_LCA"] == (1, pytest.approx(0.7), 0.5)
    assert {measure: n for measure, (n, *_) in apart.items() if n} == {"F_LCA": 1}
    assert found["lca"] == 1


def test_a_run_that_loses_instances_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match="wrote 1 instances of 2"):
        compared(tmp_path, WRITTEN[:1])


def test_with_one_the_page_has_its_time_and_its_values(tmp_path):
    runs = {"warm": {"seconds": 2.0, "memory": 0.5}, "cold": {"seconds": 10.0}, "seven": 0.1}
    what = {"what": "dmoz", "instances": 2, "hierarchy": "Hierarchy(tree, 4 classes, 3 edges, root '0')"}
    text = run.page({"dmoz": {**what, **runs, "hemkit": {**compared(tmp_path, WRITTEN), "seconds": 4.0}}})
    assert "| **2.0 ×** | **0.4 ×** | **40 ×** | dmoz |" in text
    assert "| dmoz | `F_LCA` | 1 | 50.0% |  | 0.7000 | 0.5000 |" in text


def test_every_format_that_is_written_is_read_for_the_table():
    found = list(reading.measure(0.005))
    titles = [known.title for known in (*LABEL_FORMATS.values(), *HIERARCHY_FORMATS.values()) if known.write]
    assert {speed.what for speed in found} >= set(titles)
    assert {speed.content for speed in found} == {"250 instances", "50 classes"}
    written = sum(known.writable for known in HIERARCHY_FORMATS.values())
    assert run.page({"reading": {"rows": reading.lines(found)}}).count("| 50 classes |") == written + 5
