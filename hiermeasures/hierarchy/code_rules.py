"""Rules that find the parents of codes in a list.

The parent of a code is its longest beginning that is also in the list, the code without its
trailing zeros, or a range such as 31-33. label_notation.py reads the codes of labels without a list.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hiermeasures.hierarchy.errors import InputError, shown

_RANGE = re.compile(r"([A-Za-z]*\d+)-([A-Za-z]*\d+)")
_CHECKED = re.compile(r"(\d{8})-\d")  # CPV's codes end with a check digit
_PADDED = re.compile(r"\D0\d|^0\d")
_CATEGORY = re.compile(r"[A-Z]\d[0-9A-Z]")  # of ICD-10
_SIGNS = re.compile(r"[^0-9A-Za-z]")
_LONGEST = 64  # characters of a code
_DENSE = 0.7  # codes that fill this share of their range are only numbers
_LOST = (0.5, 0.1)  # allowed share of longer codes without a parent: of codes, and of numbers
_LIST, _ZEROS = "beginnings", "zeros"

Parents = dict[str, str]


@dataclass(frozen=True)
class CodeTree:
    """The parents of codes, and the rule that found them.

    Attributes
    ----------
    rule : str
        The value of `--rule`.
    words : str
        The rule in words.
    parents : mapping of str to str
        The parent of each code that has one.
    """

    rule: str
    words: str
    parents: Mapping[str, str]


def code_tree(codes: Iterable[str], rule: str = "") -> CodeTree:
    """Find the parents of the codes in a list.

    Parameters
    ----------
    codes : iterable of str
    rule : str
        "beginnings" or "zeros". "zeros" may have the lengths of the levels ("zeros:2,4,6,8"). By
        default the rule that fits the codes.

    Raises
    ------
    InputError
        If no rule fits, or several rules fit and give different trees.

    See Also
    --------
    hiermeasures.Hierarchy.from_codes : Build a hierarchy from labels that are codes.

    Examples
    --------
    >>> code_tree(["01", "0101", "010121", "010129"]).parents
    {'0101': '01', '010121': '0101', '010129': '0101'}
    >>> code_tree(["1000", "1100", "1110"]).parents
    {'1100': '1000', '1110': '1100'}
    """
    listed = list(dict.fromkeys(codes))
    if long := next((code for code in listed if len(code) > _LONGEST), None):
        raise InputError(
            f"{shown(long, 40)} is too long for a code. Codes have at most {_LONGEST} characters"
        )
    known = set(listed)
    ranges = {code: (low, high) for code in listed for low, high in _range(code, known)}
    plain = [code for code in listed if code not in ranges]
    trees = _asked(plain, rule) if rule else _fitting(plain)
    trees = [_with_ranges(tree, plain, ranges) for tree in trees]
    trees = [tree for tree in trees if tree.parents]
    if not trees:
        raise InputError(
            "no code is the beginning of another one. Name a column of parents (--parent), or name "
            "the rule "
            "of the codes (--rule), such as --rule 1,3,4 for levels of 1, 3 and 4 characters"
        )
    if len(trees) > 1:
        raise _doubtful(trees)
    if not rule:
        _check_codes(plain, trees[0])
    return trees[0]


def _asked(codes: Sequence[str], rule: str) -> list[CodeTree]:
    name, _, lengths = rule.partition(":")
    if name == _LIST and not lengths:
        return [_by_beginnings(codes)]
    numbers = lengths.split(",") if lengths else []
    if name != _ZEROS or not all(n.isdecimal() and 0 < int(n) <= _LONGEST for n in numbers):
        raise InputError(
            f"unknown rule {shown(rule)} for codes. Use beginnings, zeros, zeros:2,4,6,8, a "
            "separator such as '.', or lengths of levels such as 1,3,4"
        )
    return [_by_zeros(codes, tuple(sorted(map(int, numbers))))]


def _fitting(codes: Sequence[str]) -> list[CodeTree]:
    """Return the different trees of all rules that fit the codes."""
    keys = list(map(_zero_key, codes))
    if (
        all(map(str.isdecimal, keys))
        and len(set(map(len, keys))) == 1
        and len(keys[:1])
        and len(keys[0]) > 1
    ):
        return _different(_of_padded(codes, len(keys[0])))
    found = _by_beginnings(codes)
    mark = next((m for m in ".-/:_ " if 2 * sum(m in code for code in codes) >= len(codes)), None)
    mark = mark or next((m for m in ".-/:_ " if any(m in code for code in codes)), None)
    trees = [found]
    if mark is not None and (parts := _by_parts(codes, mark)).parents != found.parents:
        decimal = is_decimal(codes, mark)
        trees = [found, parts] if decimal is None else [found if decimal else parts]
    heads = {code.partition(".")[0] for code in codes}
    if (
        all(map(str.isdecimal, heads))
        and len(set(map(len, heads))) == 1
        and {1} != set(map(len, heads))
    ):
        zeros = _by_zeros(codes, ())
        tops = [_zero_key(code) for code in codes if code not in zeros.parents]
        if all(len(top.rstrip("0")) <= 1 for top in tops):  # as in the Dewey classification
            trees.append(zeros)
    return _different(trees)


def _of_padded(codes: Sequence[str], width: int) -> list[CodeTree]:
    """Return the possible trees of codes with trailing zeros.

    Each digit may be a level. Or the first level, or every level, has several digits.
    """
    zeros = _by_zeros(codes, ())
    lengths = [len(_zero_key(code).rstrip("0")) or 1 for code in codes]
    tops = [n for code, n in zip(codes, lengths, strict=True) if code not in zeros.parents]
    trees = [zeros]
    first = max(tops, default=1)
    if 1 < first < width:
        trees.append(_by_zeros(codes, tuple(range(first, width + 1))))
    inner_zero = any("0" in code[1:n] for code, n in zip(codes, lengths, strict=True))
    # 10101501 is 10, 10, 15, 01
    if width % 2 == 0 and inner_zero and all(map(str.isdecimal, codes)):
        trees.append(_by_zeros(codes, tuple(range(2, width + 1, 2))))
    return trees


def _different(trees: Sequence[CodeTree]) -> list[CodeTree]:
    kept: list[CodeTree] = []
    for tree in trees:
        if tree.parents and all(tree.parents != other.parents for other in kept):
            kept.append(tree)
    return kept or list(trees[:1])


# --- rules --------------------------------------------------------------------------------------


def _by_beginnings(codes: Sequence[str]) -> CodeTree:
    words = "the parent of a code is its longest beginning in the list"
    bare = [_SIGNS.sub("", code) for code in codes]
    if len(set(bare)) < len(bare):  # 1.1 and 11 are two codes
        bare = list(codes)
    return CodeTree(_LIST, words, _nearest(codes, bare, lambda key: range(len(key) - 1, 0, -1)))


def _by_parts(codes: Sequence[str], mark: str) -> CodeTree:
    def ends(key: str) -> Iterable[int]:
        return (k for k in range(len(key) - 1, 0, -1) if key[k] == mark)

    words = f"the parent of a code is its longest beginning before a {shown(mark)} in the list"
    return CodeTree(mark, words, _nearest(codes, codes, ends))


def _by_zeros(codes: Sequence[str], levels: tuple[int, ...]) -> CodeTree:
    def key(code: str) -> str:
        digits = _zero_key(code)
        size = len(digits.rstrip("0")) or 1
        return digits[: next((n for n in levels if n >= size), len(digits)) if levels else size]

    keys = [key(code) for code in codes]
    words = "the parent of a code, without its trailing zeros, is its longest beginning in the list"
    if levels:
        words += f" (levels of {', '.join(map(str, levels))} characters)"
    rule = f"{_ZEROS}:{','.join(map(str, levels))}" if levels else _ZEROS
    below = (
        (lambda k: [n for n in reversed(levels) if n < len(k)])
        if levels
        else (lambda k: range(len(k) - 1, 0, -1))
    )
    return CodeTree(rule, words, {} if len(set(keys)) < len(keys) else _nearest(codes, keys, below))


def _nearest(
    codes: Sequence[str], keys: Sequence[str], ends: Callable[[str], Iterable[int]]
) -> Parents:
    """Return the parent of each code: the code with the longest key that begins its own key.

    `ends` returns the lengths to try, the longest first.
    """
    known = dict(zip(keys, codes, strict=True))
    found: Parents = {}
    for code, key in zip(codes, keys, strict=True):
        if (
            above := next((known[key[:n]] for n in ends(key) if key[:n] in known), None)
        ) is not None:
            found[code] = above
    return found


def _zero_key(code: str) -> str:
    """Return the letters and digits of a code. Zeros after a point stay, as in 512.50."""
    if checked := _CHECKED.fullmatch(code):
        return checked[1]
    head, point, rest = code.partition(".")
    return _SIGNS.sub("", head) + (f"{_SIGNS.sub('', rest)}." if point else "")


def _range(code: str, known: set[str]) -> list[tuple[str, str]]:
    """Return the ends of a range such as 31-33 or A00-B99.

    If the list contains 1, then 1-2 is part 2 of 1 and not a range.
    """
    ends = _RANGE.fullmatch(code)
    if ends is None or len(ends[1]) != len(ends[2]) or ends[1] > ends[2]:
        return []
    return [(ends[1], ends[2])] if ends[2][0].isalpha() or ends[1] not in known else []


def _with_ranges(
    tree: CodeTree, codes: Sequence[str], ranges: Mapping[str, tuple[str, str]]
) -> CodeTree:
    """Put codes without a parent below the narrowest range that contains their beginning."""
    if not ranges:
        return tree
    parents = dict(tree.parents)
    for size in {len(low) for low, _ in ranges.values()}:
        some = [(code, *ends) for code, ends in ranges.items() if len(ends[0]) == size]
        some += [
            (code, code[:size], code[:size])
            for code in codes
            if code not in parents and len(code) >= size
        ]
        some.sort(key=lambda entry: entry[0] in ranges, reverse=True)
        some.sort(key=lambda entry: entry[2], reverse=True)
        some.sort(key=lambda entry: entry[1])
        around: list[tuple[str, str]] = []  # ranges around the next code, the widest first
        for code, _, high in some:
            while around and around[-1][1] < high:
                around.pop()
            if around and around[-1][0] != code:
                parents[code] = around[-1][0]
            if code in ranges:
                around.append((code, high))
    return CodeTree(tree.rule, f"{tree.words}, or the range around it", parents)


# --- doubts -------------------------------------------------------------------------------------


def is_decimal(codes: Iterable[str], mark: str = ".") -> bool | None:
    """Return whether each character after a separator is a level.

    It is True for 250.0 and 250.01. It is False if each part is a number (1.9, 1.10), and None if
    the codes do not decide it.
    """
    some = [code for code in codes if code]
    if any(_PADDED.search(code) for code in some):
        return True
    if not any(map(str.isdecimal, "".join(some))):
        return False
    heads = {code.partition(mark)[0] for code in some}
    if all(_CATEGORY.fullmatch(head) for head in heads):
        return True
    sizes = set(map(len, heads))
    return False if len(sizes) > 1 or sizes == {1} else None


def _doubtful(trees: Sequence[CodeTree]) -> InputError:
    one, other = trees[:2]
    code = next(
        c for c in (*one.parents, *other.parents) if one.parents.get(c) != other.parents.get(c)
    )
    ways = [f"{_place(code, tree)} with --rule {_quoted(tree.rule)}" for tree in trees]
    return InputError(
        f"these codes can be read in {len(trees)} ways: {shown(code)} is {', '.join(ways)}. "
        f"Add one of these rules"
    )


def _quoted(rule: str) -> str:
    return rule if rule[0].isalpha() else shown(rule)


def _place(code: str, tree: CodeTree) -> str:
    return f"below {shown(tree.parents[code])}" if code in tree.parents else "on top"


def _check_codes(codes: Sequence[str], tree: CodeTree) -> None:
    """Refuse numbers that share beginnings by chance, and letters without a place in the tree."""
    numbers = {int(code) for code in codes if code.isdecimal()}
    dense = len(numbers) == len(codes) and len(numbers) >= _DENSE * (
        max(numbers) - min(numbers) + 1
    )
    sizes = [len(_SIGNS.sub("", code)) for code in codes]
    shortest = min(sizes, default=0)
    longer = [code for code, size in zip(codes, sizes, strict=True) if size > shortest]
    lost = [code for code in longer if code not in tree.parents]
    inner = set(tree.parents.values())
    letters = [
        code for code in codes if code.isalpha() and code not in inner and code not in tree.parents
    ]
    by_zeros = tree.rule.partition(":")[0] == _ZEROS
    if dense or (not by_zeros and len(lost) > _LOST[len(numbers) == len(codes)] * len(longer)):
        missing = f"{len(lost):,} of {len(longer):,} longer codes have no beginning in the list"
        reason = (
            "these look like running numbers, not codes"
            if dense
            else f"{missing}, such as {shown(lost[0])}"
        )
        raise InputError(
            f"{reason}. Name a column of parents (--parent), or add --rule beginnings if their "
            f"beginnings are parents"
        )
    if letters and any(code[0].isdecimal() and code not in tree.parents for code in codes):
        raise InputError(
            f"the codes do not show the children of {shown(letters[0])}. Name a column of parents "
            "(--parent), or remove such rows"
        )
