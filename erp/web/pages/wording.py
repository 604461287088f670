"""The texts of the pages: found in the scripts where they are marked, and sent in a language that is not English.

A text is marked by `t("…")`, `t.of("context", "…")`, or `tn("one", "several", n)`, always with literals.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from erp.kernel import language

_LITERAL = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_T = re.compile(rf"\bt\(\s*{_LITERAL}")
_T_OF = re.compile(rf"\bt\.of\(\s*{_LITERAL}\s*,\s*{_LITERAL}")
_TN = re.compile(rf"\btn\(\s*{_LITERAL}\s*,\s*{_LITERAL}")
_CALLS = re.compile(r"(?<!function )\b(?:t|t\.of|tn)\(")


class Message(NamedTuple):
    """A text to translate: in English, its context, and, where a number decides, the text for several."""

    text: str
    context: str = ""
    several: str = ""


def marked(script: str) -> set[Message]:
    """The texts of a script, also one inside another."""
    code = _COMMENT.sub("", script)
    return {
        *(Message(_unquoted(match[1])) for match in _T.finditer(code)),
        *(Message(_unquoted(match[2]), context=_unquoted(match[1])) for match in _T_OF.finditer(code)),
        *(Message(_unquoted(match[1]), several=_unquoted(match[2])) for match in _TN.finditer(code)),
    }


def has_unmarked(script: str) -> bool:
    """Tell whether a script gives `t`, `t.of` or `tn` something else than literals."""
    code = _COMMENT.sub("", script)
    return len(_CALLS.findall(code)) != sum(len(kind.findall(code)) for kind in (_T, _T_OF, _TN))


def in_language(spoken: str, scripts: Iterable[str], *, known: Iterable[str] = ()) -> Mapping[str, str | list[str]]:
    """The wording of the texts of scripts that `known` scripts lack; a list where the number decides."""
    wanted = _keys(scripts) - _keys(known)
    return {key: wording for key, wording in language.wordings(spoken).items() if key in wanted}


def _keys(scripts: Iterable[str]) -> set[str]:
    return {language.key(text, context) for script in scripts for text, context, _ in marked(script)}


def _unquoted(literal: str) -> str:
    return str(ast.literal_eval(literal))
