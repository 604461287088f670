"""Attacks on the books: triggers in the file refuse every change of what is posted, whichever program makes it."""

import re
from datetime import date

import pytest
from peewee import IntegrityError

from erp.finance.books import ledger
from erp.finance.books.ledger import Leg
from erp.finance.books.models import Account
from erp.finance.contacts.models import Contact
from erp.store import events, workspace_settings
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from tests.conftest import Installation
from tests.finance.books.balances import rolled_back

DAY = date(2026, 3, 10)
AGAINST = {
    "fixed": "never changed",
    "stays": "never deleted",
    "late": "takes no further postings",
    "events": "next place in the chain",
    "sum": "as many postings as it says, which sum to zero",
    "unfinished": "FOREIGN KEY",
    "unique": "UNIQUE",
}


def accounts():
    return {account.code: account.id for account in Account.select()}


def post(amount=100, day=DAY, debit="1010", credit="3000", **more):
    ids = accounts()
    legs = [Leg(ids[debit], amount), Leg(ids[credit], -amount)]
    return ledger.post(day, "An entry", legs, **{"kind": "manual", **more})


def document(status="draft", number=None):
    """An invoice with a line, an allowance and a tax, written to the file directly."""
    contact = Contact.get_or_none() or Contact.add(kind="customer", name="Initech")
    id, seq = new_id(), number and int(number)
    row = {
        "id": id,
        "version": 1,
        "created_at": "2026",
        "updated_at": "2026",
        "kind": "sales_invoice",
        "status": "draft",
        "contact_id": contact.id,
        "contact_name": "Initech",
        "issue_date": "2026-03-01",
        "due_date": "2026-03-31",
        "currency": "EUR",
        "prices_include_tax": 0,
        "tax_rounding": "document",
        "terms": "{}",
        **dict.fromkeys(("subtotal", "total", "base_total"), 100),
        **dict.fromkeys(("discount_total", "charge_total", "tax_total", "rounding_amount"), 0),
        **dict.fromkeys(("amount_paid", "amount_credited"), 0),
    }
    insert("invoice", row)
    part = {"id": new_id(), "invoice_id": id, "position": 0}
    amounts = {"quantity": 1, "unit_price": 1, "price_base_quantity": 1, "net": 100, "tax": 0, "gross": 100}
    account = {"account_id": accounts()["4000"]}
    insert("invoice_line", part | amounts | account | {"description": "Work"})
    insert("invoice_adjustment", part | account | {"is_charge": 0, "amount": 1})
    insert("invoice_tax", part | {"category": "S", "rate": 1, "base": 100, "amount": 0})
    if number:
        issued = (status, number, seq, id)
        WORKSPACE.run("UPDATE invoice SET status = ?, number = ?, fiscal_year = 2026, seq = ? WHERE id = ?", issued)
    return id


def payment(entry_id):
    id = new_id()
    row = {"id": id, "version": 1, "created_at": "2026", "updated_at": "2026", "number": "P1", "fiscal_year": 2026}
    row |= {"seq": 1, "direction": "received", "status": "void", "contact_id": Contact.get().id, "amount": 5}
    row |= {"currency": "EUR", "base_amount": 5, "date": "2026-03-01", "method": "cash"}
    insert("payment", row | {"account_id": accounts()["1010"], "journal_entry_id": entry_id})
    return id


def item(document_id, amount):
    id = new_id()
    row = {"id": id, "line": -1, "document_type": "invoice", "document_id": document_id, "number": "1"}
    row |= {"account_id": accounts()["1100"], "contact_id": Contact.get().id, "date": "2026-03-01"}
    row |= {
        "document_date": "2026-03-01",
        "due_date": "2026-03-01",
        "currency": "EUR",
        "amount": amount,
        "base_amount": amount,
    }
    insert("open_item", row | {"open": amount, "open_base": amount})
    return id


def insert(table, row):
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    WORKSPACE.run(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """An office with at least one record of every kind in its books, and the names that the attacks use."""
    office = Installation(tmp_path_factory.mktemp("books")).office("Olga")
    with office.books(write=True):
        names = {"entry": post(day=date(2026, 2, 1)).id, "other": post(200, day=date(2026, 2, 2)).id}
        names["reversed"] = post(300, day=date(2026, 2, 3), kind="invoice", source=("invoice", "i0")).id
        names["mirror"] = ledger.reverse(names["reversed"], DAY, "Undone").id
        names["sourced"] = post(400, kind="invoice", source=("invoice", "i1")).id
        names |= {"issued": document("issued", "1"), "void": document("void", "2"), "draft": document()}
        names["payment"] = payment(names["entry"])
        names |= {"item": item(names["issued"], 5), "credit": item(names["payment"], -5), "allocation": new_id()}
        row = {"id": names["allocation"], "created_at": "2026", "from_item_id": names["credit"]}
        row |= {"to_item_id": names["item"], "amount": 5, "date": "2026-03-01", "from_base": 5}
        insert("allocation", row | {"to_base": 5})
        group = Account.add(code="1", name="G", type="asset", subtype="bank", is_group=True, currency="EUR")
        Account.update(archived_at="2026").where(Account.code == "6400").execute()
        workspace_settings.current().change(lock_date=date(2026, 1, 31))
        events.write("workspace.updated", "workspace", office.workspace_id)
        ids = accounts()
        names |= {"bank": ids["1010"], "capital": ids["3000"], "receivable": ids["1100"], "payable": ids["2000"]}
        names |= {"group": group.id, "archived": ids["6400"], "contact": Contact.get().id, "new": new_id()}
        names["tip"] = WORKSPACE.rows("SELECT hash FROM event ORDER BY seq DESC LIMIT 1")[0][0]
    return office, names


def everything():
    tables = WORKSPACE.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return {table: WORKSPACE.rows(f"SELECT * FROM {table}") for (table,) in tables}


def run(script, names):
    for statement in script:
        parameters = [names[name] for name in re.findall(r":(\w+)", statement)]
        WORKSPACE.run(re.sub(r":\w+", "?", statement), parameters)


ENTRY = (
    "INSERT INTO journal_entry (id, number, fiscal_year, seq, date, description, kind, source_type, source_id,"
    " reverses_id, total, last_line, created_at, hash)"
    " SELECT :new, {number}, {year}, {seq}, {day}, 'x', {kind}, {source},"
    " {reverses}, {total}, {last}, '2026', ''"
)
NEXT = "(SELECT max(seq) + {} FROM journal_entry)"
NEXT_SEQ = NEXT.format(1)


def entry(
    *,
    legs=(("bank", 7), ("capital", -7)),
    day="'2026-03-10'",
    legs_day=None,
    number="'X1'",
    year=2026,
    seq=NEXT_SEQ,
    kind="'manual'",
    source="NULL, NULL",
    reverses="NULL",
    total=None,
    last=None,
    verb="INSERT",
):
    """The statements that write an entry as the ledger does, except for the arguments that differ."""
    debits = sum(leg[1] for leg in legs if isinstance(leg[1], int) and leg[1] > 0)
    total = debits if total is None else total
    head = ENTRY.format(
        number=number,
        year=year,
        seq=seq,
        day=day,
        kind=kind,
        source=source,
        reverses=reverses,
        total=total,
        last=len(legs) - 1 if last is None else last,
    )
    lines = [posting(line, *leg, day=legs_day or day, verb=verb) for line, leg in enumerate(legs)]
    return [head.replace("INSERT", verb, 1), *lines]


def posting(line, account, amount, contact=None, *, day="'2026-03-10'", owner="new", verb="INSERT"):
    contact = f":{contact}" if contact else "NULL"
    columns = "(entry_id, line, account_id, date, amount, contact_id)"
    return f"{verb} INTO posting {columns} SELECT :{owner}, {line}, :{account}, {day}, {amount}, {contact}"


def mirror_of(name, day="'2026-03-10'", legs=(("bank", -100), ("capital", 100)), source="NULL, NULL"):
    return entry(kind="'reversal'", reverses=f":{name}", legs=legs, day=day, source=source)


PARTS = ("invoice_line", "invoice_adjustment", "invoice_tax")
ALL_OF_ENTRY = "SELECT * FROM journal_entry WHERE id = :entry"
ALL_OF_LINE = "SELECT * FROM posting WHERE entry_id = :entry AND line = 0"
ALL_OF_EVENT = "SELECT * FROM event WHERE seq = 1"
EVENT = "INSERT INTO event SELECT {seq}, 'e', 'x', '2026', '{{}}', 'x', 'x', '{{}}', {previous}, 'h', NULL"

CREDITING = """
INSERT INTO invoice_line (invoice_id, position, id, description, quantity, unit_price, price_base_quantity, account_id,
    net, tax, gross, credited_line_id)
SELECT :draft, 9, :new, description, quantity, unit_price, price_base_quantity, account_id, net, tax, gross, id
FROM invoice_line WHERE invoice_id = :issued
"""

ATTACKS: list[tuple[str, str, list[str]]] = [
    # Changing what is posted.
    ("an entry's text", "fixed", ["UPDATE journal_entry SET description = 'Other' WHERE id = :entry"]),
    ("an entry's date", "fixed", ["UPDATE journal_entry SET date = '2026-03-01' WHERE id = :entry"]),
    ("an entry, to the same", "fixed", ["UPDATE journal_entry SET total = total"]),
    ("an entry's reversal", "fixed", ["UPDATE journal_entry SET reverses_id = :other WHERE id = :mirror"]),
    ("an entry, replacing", "fixed", ["UPDATE OR REPLACE journal_entry SET id = :other WHERE id = :entry"]),
    ("an entry, ignoring", "fixed", ["UPDATE OR IGNORE journal_entry SET total = 1 WHERE id = :entry"]),
    (
        "an entry by upsert",
        "next number",
        [f"INSERT INTO journal_entry {ALL_OF_ENTRY} ON CONFLICT DO UPDATE SET total = 1"],
    ),
    ("a posting's amount", "fixed", ["UPDATE posting SET amount = 101 WHERE entry_id = :entry AND line = 0"]),
    ("a posting's account", "fixed", ["UPDATE posting SET account_id = :receivable WHERE entry_id = :entry"]),
    ("a posting's day", "fixed", ["UPDATE posting SET date = '2026-03-01' WHERE entry_id = :entry"]),
    ("a posting's entry", "fixed", ["UPDATE posting SET entry_id = :other, line = 9 WHERE entry_id = :entry"]),
    (
        "a posting, replacing",
        "fixed",
        ["UPDATE OR REPLACE posting SET line = 1 WHERE entry_id = :entry AND line = 0"],
    ),
    ("a posting by upsert", "fixed", [f"INSERT INTO posting {ALL_OF_LINE} ON CONFLICT DO UPDATE SET amount = 1"]),
    ("an event", "fixed", ["UPDATE event SET data = '{}' WHERE seq = 1"]),
    ("an event's hash", "fixed", ["UPDATE event SET hash = previous_hash"]),
    ("an event, replacing", "fixed", ["UPDATE OR REPLACE event SET seq = 2 WHERE seq = 1"]),
    ("an event by upsert", "events", [f"INSERT INTO event {ALL_OF_EVENT} ON CONFLICT DO UPDATE SET data = ''"]),
    # Deleting it.
    ("an entry gone", "stays", ["DELETE FROM journal_entry WHERE id = :entry"]),
    ("all entries gone", "stays", ["DELETE FROM journal_entry"]),
    ("a posting gone", "stays", ["DELETE FROM posting WHERE entry_id = :entry AND line = 0"]),
    ("all postings gone", "stays", ["DELETE FROM posting"]),
    ("an event gone", "stays", ["DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)"]),
    ("an account gone", "FOREIGN KEY", ["DELETE FROM account WHERE id = :bank"]),
    ("a contact gone", "FOREIGN KEY", ["DELETE FROM contact WHERE id = :contact"]),
    # Replacing it.
    ("a new entry for an old", "next number", [f"INSERT OR REPLACE INTO journal_entry {ALL_OF_ENTRY}"]),
    ("an old number", "stays", entry(number="(SELECT number FROM journal_entry WHERE id = :entry)", verb="REPLACE")),
    ("an old place", "next number", entry(seq=1, verb="REPLACE")),
    ("an old posting", "stays", [f"REPLACE INTO posting {ALL_OF_LINE}"]),
    ("an old event", "events", [f"INSERT OR REPLACE INTO event {ALL_OF_EVENT}"]),
    # Adding to what is complete.
    ("a late posting", "late", [posting(2, "bank", 5, owner="entry", day="'2026-02-01'")]),
    (
        "late postings",
        "late",
        [posting(5, "bank", 5, owner="other", day="'2026-02-02'"), posting(6, "capital", -5, owner="other")],
    ),
    ("a posting after the last", "late", [*entry(), posting(2, "bank", 5)]),
    ("a posting before the first", "CHECK", [*entry()[:1], posting(-1, "bank", 5)]),
    ("a gap in the log", "events", [EVENT.format(seq="(SELECT max(seq) + 2 FROM event)", previous=":tip")]),
    ("another chain", "events", [EVENT.format(seq="(SELECT max(seq) + 1 FROM event)", previous="'f'")]),
    # Entries that are not valid.
    ("a posting missing", "unfinished", entry(last=2)),
    ("no postings", "unfinished", entry(legs=(), last=1)),
    ("no last posting", "CHECK", entry(legs=(), last=-1)),
    ("one posting", "CHECK", entry(legs=(("bank", 7),))),
    ("the last posting first", "sum", [entry()[0], *reversed(entry()[1:])]),
    ("unbalanced", "sum", entry(legs=(("bank", 7), ("capital", -6)))),
    ("another total", "sum of its debits", entry(total=8)),
    ("a posting of nothing", "CHECK", entry(legs=(("bank", 0), ("capital", 0)))),
    ("a fraction", "cannot store REAL", entry(legs=(("bank", "1.5"), ("capital", "-1.5")))),
    ("a text", "cannot store TEXT", entry(legs=(("bank", "'x'"), ("capital", "'y'")))),
    ("beyond the limit", "CHECK", entry(legs=(("bank", 10**16), ("capital", -(10**16))))),
    ("no such day", "CHECK", entry(day="'2026-02-30'")),
    ("a posting of another day", "date of its entry", entry(legs_day="'2026-03-09'")),
    ("a posting without entry", "date of its entry", [posting(0, "bank", 7)]),
    # Posting where nothing can be posted.
    ("a group", "group or an archived", entry(legs=(("group", 7), ("capital", -7)))),
    ("an archived account", "group or an archived", entry(legs=(("archived", 7), ("capital", -7)))),
    ("no account", "FOREIGN KEY", entry(legs=(("new", 7), ("capital", -7)))),
    ("whose receivable?", "names its contact", entry(legs=(("receivable", 7), ("capital", -7)))),
    ("whose payable?", "names its contact", entry(legs=(("bank", 7), ("payable", -7)))),
    ("an unknown contact", "FOREIGN KEY", entry(legs=(("receivable", 7, "new"), ("capital", -7)))),
    ("the lock date", "locked", entry(day="'2026-01-31'")),
    ("a locked period", "locked", entry(day="'2025-06-01'", year=2025, seq=1)),
    # Numbers other than the next.
    ("a gap", "next number", entry(seq=NEXT.format(2))),
    ("a twin", "next number", entry(seq=NEXT.format(0))),
    ("a number twice", "unique", entry(number="(SELECT max(number) FROM journal_entry)")),
    ("another year's", "fiscal year of its date", entry(year=2031, seq=1)),
    # Documents and reversals.
    ("a second live entry", "one live entry", entry(kind="'invoice'", source="'invoice', 'i1'")),
    ("half a source", "CHECK", entry(source="'invoice', NULL")),
    (
        "a second reversal",
        "unique",
        mirror_of("reversed", source="'invoice', 'i0'", legs=(("bank", -300), ("capital", 300))),
    ),
    ("half a reversal", "exact mirror", mirror_of("other")),
    (
        "another account's mirror",
        "exact mirror",
        mirror_of("entry", legs=(("bank", -100), ("receivable", 100, "contact"))),
    ),
    ("no mirror at all", "exact mirror", mirror_of("entry", legs=(("bank", 100), ("capital", -100)))),
    ("a mirror before", "earlier entry", mirror_of("mirror", day="'2026-02-20'")),
    ("a mirror too early", "earlier entry", mirror_of("other", day="'2026-02-01'")),
    ("a mirror of a mirror", "none itself", mirror_of("mirror", legs=(("bank", 300), ("capital", -300)))),
    ("a mirror without document", "same document", mirror_of("sourced", legs=(("bank", -400), ("capital", 400)))),
    ("a mirror of nothing", "CHECK", entry(kind="'reversal'")),
    ("a mirror in disguise", "CHECK", entry(reverses=":entry", legs=(("bank", -100), ("capital", 100)))),
    ("its own mirror", "earlier entry", entry(kind="'reversal'", reverses=":new")),
    # Giving postings another meaning.
    ("an account's type", "stays what it is", ["UPDATE account SET type = 'expense' WHERE id = :bank"]),
    ("an account's currency", "stays what it is", ["UPDATE account SET currency = 'USD' WHERE id = :bank"]),
    ("an account, a group", "stays what it is", ["UPDATE account SET is_group = 1 WHERE id = :bank"]),
    ("an account's contacts", "stays what it is", ["UPDATE account SET subtype = 'receivable' WHERE id = :bank"]),
    # Issued documents.
    ("an invoice's total", "fixed", ["UPDATE invoice SET total = 1 WHERE id = :issued"]),
    ("an invoice's customer", "fixed", ["UPDATE invoice SET contact_name = 'x' WHERE id = :issued"]),
    ("an invoice's number", "fixed", ["UPDATE invoice SET number = '9' WHERE id = :issued"]),
    ("an invoice unissued", "does not go back", ["UPDATE invoice SET status = 'draft' WHERE id = :issued"]),
    ("an invoice unvoided", "does not go back", ["UPDATE invoice SET status = 'issued' WHERE id = :void"]),
    ("an invoice gone", "stays", ["DELETE FROM invoice WHERE id = :issued"]),
    ("an invoice replaced", "stays", ["REPLACE INTO invoice SELECT * FROM invoice WHERE id = :issued"]),
    ("an invoice overwritten", "stays", ["UPDATE OR REPLACE invoice SET id = :issued WHERE id = :draft"]),
    ("an invoice overpaid", "CHECK", ["UPDATE invoice SET amount_paid = total + 1 WHERE id = :issued"]),
    *[
        (f"{verb} {part}", "fixed", [statement.format(part)])
        for part in PARTS
        for verb, statement in {
            "a changed": "UPDATE {} SET position = 7 WHERE invoice_id = :issued",
            "a moved-out": "UPDATE {} SET invoice_id = :draft, position = 7 WHERE invoice_id = :issued",
            "a moved-in": "UPDATE {} SET invoice_id = :issued, position = 7 WHERE invoice_id = :draft",
            "a deleted": "DELETE FROM {} WHERE invoice_id = :issued",
            "a replaced": "REPLACE INTO {} SELECT * FROM {0} WHERE invoice_id = :issued".replace("{}", "{0}"),
        }.items()
    ],
    (
        "a line of a document that is not credited",
        "credits a line of the invoice",
        [CREDITING],
    ),
    ("a payment's amount", "fixed", ["UPDATE payment SET amount = 6"]),
    ("a payment unvoided", "stays void", ["UPDATE payment SET status = 'posted' WHERE id = :payment"]),
    ("a payment gone", "stays", ["DELETE FROM payment"]),
    ("an allocation's amount", "never changed", ["UPDATE allocation SET amount = 1"]),
    ("an allocation gone", "stays", ["DELETE FROM allocation"]),
]


@pytest.mark.parametrize(
    ("against", "script"), [attack[1:] for attack in ATTACKS], ids=[attack[0] for attack in ATTACKS]
)
def test_an_attack_on_the_books_is_refused_and_changes_nothing(books, against, script):
    office, names = books
    with office.books():
        before = everything()
    with pytest.raises(IntegrityError, match=AGAINST.get(against, against)), office.books(write=True):
        run(script, names)
    with office.books():
        assert everything() == before


VALID = [
    entry(),
    entry(verb="INSERT OR IGNORE"),
    entry(verb="INSERT OR REPLACE"),
    mirror_of("entry"),
    mirror_of("sourced", source="'invoice', 'i1'", legs=(("bank", -400), ("capital", 400))),
]


@pytest.mark.parametrize("script", VALID)
def test_a_valid_entry_written_directly_is_accepted(books, script):
    office, names = books
    with rolled_back(office):
        run(script, names)
        assert ledger.entry_hash(names["new"]) is not None
        assert WORKSPACE.rows("PRAGMA foreign_key_check") == []
        balances = WORKSPACE.rows("SELECT account_id, sum(debit - credit) FROM balance GROUP BY account_id")
        assert sorted(balances) == sorted(
            WORKSPACE.rows("SELECT account_id, sum(amount) FROM posting GROUP BY account_id")
        )
