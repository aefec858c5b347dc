"""Text on its way to the screen: class labels and sentences are shown as their characters, never
read as Markdown, LaTeX or HTML.
"""

import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def escaped(text: str) -> str:
    r"""Text in which no character is Markdown, a formula, an icon or a tag for `st.markdown` and
    its kin.

    >>> escaped("<b> *a* $x$ :red[b]")
    '\\<b\\> \\*a\\* \\$x\\$ \\:red\\[b\\]'
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def sentence(fault: Exception | str) -> str:
    """Words, or those of a fault, as a sentence of their own; a file's name at their beginning
    stays.

    >>> sentence(ValueError("no such class")), sentence(ValueError("It needs a name."))
    ('No such class.', 'It needs a name.')
    >>> sentence(ValueError("case.yaml, line 2: not YAML"))
    'case.yaml, line 2: not YAML.'
    """
    words = str(fault).removesuffix(".")
    if words.partition(" ")[0].isalpha():
        words = f"{words[:1].upper()}{words[1:]}"
    return f"{words}."


def markdown_text(text: str) -> str:
    r"""A sentence of ours for `st.markdown`: only what would turn it into a formula or emphasis is
    escaped.

    >>> markdown_text("D_max and F_LCA")
    'D\\_max and F\\_LCA'
    """
    return re.sub(r"([*_$|<>~])", r"\\\1", text)
