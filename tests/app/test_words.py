"""The interface speaks in the words that were settled: one word for one thing on every page."""

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE

PACKAGE = Path(str(files("hiermeasures")))
UI = [PACKAGE / name for name in ("app", "explorer", "notebook", "page")]
OLD = {  # and what is said instead
    r"take away": "export",
    r"cut": "truncated, left out, shortened",
    r"made[- ]up": "example data",
    r"horizontal axis|vertical axis|x-axis|y-axis": "x axis, y axis",
    r"value of an undefined ratio|zero division": "value of 0/0",
    r"unknown labels?": "labels not in the hierarchy",
    r"add (a )?class|add (a )?root": "new class",
    r"standings": "percentiles",
    r"prefers [“\"]\w+": "“after” is better by",
    r"find by name": "filter",
    r"(?<!\.)join": "connect",  # but not the method of JavaScript
}
WORDS = re.compile(rf"\b(?:{'|'.join(OLD)})\b", re.IGNORECASE)
LINK_THAT_LOST_ITS_END = "it is cut off or was changed on its way"


def said() -> Iterator[tuple[str, str]]:
    """Every text in the interface's modules that is no docstring, every option's; and its place."""
    for path in sorted(path for folder in UI for path in folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        blocks = [
            n.body
            for n in ast.walk(tree)
            if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))
        ]
        docstrings = {
            id(block[0].value) for block in blocks if block and isinstance(block[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
            ):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node.value
    for path in sorted(path for folder in UI for path in folder.rglob("*.js")):
        for text in re.findall(
            r'"([^"\n]*)"|`([^`]*)`', re.sub(r"//.*", "", path.read_text("utf-8"))
        ):
            yield str(path.relative_to(PACKAGE)), "".join(text)
    for name, field in Options.model_fields.items():
        yield name, f"{field.title} {field.description}"


def test_no_page_says_what_another_word_is_settled_for() -> None:
    texts = [
        (where, text)
        for where, text in said()
        if " " in text and LINK_THAT_LOST_ITS_END not in text
    ]
    assert len(texts) > 500
    assert [(where, text) for where, text in texts if WORDS.search(text)] == []


def test_hierarchical_f1_is_written_in_one_way() -> None:
    assert CATALOGUE["hF"].symbol == r"\mathrm{hF}"
    others = re.compile(r"F_H\b|\bh-?F1\b|\bF1 (?:over|at|with)\b|best F1")
    assert [(where, text) for where, text in said() if others.search(text)] == []
