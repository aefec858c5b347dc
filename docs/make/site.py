"""Hooks of MkDocs for this repository.

They fill in the parts that are made from the code (generated.py). They run the notebooks and make
pages of them. They turn formulas into MathML, and they change links that lead out of docs/ to pages
of the site. mkdocs.yml names this module as its hook.
"""

import argparse
import html
import os
import posixpath
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).resolve().parents[2]))  # the command `mkdocs` does not do this

from docs.make import try_it
from docs.make.generated import fill_in, write_errata
from docs.make.tutorials import run_notebook
from hiermeasures.cli import parser
from hiermeasures.explore.formulas import write_mathml
from hiermeasures.hierarchy.errors import InputError

PROJECT = Path(__file__).resolve().parents[2]
DOCS = "docs"
# Pages at the top of the repository, and their names on the site.
ABOVE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
AS = {**ABOVE, "README.md": "index.md"}
OF_THE_APP = {
    "style/icon.svg": "hiermeasures/app/icon.svg",
    "style/math.woff2": "hiermeasures/explore/fonts/math.woff2",
}
REPOSITORY = (
    "repository"  # the site's folder for other files of the repository that a page links to
)
LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)\s]+)(?=[)\s])")
LIGHT = re.compile(r'<img ([^>]*)src="([^"]*/[\w-]+)-light\.png"([^>]*)>')
BOTH = "".join(
    rf'<a href="\2-{scheme}.png#only-{scheme}"><img \1src="\2-{scheme}.png#only-{scheme}"\3></a>'
    for scheme in ("light", "dark")
)
SOURCE = '<details class="mkdocstrings-source"'
SESSION = re.compile(r'<pre><span></span><code>(?=<span class="gp">)(.*?)</code></pre>', re.DOTALL)
PROMPT, CONTINUED = (
    re.compile(r'^<span class="gp">.*?</span>'),
    re.compile(r'<span class="se">\\</span>$'),
)
FORMULA = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replace a folder in the navigation, such as `coming-from/`, by its pages."""
    config.nav = [_unfolded(entry) for entry in config.nav]
    return config


def _unfolded(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {title: _unfolded(inside) for title, inside in entry.items()}
    if isinstance(entry, list):
        return [_unfolded(inside) for inside in entry]
    return (
        [f"{entry}{path.name}" for path in sorted((PROJECT / DOCS / entry).glob("*.md"))]
        if entry.endswith("/")
        else entry
    )


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Fill in pages, and add further files.

    These are the pages from the top of the repository, the notebooks as pages, and every file that
    a page links to.
    """
    for file in files.documentation_pages():
        try:
            file.content_string = fill_in(file.src_uri, file.content_string)
        except InputError as fault:
            raise PluginError(f"docs/{file.src_uri}: {fault}") from None
    for path, name in ABOVE.items():
        files.append(
            File.generated(config, name, content=(PROJECT / path).read_text(encoding="utf-8"))
        )
    for name, path in OF_THE_APP.items():
        files.append(File.generated(config, name, abs_src_path=str(PROJECT / path)))
    files.append(File.generated(config, "reference/command-line.md", content=command_line()))
    for name, text in write_errata().items():
        level = InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, name, content=text, inclusion=level))
    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        text = as_markdown(file.content_string, posixpath.basename(file.src_uri))
        files.append(File.generated(config, _page_of(file.src_uri), content=text))
    for file in list(files.documentation_pages()):
        for link in LINK.findall(file.content_string):
            path = _path(file.src_uri, link.partition("#")[0])
            name = _name(path)
            if (
                name.startswith(REPOSITORY)
                and name not in files.src_uris
                and (PROJECT / path).is_file()
            ):
                files.append(File.generated(config, name, abs_src_path=str(PROJECT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Change links of the repository into links of the site."""

    def moved(found: re.Match[str]) -> str:
        link, hash_, anchor = found[1].partition("#")
        here = posixpath.dirname(page.file.src_uri)
        return (
            posixpath.relpath(_name(_path(page.file.src_uri, link)), here or ".") + hash_ + anchor
        )

    return LINK.sub(moved, markdown)


def on_page_content(content: str, page: Page, **_: Any) -> str:
    """Prepare the HTML of a page.

    Formulas become MathML, which browsers draw. Every light picture gets its dark twin and a large
    version behind a click. The theme shows the one that fits the page. Instances get a link to the
    live Explorer (try_it.py). The copy button gets the typed lines of a session.
    """
    up = posixpath.relpath(".", posixpath.dirname(page.file.src_uri) or ".")
    content = try_it.with_links(LIGHT.sub(BOTH, content), "" if up == "." else f"{up}/")
    content = content.replace(SOURCE, f"{SOURCE} data-search-exclude")
    content = SESSION.sub(
        lambda found: f'<pre data-copy="{typed(found[1])}">{found[0][5:]}', content
    )
    return FORMULA.sub(lambda found: _formula(html.unescape(found[2]).strip()), content)


def typed(session: str) -> str:
    """Return the typed lines of a session without prompts, as HTML for the theme's copy button."""
    kept: list[str] = []
    continued = False
    for line in session.split("\n"):
        if continued or PROMPT.match(line):
            kept.append(re.sub(r"<[^>]+>", "", PROMPT.sub("", line)))
            continued = bool(CONTINUED.search(line))
    return "\n".join(kept).replace('"', "&quot;")


def on_post_build(config: MkDocsConfig) -> None:
    """Write the static page with the Explorer next to the others."""
    try_it.write(Path(config.site_dir))


def command_line() -> str:
    """Return the help text of every command."""
    os.environ["COLUMNS"] = "88"  # argparse takes the width from here
    commands = next(
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    parts = [
        "# Command line",
        "`hiermeasures COMMAND --help`, as `hiermeasures` or `python -m hiermeasures`.",
    ]
    for name, command in commands.choices.items():
        parts += [f"## {name}", f"```text\n{command.format_help().rstrip()}\n```"]
    return "\n\n".join(parts)


@cache  # `mkdocs serve` builds the site again after each change of a page
def as_markdown(notebook: str, name: str) -> str:
    """Return a notebook as a page: its texts, and its code with the outputs."""
    parts = []
    for cell in run_notebook(notebook).cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(f"```python\n{cell.source}\n```")
            parts += [_output(output) for output in cell.outputs]
    title, _, rest = "\n\n".join(parts).partition("\n")
    return f'{title}\n\n<a class="notebook" href="{name}" download>This page as a notebook</a>\n\n{rest}'


def _output(output: Any) -> str:
    """Return the richest form of an output that a page can show."""
    data = output.get("data", {})
    if "application/vnd.jupyter.widget-view+json" in data:
        return ""  # it needs a kernel. The still picture before it does not
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return f'<div class="output">\n{data[kind]}\n</div>'
    if "text/latex" in data:
        return data["text/latex"].replace(r"\displaystyle ", "").replace("$", "$$")
    if "image/png" in data:
        return f'<div class="output"><img alt="" src="data:image/png;base64,{data["image/png"].strip()}"></div>'
    text = output.get("text") or data.get("text/plain", "")
    return f'<div class="output" markdown>\n\n```text\n{text.rstrip()}\n```\n\n</div>'


def _formula(text: str) -> str:
    return write_mathml(text[2:-2], "block" if text.startswith(r"\[") else "inline")


def _path(source: str, link: str) -> str:
    """Return the target of a page's link in the repository."""
    at_top = {name: path for path, name in ABOVE.items()}
    folder = posixpath.dirname(at_top.get(source, posixpath.join(DOCS, source)))
    return posixpath.normpath(posixpath.join(folder, link))


def _name(path: str) -> str:
    """Return the address of a file of the repository on the site."""
    inside = path.removeprefix(DOCS + "/")
    if inside != path:
        return _page_of(inside)
    return AS.get(path, posixpath.join(REPOSITORY, path))


def _page_of(name: str) -> str:
    return name.removesuffix(".ipynb") + ".md" if name.endswith(".ipynb") else name
