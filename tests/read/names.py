"""Names that one format or another takes for something else: separators, quotes, formulas, its own
words.
"""

from hypothesis import strategies as st

NASTY = [
    'a "quoted" name', "comma, inside", "semi;colon", "bar|inside", "tab\tinside", "line\nbreak", " outer blank ",
    "Künste & Ähnliches", "😀", "\x85", "\u2028", "\x01", "'", '"', "=1+1", "+A", "-A", "@A", "'=x", "''@y",
    "<img src=x "
        "onerror=alert(1)>", "<!DOCTYPE x>", "&amp;", "#not a comment", "[a]", '["a"]', "['a']", "{}",
    '{"b": 1}', "\\W", "a ! b {c}", "id: x", "[Term]", "format-version: 1", "parent", "child", "labels", "id",
    "subtask_a", "PAR1", "nan", "0", "007", "1 2",
]  # fmt: skip
names = st.sampled_from(NASTY) | st.text(min_size=1, max_size=8).filter(str.isprintable)
