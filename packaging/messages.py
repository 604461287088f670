"""Collect the messages of the program and bring `erp/messages/de.po` up to date, with polib.

Run `python packaging/messages.py`. New messages are added without a translation, those that are gone are dropped, and
what is translated stays. The English sentence is the key. In Python these are the docstrings of refusals, what `says`
and `Word` are given, and every other text that reads like a sentence; in JavaScript what `t` and `tn` are given.
Once every message is translated, `tests/kernel/test_messages.py` passes.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "erp"
CATALOGUE = SOURCES / "messages" / "de.po"

Found = dict[tuple[str, str | None], set[str]]
"""The files in which a message is, by its English sentence and, where a number decides, that for several."""

COMMANDS = ("commands", "runtime")
NEVER_ANSWERED = (  # what the command line, the log and the documentation say
    *("__main__", "app", "cli", "commands", "demo", "migrations", "runtime", "selftest", "web/docs", "web/openapi"),
    *(
        "kernel/config",
        "kernel/options",
        "kernel/paper",
        "store/connections",
        "store/disk",
        "store/events",
    ),
    *("system/backups", "system/checks", "system/inspection", "system/transfer", "system/upkeep", "system/info"),
    *("workspace/stored", "workspace/country_list"),
)
SHOWN_WITH_RECORDS = (  # sentences in the fields of records
    *("finance/billing/recurring/due", "finance/billing/recurring/making"),
    "hr/leave/holidays/recounting",
)
NO_REFUSALS = (  # what records keep, documentation, and mistakes in the installation
    "As for `POST /finance/invoices`, ",
    "Forgot to clock out.",
    "The employment was changed.",
    "The holidays changed.",
    "The leave type was changed.",
    "The package ",
    "The work schedule was changed.",
    "Today when absent, ",
    "Every number series must have a format.",
)
DESCRIBING = ("Meta", "ValueError", "TypeError", "BadContract", "warning", "info", "error", "_seed", "Named")
"""What is called with sentences that no refusal says: documentation, the log, mistakes of programmers."""
DESCRIBED = ("json_schema", "EXAMPLE", "DESCRIPTION")

SENTENCE = re.compile(r"([a-z]\w*: )?[A-Z{`'].* .*[.:]( \{\w+\})?", re.DOTALL)
SQL = re.compile(r"\b(SELECT|FROM|WHERE|JOIN|VALUES)\b")
NOUNS = ("UnknownReference", "unknown", "refuse_any")
OF_NOUNS = (
    "There is no such {noun}.",
    "There is no such {noun} in this workspace.",
)
OF_ARCHIVED = ("The {noun} is already archived.", "The {noun} is not archived.")

WORDS = (  # the closed sets whose values stand in sentences
    *("finance.books.chart:AccountType", "finance.books.bodies:Subtype", "finance.documents.bodies:InvoiceKind"),
    *("finance.invoices.views:InvoiceStatus", "finance.write_downs.views:DeductionKind"),
    *("finance.contacts.store:Side", "finance.books.chart:Side"),
    *("hr.attendance.corrections.corrections:CorrectionStatus", "hr.leave.views:Status"),
    *("hr.payroll.models:RunStatus", "kernel.roles:Role", "members.invites:Status", "members.memberships:Status"),
    *("projects.states:Status", "tasks.statuses:Status", "finance.items.documents:Direction"),
)
MORE_WORDS = (
    *("and", "or", "amount", "percent", "percentage", "tasks", "time", "Void", "cash discount", "write-off"),
    *("invoice", "open item", "payment", "transfer", "revaluation", "payroll run", "offset"),
    *("payment received", "payment made"),
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "{weekday} is not a working day"),
    *("{count} unpaid invoice ({numbers})", "{count} unpaid invoices ({numbers})"),
    *("{count} unpaid bill ({numbers})", "{count} unpaid bills ({numbers})"),
    *("{count} open credit note ({numbers})", "{count} open credit notes ({numbers})"),
    *("{count} unallocated payment ({numbers})", "{count} unallocated payments ({numbers})"),
    *("recalculated", "deleted", "changed", "approved", "paid", "reversed"),
)
_T = re.compile(r"""\bt\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_TN = re.compile(r"""\btn\(\s*("(?:[^"\\]|\\.)*")\s*,\s*("(?:[^"\\]|\\.)*")""")


def main() -> None:
    """Bring the catalogue up to date."""
    import polib

    found = in_python() | in_javascript()
    catalogue = polib.pofile(str(CATALOGUE), wrapwidth=118)
    known = {(entry.msgid, entry.msgid_plural or None): entry for entry in catalogue if not entry.obsolete}
    added = found.keys() - known.keys()
    for one, several in added:
        known[one, several] = polib.POEntry(msgid=one, msgid_plural=several or "")
        if several:
            known[one, several].msgstr_plural = {0: "", 1: ""}
    catalogue[:] = [entry for key, entry in sorted(known.items(), key=lambda item: item[0][0]) if key in found]
    for entry in catalogue:
        entry.occurrences = [(file, "") for file in sorted(found[entry.msgid, entry.msgid_plural or None])]
    catalogue.save()
    print(f"{len(catalogue)} messages, {len(added)} of them new, {len(known) - len(catalogue)} dropped")


def in_python() -> Found:
    """Every message of the Python files."""
    found: Found = {}
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCES.rglob("*.py"))}
    refusals = _refusals(trees.values())
    for path, tree in trees.items():
        name = path.relative_to(SOURCES).with_suffix("").as_posix()
        if name.startswith(COMMANDS):
            continue
        texts = {*_docstrings(tree, refusals), *_given(tree), *_of_nouns(tree)}
        texts |= set() if name.startswith(NEVER_ANSWERED + SHOWN_WITH_RECORDS) else set(_sentences(tree))
        for text in texts:
            found.setdefault((text, None), set()).add(f"erp/{name}.py")
    for word in _words():
        found.setdefault((word, None), set()).add("packaging/messages.py")
    return found


def in_javascript() -> Found:
    """Every message of the frontend: the literals that `t` and `tn` are given, also one inside another."""
    found: Found = {}
    for path in sorted((SOURCES / "frontend").rglob("*.js")):
        source = path.read_text("utf-8")
        singles = {(_unquoted(match[1]), None) for match in _T.finditer(source)}
        for message in singles | {(_unquoted(match[1]), _unquoted(match[2])) for match in _TN.finditer(source)}:
            found.setdefault(message, set()).add(f"erp/{path.relative_to(SOURCES).as_posix()}")
    return found


def unsaid() -> list[str]:
    """The sentences that are put together by an f-string: no one can translate them."""
    places = []
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).with_suffix("").as_posix()
        if name.startswith(NEVER_ANSWERED + SHOWN_WITH_RECORDS + ("kernel/roles",)):
            continue
        joined = (node for node in _said(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.JoinedStr))
        places += [f"erp/{name}.py:{node.lineno}" for node in joined if not _is_of_nouns(node)]
    return places


def _unquoted(literal: str) -> str:
    return str(ast.literal_eval(literal))


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


def _docstrings(tree: ast.Module, refusals: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (node.name == "Refusal" or _bases(node) & refusals):
            yield " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())


def _given(tree: ast.Module) -> Iterator[str]:
    """What `says` and `Word` are given."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node) in ("says", "Word") and node.args:
            yield from () if isinstance(node.args[0], ast.JoinedStr) else _texts(node.args[0])


def _of_nouns(tree: ast.Module) -> Iterator[str]:
    """The sentences about a record that there is not, or that is archived, for each noun."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            archived = OF_ARCHIVED if "archived_at" in ast.unparse(node) else ()
            for noun in _class_nouns(node):
                yield from (wording.format(noun=noun) for wording in (OF_NOUNS[0], *archived))
        if isinstance(node, ast.Call) and _name(node) in NOUNS and len(node.args) > 1:
            yield from (OF_NOUNS[1].format(noun=noun) for noun in _texts(node.args[1]))


def _class_nouns(node: ast.ClassDef) -> Iterator[str]:
    for line in node.body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "noun":
            yield from _texts(line.value)


def _texts(node: ast.AST) -> Iterator[str]:
    return (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))


def _sentences(tree: ast.Module) -> Iterator[str]:
    for node in _said(tree):
        if isinstance(node, ast.Constant) and not node.value.startswith(NO_REFUSALS):
            yield node.value


def _said(tree: ast.Module) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The texts that read like sentences and do not describe anything."""
    passed = _passed_over(tree)
    for node in ast.walk(tree):
        if node in passed:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            text = re.sub(r"([.:]) \{\}$", r"\1", "".join(parts))  # a sentence, and another after it
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if SENTENCE.fullmatch(text) and not SQL.search(text):
            yield node


def _passed_over(tree: ast.Module) -> set[ast.AST]:
    """Docstrings, descriptions, what the log is told, and the parts of f-strings."""
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(node.value)
        elif isinstance(node, ast.AnnAssign):
            passed |= set(ast.walk(node if ast.unparse(node.target) in DESCRIBED else node.annotation))
        elif _describes(node):
            passed |= set(ast.walk(node))
        elif isinstance(node, ast.JoinedStr):
            passed |= set(ast.walk(node)) - {node}
    return passed


def _describes(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) in DESCRIBED
    if isinstance(node, ast.keyword):
        return node.arg == "description"
    return isinstance(node, ast.Call) and _name(node) in DESCRIBING


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _is_of_nouns(node: ast.JoinedStr) -> bool:
    wording = "".join(part.value if isinstance(part, ast.Constant) else "{noun}" for part in node.values)
    return wording in OF_NOUNS + OF_ARCHIVED


def _words() -> Iterator[str]:
    """The words of the program's own that stand in sentences: statuses, kinds, roles, and rights."""
    sys.path.insert(0, str(ROOT))
    roles = import_module("erp.kernel.roles")
    for place in WORDS:
        module, _, name = place.partition(":")
        values = get_args(getattr(import_module(f"erp.{module}"), name))
        yield from {*values, *(value.replace("_", " ") for value in values)}
    yield from MORE_WORDS
    yield from (roles.lacking("viewer", permission).values["right"] for permission in roles.PERMISSION_NAMES)


if __name__ == "__main__":
    main()
