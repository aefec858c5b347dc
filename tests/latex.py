"""Check LaTeX without TeX, and compile it with pdflatex where that is installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NASTY = [
    r"\input{/etc/passwd}", "50% & more_or#less", "a^b~c{d}$e$", "[x]", "<i>|\"'`", "--", "^^M", "Zoë Łódź ß",
    "鸟 и птица",
    "a\nb\tc", "%", "\\", "}", "{", "$", "\u202eabc", "é" * 24, "=1+1", "; \\node {x};", "α→β", "𝔘 🐦",
]  # fmt: skip
PACKAGES = r"\usepackage{tikz}\usepackage{amssymb}"


def document(body: str) -> str:
    """A document with this body and what our pictures and tables need."""
    return rf"\documentclass{{article}}{PACKAGES}\begin{{document}}{body}\end{{document}}"


def compiled(text: str, folder: Path) -> str:
    """Return pdflatex's output for a document, which must compile; skip without pdflatex."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed (Debian: texlive-latex-base and texlive-pictures)")
    (folder / "t.tex").write_text(text, "utf-8")
    command = [
        "pdflatex",
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-no-shell-escape",
        "t.tex",
    ]
    ran = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    output = ran.stdout.decode("utf-8", "replace")
    assert ran.returncode == 0, output[-2000:]
    assert (folder / "t.pdf").exists()
    return output


def parsed(text: str) -> None:
    """Braces and environments are closed in order, and no special character is loose."""
    code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    bare = re.sub(r"\\[^a-zA-Z]", "", code)
    assert "%" not in bare.replace("\\%", "")
    depth = 0
    for letter in bare:
        depth += (letter == "{") - (letter == "}")
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", code):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    assert bare.count("$") % 2 == 0
