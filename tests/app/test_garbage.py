"""Collections of garbage leave out what is loaded; what a click leaves is freed all the same."""

import subprocess
import sys
import tomllib

from tests.fresh import PROJECT

SHOWN = """
import gc
from hiermeasures.app.ahead import prepare
prepare()
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=60).run()
assert not app.exception
before = gc.get_freeze_count()
app.run()
print(before > 100_000, gc.get_freeze_count() <= before, gc.isenabled())
"""


def test_nothing_is_collected_after_every_click_and_what_is_loaded_is_left_out() -> None:
    settings = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["runner"]["postScriptGC"] is False
    run = subprocess.run(
        [sys.executable, "-c", SHOWN], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["True"] * 3
