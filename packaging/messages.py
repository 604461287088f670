"""Collect the messages of the program and bring `erp/messages/de.po` up to date, with polib.

Run `python packaging/messages.py`. New messages are added without a translation, those that are gone are dropped, and
what is translated stays. The English text and its context are the key. A message is a literal that is marked where it
is written (`MARKS`), or the docstring of a refusal, which is its message by definition; `erp/web/pages/wording.py`
finds those of the pages. No files or lines are noted, since they change.
Once every message is translated, `tests/kernel/test_messages.py` passes.

An own walk over the syntax tree: Babel would need a plugin for docstrings of refusals and for `t.of`, which is most of
this file, and notes the places that are left out here.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from erp.web.pages import wording
from erp.web.pages.wording import Message

if TYPE_CHECKING:
    import polib

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "erp"
CATALOGUE = SOURCES / "messages" / "de.po"

MARKS = ("says", "Word", "Noun")
"""What marks a text in Python; in JavaScript it is `t`, `t.of` and `tn`."""
MARKING = "kernel/language"
"""The module that defines them."""
IN_ENGLISH = ("commands", "runtime")
"""Rooms whose refusals only the command line shows, which speaks English alone."""
OF_NOUNS = ("There is no such {noun}.", "There is no such {noun} in this workspace.")


def main() -> None:
    """Bring the catalogue up to date."""
    import polib

    if places := [*unmarked_in_python(), *unmarked_in_javascript()]:
        sys.exit("No literal is marked here:\n" + "\n".join(places))
    messages = in_python() | in_javascript()
    catalogue = polib.pofile(str(CATALOGUE), wrapwidth=118)
    known = {message_of(entry): entry for entry in catalogue if not entry.obsolete}
    catalogue[:] = [known.get(message) or _entry(message) for message in sorted(messages)]
    for entry in catalogue:
        entry.comment, entry.occurrences = "", []
    catalogue.save()
    added = messages - known.keys()
    print(f"{len(catalogue)} messages, {len(added)} of them new, {len(known) + len(added) - len(catalogue)} dropped")


def message_of(entry: "polib.POEntry") -> Message:
    """The message of an entry of the catalogue."""
    return Message(entry.msgid, entry.msgctxt or "", entry.msgid_plural or "")


def _entry(message: Message) -> "polib.POEntry":
    import polib

    entry = polib.POEntry(msgid=message.text, msgctxt=message.context or None, msgid_plural=message.several)
    if message.several:
        entry.msgstr_plural = {0: "", 1: ""}
    return entry


def in_python() -> set[Message]:
    """Every message of the Python files."""
    trees = _trees()
    refusals = _refusals(trees.values())
    messages: set[Message] = set()
    for name, tree in trees.items():
        if not name.startswith(IN_ENGLISH):
            messages |= {*_docstrings(tree, refusals), *_marked(tree)}
    return messages


def in_javascript() -> set[Message]:
    """Every message of the frontend."""
    return {message for script in _scripts().values() for message in wording.marked(script)}


def unmarked_in_python() -> list[str]:
    """Where a mark is given something else than a literal: no one can translate that."""
    return [
        f"erp/{name}.py:{call.lineno}"
        for name, tree in _trees().items()
        if name != MARKING
        for call in _marks(tree)
        if not _literals(call.args[0])
    ]


def unmarked_in_javascript() -> list[str]:
    """Scripts in which `t`, `t.of` or `tn` is given something else than literals."""
    return [f"erp/{name}" for name, script in _scripts().items() if wording.has_unmarked(script)]


def _trees() -> dict[str, ast.Module]:
    return _parsed(SOURCES)


@cache
def _parsed(sources: Path) -> dict[str, ast.Module]:
    paths = sorted(sources.rglob("*.py"))
    return {path.relative_to(sources).with_suffix("").as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def _scripts() -> dict[str, str]:
    paths = sorted((SOURCES / "frontend").rglob("*.js"))
    return {path.relative_to(SOURCES).as_posix(): path.read_text("utf-8") for path in paths}


def _refusals(trees: Iterable[ast.Module]) -> set[str]:
    """The names of `Refusal` and of all that derive from it."""
    bases: dict[str, set[str]] = {}  # two rooms may use one name
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = bases.get(node.name, set()) | _bases(node)
    names = {"Refusal"}
    while more := {name for name, of in bases.items() if of & names} - names:
        names |= more
    return names


def _bases(node: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).rpartition(".")[2] for base in node.bases}


def _docstrings(tree: ast.Module, refusals: set[str]) -> Iterator[Message]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (node.name == "Refusal" or _bases(node) & refusals):
            yield Message(" ".join((ast.get_docstring(node) or "").split("\n\n")[0].split()))


def _marked(tree: ast.Module) -> Iterator[Message]:
    for call in _marks(tree):
        texts, context = _literals(call.args[0]), "".join(text for arg in call.args[1:] for text in _literals(arg))
        if _name(call) == "Noun":
            texts = [sentence.format(noun=noun) for noun in texts for sentence in OF_NOUNS]
        yield from (Message(text, context=context) for text in texts)


def _marks(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node) in MARKS and node.args)


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func)


def _literals(node: ast.expr) -> list[str]:
    """The literal, or both of `one if … else another`; none where it is something else."""
    if isinstance(node, ast.IfExp):
        one, other = _literals(node.body), _literals(node.orelse)
        return [*one, *other] if one and other else []
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


if __name__ == "__main__":
    main()
