"""Promises that the source itself keeps, and that no run of the program could prove."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

from tests.paths import ROOT

SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "erp").rglob("*.py")}
SCRIPTS = [path for kind in ("js", "css") for path in (ROOT / "erp" / "frontend").rglob(f"*.{kind}")]

DATABASE_FILE = re.compile(r"(\.db|-wal|-shm)$")
PATHS_OF_DATABASES = {"control_path", "workspaces_dir"}
OPENING = {"copy", "copy2", "copyfile", "copytree", "file_digest", "make_archive", "open", "read_bytes", "read_text"}
OPENING |= {"ZipFile", "write_bytes", "write_text"}
# Read by eye: erp.toml, instance.json under its temporary name, and a log, which SQLite never locks.
REVIEWED = {
    "erp/kernel/config.py: path.read_text('utf-8')",
    "erp/store/connections.py: log.open('rb')",
    "erp/selftest/probes.py: zipfile.ZipFile(file, 'w')",
    "erp/runtime/instance.py: new.write_text(json.dumps(record), 'utf-8')",
}
REPLACING = re.compile(r"\bREPLACE\s+INTO\b|\bOR\s+REPLACE\b", re.IGNORECASE)
LEAKS_ACROSS_TENANTS = {"bind_ctx", "DatabaseProxy"}
INEXACT_FIELDS = {"DecimalField", "DoubleField", "FloatField"}
SQL_OF_SQLITE = re.compile(
    r"\b(printf|julianday|json_(array|object|remove|group_\w+))\(|\bCROSS JOIN [\w.]+( AS \w+)?\s+ON\b", re.IGNORECASE
)
NAME_OF_SQLITE = re.compile(r"(_|py)?sqlite3|Sqlite\w*|CSqlite\w*")
FORM_OF_IBAN = re.compile(r"\[A-Z\]\{2\}(\[0-9\]|\\d)\{2\}")
MONTHS = re.compile(r"\* 12 \+ |\(days=3[0-2]\)\)\.replace\(day=1\)|\(days=\w+\.weekday\(\)\)")
LATE = re.compile(r"today(\(\))? - ([\w.]+\.)?due_date")
POSTING = {"PeriodLocked", "DateInFuture", "AccountClosed", "AmountOutOfRange"}
SIGNED = {("'purchase_invoice'", "-1"), ("'received'", "-1"), ("'made'", "1")}
NAME_OF_A_DAY = re.compile(r"(\w+ )*(February|Februar|Monday|Montag)( \w+)*")
# Clauses in place of nouns, and words that the field does not use; a sentence begins with its noun or its verb.
CLAUSES = r"(?:^|(?<=[.:;] ))(?:What|Who|Whose|Whom|How) \w(?!.*\?$)"
WORDS = (
    r"\b(?:reckon\w*|anew|whoever|somebody|nobody|besides|as they say|of that very|of hers)\b"
    r"|\b(?:[Tt]hat|[Tt]hose) of\b|\bno more(?=[.,;])|\bis clocked in\b"
)
DIALECT = re.compile(f"{CLAUSES}|{WORDS}", re.MULTILINE)
COMMENT = re.compile(r"(?:^|(?<=\s))//.*(?:\n\s*//.*)*|/\*(?:(?!\*/)[\s\S])*", re.MULTILINE)
COMMENT_OF_PYTHON = re.compile(r"(?:^|(?<=\s))# .*(?:\n\s*# .*)*", re.MULTILINE)
REPLACES_ROWS = {"insert_or_replace", "on_conflict_replace", "replace_many"}


@cache
def tree_of(path: str) -> ast.Module:
    return ast.parse(SOURCES[path])


@cache
def by_kind(tree: ast.AST) -> dict[type[ast.AST], list[Any]]:
    """The nodes of a tree, in their order: to walk it for each promise takes longer than to keep the promises."""
    found: dict[type[ast.AST], list[Any]] = {}
    for node in ast.walk(tree):
        found.setdefault(type(node), []).append(node)
    return found


def nodes(tree: ast.AST, *kinds: type[ast.AST]) -> Iterator[Any]:
    return (node for kind in kinds for node in by_kind(tree).get(kind, ()))


spelled = cache(ast.unparse)


def strings(tree: ast.AST) -> Iterator[str]:
    return (node.value for node in nodes(tree, ast.Constant) if isinstance(node.value, str))


def names(tree: ast.AST) -> Iterator[str]:
    yield from (node.id for node in nodes(tree, ast.Name))
    yield from (node.attr for node in nodes(tree, ast.Attribute))
    yield from (node.name for node in nodes(tree, ast.alias))


def modules(tree: ast.AST) -> Iterator[str]:
    yield from (alias.name for node in nodes(tree, ast.Import) for alias in node.names)
    yield from (node.module for node in nodes(tree, ast.ImportFrom) if node.module)


def imports(tree: ast.AST) -> Iterator[str]:
    return (module.split(".")[0] for module in modules(tree))


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def opens_a_database(tree: ast.AST) -> Iterator[str]:
    """Where databases are at hand, an opened file must be named on the spot, and be none of them."""
    if not PATHS_OF_DATABASES & set(names(tree)) and not any(map(DATABASE_FILE.search, strings(tree))):
        return
    for call in (node for node in nodes(tree, ast.Call) if called(node) in OPENING):
        said = [text for text in strings(call) if "." in text]
        if not said or any(map(DATABASE_FILE.search, said)):
            yield spelled(call)


def imports_another_engine(tree: ast.AST) -> Iterator[str]:
    return (name for name in imports(tree) if name in {"_sqlite3", "apsw", "psycopg", "pysqlite3", "sqlite3"})


def names_the_engine(tree: ast.AST) -> Iterator[str]:
    yield from (name for name in names(tree) if NAME_OF_SQLITE.fullmatch(name))
    yield from (module for module in modules(tree) if module.startswith("playhouse."))


def spells_sql_of_sqlite(tree: ast.AST) -> Iterator[str]:
    return (text for text in strings(tree) if SQL_OF_SQLITE.search(text))


def leaks_across_tenants(tree: ast.AST) -> Iterator[str]:
    return (name for name in names(tree) if name in LEAKS_ACROSS_TENANTS)


def keeps_a_fraction(tree: ast.AST) -> Iterator[str]:
    return (name for name in names(tree) if name in INEXACT_FIELDS)


def replaces_rows(tree: ast.AST) -> Iterator[str]:
    yield from (name for name in names(tree) if name in REPLACES_ROWS)
    yield from (text for text in strings(tree) if REPLACING.search(text))
    for node in nodes(tree, ast.Attribute):
        if node.attr == "replace" and _is_of_a_class(node.value):
            yield spelled(node)


def _is_of_a_class(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id[0].isupper()


def uses_floats(tree: ast.AST) -> Iterator[str]:
    yield from (name for name in names(tree) if name == "float")
    yield from (spelled(node) for node in nodes(tree, ast.Constant) if isinstance(node.value, float))


def decodes_an_unknown_type(tree: ast.AST) -> Iterator[str]:
    """Types of ours are decoded after `schema.known`, or by a decoder that is made when the module is read."""
    for call in (node for node in nodes(tree, ast.Call) if called(node) in {"convert", "decode"}):
        if called(call) == "convert":
            types = call.args[1:2] if spelled(call.func) == "msgspec.convert" else []
        else:
            types = [keyword.value for keyword in call.keywords if keyword.arg == "type"]
        yield from (spelled(call) for kind in types if not _is_known(kind))


def _is_known(kind: ast.expr) -> bool:
    return (isinstance(kind, ast.Call) and called(kind) == "known") or spelled(kind) in {"list[str]", "hint"}


def decodes_a_request(tree: ast.AST) -> Iterator[str]:
    """Rules take commands; the kernel decodes the body that a responder turns into one."""
    calls = (node for node in nodes(tree, ast.Call) if called(node) == "decode")
    yield from (spelled(call) for call in calls if spelled(call.func) == "schema.decode")
    for node in nodes(tree, ast.ImportFrom):
        if node.module == "erp.web.schema":
            yield from (alias.name for alias in node.names if alias.name == "decode")


def checks_an_iban(tree: ast.AST) -> Iterator[str]:
    """The length and the check digits of an IBAN, or the pattern that each begins with."""
    yield from (module for module in modules(tree) if module == "stdnum.iban")
    yield from (text for text in strings(tree) if FORM_OF_IBAN.search(text))
    yield from (spelled(node) for node in nodes(tree, ast.BinOp) if spelled(node).endswith(" % 97"))
    for node in nodes(tree, ast.ImportFrom):
        if node.module == "stdnum":
            yield from (alias.name for alias in node.names if alias.name == "iban")


def counts_months_or_weeks(tree: ast.AST) -> Iterator[str]:
    """The last day of a month, a day some months later, the Monday of a week."""
    yield from (name for name in (*names(tree), *modules(tree)) if name in {"monthrange", "relativedelta", "dateutil"})
    yield from (spelled(node) for node in nodes(tree, ast.BinOp) if MONTHS.search(spelled(node)))


def spells_a_month_or_weekday(tree: ast.AST) -> Iterator[str]:
    """A month in words, on its own or in a row; the same by a code of `strftime`."""
    return (text for text in strings(tree) if NAME_OF_A_DAY.fullmatch(text) or "%B" in text or "%A" in text)


def groups_thousands(tree: ast.AST) -> Iterator[str]:
    """A point or a comma by the language: `1.250,00`."""
    return (spelled(node) for node in nodes(tree, ast.Call) if [*strings(node)][:2] == [",.", ".,"])


def judges_what_is_overdue(tree: ast.AST) -> Iterator[str]:
    return (text for text in strings(tree) if "due_date < :today" in text)


def counts_late_days(tree: ast.AST) -> Iterator[str]:
    """Days since a due date."""
    return (spelled(node) for node in nodes(tree, ast.BinOp) if LATE.fullmatch(spelled(node)))


def voids_a_record(tree: ast.AST) -> Iterator[str]:
    return (text for text in strings(tree) if text == "{number} is already void.")


def refuses_a_posting(tree: ast.AST) -> Iterator[str]:
    """The refusals of every posting in a row of an area's own."""
    tuples = nodes(tree, ast.Tuple)
    return (spelled(row) for row in tuples if set(names(row)) >= POSTING)


def lists_between_days(tree: ast.AST) -> Iterator[str]:
    """The filter of a list by its query's `date_from`, built from a column of a model."""
    compared = (node for node in nodes(tree, ast.Compare) if isinstance(node.ops[0], ast.GtE))
    return (spelled(node) for node in compared if spelled(node.comparators[0]) == "query.date_from")


def signs_a_document(tree: ast.AST) -> Iterator[str]:
    """Whether a kind of document debits or credits its contact."""
    for node in nodes(tree, ast.Dict):
        pairs = {(spelled(key), spelled(value)) for key, value in zip(node.keys, node.values, strict=True) if key}
        if pairs & SIGNED:
            yield spelled(node)


def deducts_a_deposit(tree: ast.AST) -> Iterator[str]:
    """A deposit is applied; deductions are cash discounts and write-offs."""
    yield from (name for name in names(tree) if "deduct" in name.lower())
    for node in nodes(tree, ast.Module, ast.ClassDef, ast.FunctionDef):
        told = (getattr(node, "name", ""), ast.get_docstring(node) or "")
        yield from (text for text in told if "deduct" in text.lower())


def names_control_accounts(tree: ast.AST) -> Iterator[str]:
    """The subtypes of accounts whose postings name a contact."""
    rows = nodes(tree, ast.Tuple, ast.Set, ast.List)
    return (spelled(row) for row in rows if [*strings(row)] == ["receivable", "payable"])


def chooses_a_plural(tree: ast.AST) -> Iterator[str]:
    """Two wordings of a number are chosen between by `counted`."""
    tests = (node.test for node in nodes(tree, ast.IfExp) if "says(" in spelled(node))
    return (spelled(test) for test in tests if re.fullmatch(r"\w+ (==|>|!=) 1", spelled(test)))


def titles_a_document(tree: ast.AST) -> Iterator[str]:
    return (text for text in strings(tree) if text in {"Credit note", "Supplier credit note"})


def lays_out_an_address(tree: ast.AST) -> Iterator[str]:
    """The line of an address with postal code and town."""
    calls = (node for node in nodes(tree, ast.Call) if called(node) == "join")
    return (spelled(call) for call in calls if {"postal_code", "city"} & {*strings(call), *names(call)})


def speaks_dialect(tree: ast.AST) -> Iterator[str]:
    """In docstrings, of attributes too, in descriptions of fields, and in messages."""
    texts = [node.value for node in nodes(tree, ast.Expr)]
    texts += [node.value for node in nodes(tree, ast.keyword) if node.arg == "description"]
    texts += [text for node in nodes(tree, ast.Call) if called(node) in {"says", "one"} for text in node.args]
    for text in texts:
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and DIALECT.search(text.value):
            yield " ".join(text.value.split())


def says_nothing(tree: ast.AST) -> Iterator[str]:
    if isinstance(tree, ast.Module) and not ast.get_docstring(tree):
        yield "no docstring"


Check = Callable[[ast.AST], Iterator[str]]

PROMISES: list[tuple[Check, str, str]] = [
    (opens_a_database, "erp/", "def copy(config): return config.control_path.read_bytes()"),
    (opens_a_database, "erp/", "zip.open(folder / 'control.db-wal')"),
    (imports_another_engine, "erp/", "import sqlite3"),
    (imports_another_engine, "erp/", "from pysqlite3 import dbapi2"),
    (names_the_engine, "erp/", "from peewee import DatabaseError, sqlite3"),
    (names_the_engine, "erp/", "connections.sqlite3.connect(path)"),
    (names_the_engine, "erp/", "from peewee import SqliteDatabase"),
    (names_the_engine, "erp/", "from playhouse.sqlite_ext import FTS5Model"),
    (spells_sql_of_sqlite, "erp/", "f\"SELECT printf('%05d', {number})\""),
    (spells_sql_of_sqlite, "erp/", "'SELECT julianday(due_date) FROM invoice'"),
    (spells_sql_of_sqlite, "erp/", "'SELECT json_group_array(id) FROM invoice'"),
    (spells_sql_of_sqlite, "erp/", "'SELECT id FROM own CROSS JOIN invoice AS i ON i.id = own.document_id'"),
    (imports_another_engine, "erp/", "import psycopg"),
    (leaks_across_tenants, "erp/", "with database.bind_ctx([Account]): ..."),
    (leaks_across_tenants, "erp/", "from peewee import DatabaseProxy"),
    (keeps_a_fraction, "erp/", "amount = peewee.DecimalField()"),
    (replaces_rows, "erp/", "Account.replace(code='1000').execute()"),
    (replaces_rows, "erp/", "'INSERT OR REPLACE INTO account VALUES (1)'"),
    (uses_floats, "erp/kernel/money.py", "def share(amount: int) -> float: ..."),
    (uses_floats, "erp/finance/", "total * 0.2"),
    (decodes_an_unknown_type, "erp/", "msgspec.json.decode(text, type=list[TaskView])"),
    (decodes_an_unknown_type, "erp/", "msgspec.convert(stored, Repeat)"),
    (decodes_a_request, "erp/", "invoices.create(schema.decode({'lines': lines}, NewInvoice))"),
    (decodes_a_request, "erp/", "from erp.web.schema import decode"),
    (checks_an_iban, "erp/", "from stdnum import iban"),
    (checks_an_iban, "erp/", "re.fullmatch(r'[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}', text)"),
    (checks_an_iban, "erp/", "int(digits) % 97 == 1"),
    (counts_months_or_weeks, "erp/", "calendar.monthrange(2026, 2)"),
    (counts_months_or_weeks, "erp/", "divmod(day.year * 12 + day.month - 1 + months, 12)"),
    (counts_months_or_weeks, "erp/", "(start + timedelta(days=31)).replace(day=1) - timedelta(days=1)"),
    (counts_months_or_weeks, "erp/", "day - timedelta(days=day.weekday())"),
    (spells_a_month_or_weekday, "erp/", "MONTHS = ('January', 'February', 'March')"),
    (spells_a_month_or_weekday, "erp/", "MONTHS = 'Januar Februar März'.split()"),
    (spells_a_month_or_weekday, "erp/", "DAYS = [Word('Monday')]"),
    (spells_a_month_or_weekday, "erp/", "f'{day:%d %B}'"),
    (groups_thousands, "erp/", "f'{amount:,}'.translate(str.maketrans(',.', '.,'))"),
    (judges_what_is_overdue, "erp/", "'SELECT id FROM task WHERE due_date < :today'"),
    (counts_late_days, "erp/", "late = (today - item.due_date).days"),
    (voids_a_record, "erp/", "raise InvalidTransition(says('{number} is already void.', number=run.number))"),
    (
        refuses_a_posting,
        "erp/",
        "REFUSED = (periods.PeriodLocked, periods.DateInFuture, ledger.AccountClosed, ledger.AmountOutOfRange)",
    ),
    (lists_between_days, "erp/", "select.where(Payment.date >= query.date_from)"),
    (signs_a_document, "erp/", "SIGNS = {'sales_invoice': 1, 'purchase_invoice': -1}"),
    (names_control_accounts, "erp/", "account.subtype in ('receivable', 'payable')"),
    (deducts_a_deposit, "erp/finance/documents/deposits/", "class Deduction: ..."),
    (deducts_a_deposit, "erp/finance/documents/deposits/", "def received(): 'All that a final invoice deducts.'"),
    (chooses_a_plural, "erp/", "says('1 task') if count == 1 else says('{count} tasks', count=count)"),
    (titles_a_document, "erp/", "KINDS = {'sales_credit_note': Word('Credit note')}"),
    (lays_out_an_address, "erp/", "' '.join([address['postal_code'], address['city']])"),
    (lays_out_an_address, "erp/", "' '.join(filter(None, (address.postal_code, address.city)))"),
    (says_nothing, "erp/", "import os"),
    (speaks_dialect, "erp/", "def totals(): 'What a document comes to.'"),
    (speaks_dialect, "erp/", "'The number of pages. Who may read them is an owner.'"),
    (speaks_dialect, "erp/", "Meta(description='The balance, less that of its group.')"),
    (speaks_dialect, "erp/", "says('{number} is doubtful no more.', number=number)"),
]


ALLOWED: dict[Check, tuple[str, ...]] = {
    names_the_engine: ("erp/store/", "erp/migrations/"),
    spells_sql_of_sqlite: ("erp/store/sql.py", "erp/store/search/", "erp/migrations/"),
    decodes_a_request: (
        "erp/web/",
        *(
            "erp/finance/documents/reading.py",
            "erp/finance/billing/recurring/making.py",
            "erp/finance/dunning/terms.py",
            "erp/finance/quotes/reading.py",
        ),  # stored as texts
        "erp/hr/payroll/components/templates.py",  # files of the program
        *("erp/auth/users.py", "erp/system/transfer/registration.py"),  # typed at a prompt
    ),
    checks_an_iban: ("erp/kernel/ibans.py", "erp/selftest/"),
    counts_months_or_weeks: ("erp/kernel/days.py", "erp/demo/", "erp/migrations/"),
    spells_a_month_or_weekday: (
        "erp/kernel/language.py",
        *("erp/finance/books/exchange_rates/ecb.py", "erp/demo/days.py"),  # read files
    ),
    groups_thousands: ("erp/kernel/language.py",),
    judges_what_is_overdue: (
        *("erp/projects/states.py", "erp/tasks/statuses.py"),
        *("erp/finance/books/open_items.py", "erp/finance/documents/overdue.py"),
        *("erp/finance/contacts/store.py", "erp/desk/home/books.py"),  # credits lower a contact's sum; days of a bill
    ),
    counts_late_days: ("erp/finance/books/open_items.py",),
    voids_a_record: ("erp/finance/books/voids.py", "erp/finance/documents/allowed.py"),  # by its standing
    refuses_a_posting: ("erp/finance/books/ledger.py",),
    lists_between_days: ("erp/web/paging.py", "erp/finance/journals/listing.py"),  # a condition among others
    signs_a_document: ("erp/finance/items/documents.py",),
    names_control_accounts: ("erp/finance/books/chart.py", "erp/finance/items/documents.py"),  # the names of its type
    titles_a_document: ("erp/finance/documents/posting.py",),
    lays_out_an_address: ("erp/web/address.py",),
    # Millimetres; amounts are texts there.
    uses_floats: ("erp/finance/output/paper/pages.py", "erp/finance/output/paper/sheet.py"),
}
"""Where a promise does not hold, since these rooms hide from the others what it is about."""


def offences(check: Check, part: str) -> list[str]:
    chosen = [path for path in SOURCES if path.startswith(part)]
    assert chosen, f"nothing to look at in {part}"
    allowed = ALLOWED.get(check, ())
    bound = [path for path in chosen if not path.startswith(allowed)]
    broken = {f"{path}: {what}" for path in bound for what in check(tree_of(path))}
    return sorted(broken - REVIEWED)


def test_no_source_breaks_a_promise():
    """All at once: to parse the sources takes longer than to check them."""
    for check, _, example in PROMISES:
        assert list(check(ast.parse(example))), f"{check.__name__} would not notice {example}"
    kept = {(check, part) for check, part, _ in PROMISES}
    assert {check.__name__: found for check, part in kept if (found := offences(check, part))} == {}


def dialect_in(script: str, comment: re.Pattern[str] = COMMENT) -> list[str]:
    """Comments with words of the dialect, which a line may break in two."""
    comments = (re.sub(r"\s*(?://|[*#]|\s)+", " ", text).strip() for text in comment.findall(script))
    return [comment for comment in comments if re.search(WORDS, comment)]


def test_no_comment_of_a_module_speaks_the_dialect():
    assert dialect_in("run()  # told that it counts no\n# more.\n", COMMENT_OF_PYTHON) == [
        "told that it counts no more."
    ]
    found = {path: dialect_in(text, COMMENT_OF_PYTHON) for path, text in SOURCES.items()}
    assert {path: comments for path, comments in found.items() if comments} == {}


def test_no_comment_of_a_page_speaks_the_dialect():
    assert dialect_in("run(); // told that it counts no\n    // more.\n") == ["told that it counts no more."]
    assert dialect_in("/**\n * The names are those\n * of people.\n */") == ["/ The names are those of people."]
    found = {str(path.relative_to(ROOT)): dialect_in(path.read_text("utf-8")) for path in SCRIPTS}
    assert {path: comments for path, comments in found.items() if comments} == {}


def dialect_of_page(text: str) -> list[str]:
    """Sentences of documentation with words of the dialect, outside code and lists of forbidden words."""
    left_out = r"^```.*?^```$|`[^`]*`|^## Never in .*?(?=^## |\Z)"
    prose = re.sub(left_out, "", text, flags=re.DOTALL | re.MULTILINE)
    return [" ".join(hit[0].split()) for hit in re.finditer(WORDS.replace(" ", r"\s+"), prose, re.IGNORECASE)]


def test_no_page_of_documentation_speaks_the_dialect():
    assert dialect_of_page("Its labels are those\nof the program. Whoever approves.") == ["those of", "Whoever"]
    pages = [ROOT / "README.md", *(ROOT / "erp" / "docs").rglob("*.md")]
    found = {str(page.relative_to(ROOT)): dialect_of_page(page.read_text("utf-8")) for page in pages}
    assert {page: words for page, words in found.items() if words} == {}


def test_packaging_is_not_a_package_that_would_shadow_another():
    assert (ROOT / "packaging").is_dir()
    assert not list((ROOT / "packaging").rglob("__init__.py"))


def imported(path: str) -> set[str]:
    """The modules of ours that a module needs to be there before it."""
    paths: set[str] = set()
    for node in nodes(tree_of(path), ast.ImportFrom):
        if node.module and node.module.split(".")[0] == "erp":
            base = node.module.replace(".", "/")
            inner = {f"{base}/{alias.name}.py" for alias in node.names}
            paths |= (inner & SOURCES.keys()) or {f"{base}.py"} & SOURCES.keys()
    return paths


def test_no_modules_import_each_other_in_a_circle():
    """Areas use each other's rules; their modules still have an order."""
    order = list(TopologicalSorter({path: imported(path) for path in SOURCES}).static_order())
    assert (
        order.index("erp/finance/books/models.py")
        < order.index("erp/finance/books/ledger.py")
        < order.index("erp/runtime/server.py")
    )
