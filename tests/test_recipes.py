"""The recipes for Spark and Ray, as their pages print them, give the bits of one evaluation in worker processes."""

import os
import re
import shutil
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from hiermeasures import evaluate
from hiermeasures.docs import FOLDER
from tests.test_meter import MEASURES, H, bits

pytestmark = pytest.mark.slow
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRUE = [[f"n{k % 29}", f"n{k * 7 % 30}"] if k % 5 else [] for k in range(1000)]
PREDICTED = [[f"n{k * 11 % 30}"] for k in range(1000)]


def recipe(page, name):
    """The function on a page."""
    names = {}
    exec(CODE.findall((FOLDER / "how-to" / f"{page}.md").read_text(encoding="utf-8"))[0], names)
    return names[name]


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
    return bits(evaluate(H, TRUE, PREDICTED, measures=MEASURES))


@pytest.fixture
def workers_find_this_checkout(monkeypatch):
    places = [str(FOLDER.parent), *filter(None, sys.path)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(places))


@pytest.mark.usefixtures("workers_find_this_checkout")
def test_spark(files, expected, monkeypatch):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark, which is not installed")
    if shutil.which("java") is None:
        pytest.skip("a Java runtime, which is not installed")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.maxRecordsPerBatch": "90"}
    spark = sql.SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    try:
        frame = spark.read.parquet(str(files)).repartition(3)
        assert bits(recipe("spark", "evaluate_on_spark")(spark, frame, H, measures=MEASURES)) == expected
    finally:
        spark.stop()


@pytest.mark.usefixtures("workers_find_this_checkout")
def test_ray(files, expected):
    ray = pytest.importorskip("ray", reason="ray, which is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = recipe("ray", "evaluate_on_ray")(sorted(files.glob("*.parquet")), H, measures=MEASURES)
        assert bits(found) == expected
    finally:
        ray.shutdown()
