"""The recipes for Spark and Ray, as their pages print them and with the versions that these name,
give the bits of one evaluation in worker processes.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from docs.make.generated import FOLDER
from hiermeasures import evaluate
from tests.test_meter import MEASURES, H, bits

pytestmark = pytest.mark.slow
TRIED = re.compile(r"^Tried with ([a-z]+) ([0-9.]+[0-9])", re.MULTILINE)
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRUE = [[f"n{k % 29}", f"n{k * 7 % 30}"] if k % 5 else [] for k in range(1000)]
PREDICTED = [[f"n{k * 11 % 30}"] for k in range(1000)]


def text(page):
    return (FOLDER / "how-to" / f"{page}.md").read_text(encoding="utf-8")


def recipe(page, name):
    """The function on a page."""
    names = {}
    exec(CODE.findall(text(page))[0], names)
    return names[name]


def whole(page):
    """The variables after all code of a page: {animal, dog, poodle} against {animal, dog}; cat."""
    names = {}
    exec("\n".join(CODE.findall(text(page))), names)
    return names


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    columns = {"true": TRUE, "predicted": PREDICTED}
    table = pa.table({name: pa.array(side, pa.list_(pa.string())) for name, side in columns.items()})
    for k, first in enumerate(range(0, len(TRUE), 250)):
        parquet.write_table(table.slice(first, 250), folder / f"{k}.parquet")
    return folder


@pytest.fixture(scope="module")
def expected():
    return bits(evaluate(H, TRUE, PREDICTED, measures=MEASURES, explain_up_to=0))  # by compiled kernels, as parts are


@pytest.fixture
def package(request, tmp_path, monkeypatch):
    """The package of a page, in the version that it names, behind what is installed, everywhere."""
    name, version = TRIED.search(text(request.param)).groups()
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(tmp_path), f"{name}=={version}"]
    subprocess.run(install, check=True)
    sys.path.append(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FOLDER.parent), *filter(None, sys.path)]))
    yield importlib.import_module(name)
    sys.path.remove(str(tmp_path))
    shutil.rmtree(tmp_path)  # half a gigabyte


@pytest.mark.parametrize("package", ["spark"], indirect=True)
def test_spark(files, expected, package, monkeypatch):
    assert shutil.which("java"), "Spark needs a Java runtime, which .ci/run installs"
    sql = importlib.import_module(f"{package.__name__}.sql")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.maxRecordsPerBatch": "90"}
    spark = sql.SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    try:
        frame = spark.read.parquet(str(files)).repartition(3)
        assert bits(recipe("spark", "evaluate_on_spark")(spark, frame, H, measures=MEASURES)) == expected
        assert whole("spark")["report"]["hF"] == pytest.approx(0.9)
    finally:
        spark.stop()


@pytest.mark.parametrize("package", ["ray"], indirect=True)
def test_ray(files, expected, package, tmp_path, monkeypatch):
    ray = package
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = recipe("ray", "evaluate_on_ray")(sorted(files.glob("*.parquet")), H, measures=MEASURES)
        assert bits(found) == expected
        (tmp_path / "empty").mkdir()
        monkeypatch.chdir(tmp_path / "empty")
        assert whole("ray")["report"]["hF"] == pytest.approx(0.9)
    finally:
        ray.shutdown()
