"""Money in the scenario: customers who pay after some days, balances that are cleared, files, and bank statements."""

import csv
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from erp.demo.figures import cents, money
from erp.demo.kinds import KINDS
from erp.demo.player import Act, Player
from erp.demo.scenario import Fields
from erp.web.client import Client

FILES = Path(__file__).with_name("files")


def add_contact(player: Player, act: Act) -> None:
    """Add a contact, and note after how many days it pays."""
    contact = player.create(act)
    player.habits[contact["id"]] = act.fields.get("pays")


def invoice(player: Player, act: Act) -> None:
    """Write an invoice, and plan its payment for the day on which this customer pays, unless the entry says more."""
    made = player.create(act)
    habit = player.habits[made["customerId"]]
    if habit and "pays" not in act.fields and not act.fields.get("draft"):
        for day in player.days(habit, act.day):
            player.at(act.saying(act.fields, day), partial(_pay, player, made))


def _pay(player: Player, invoice: Fields, act: Act) -> None:
    player.client(act).post("/finance/payments", invoiceId=invoice["id"], amount=invoice["total"], date=act.day)


def post(player: Player, act: Act) -> None:
    """Post an entry; lines that clear an account, and the rest of them, take their amounts from the books."""
    lines = act.fields["lines"]
    if not any("clears" in line for line in lines):
        player.create(act)
        return
    amounts = [-_balance(player, act, line) for line in lines if "clears" in line]
    amounts += [-sum(amounts)]
    filled = [
        {"account": line["account"], "debit" if amount > 0 else "credit": money(abs(amount))}
        for line, amount in zip(lines, amounts, strict=True)
        if amount
    ]
    if filled:
        player.create(act.saying(act.fields | {"lines": filled}))


def _balance(player: Player, act: Act, line: Fields) -> int:
    """The balance of an account on a day, debits above zero."""
    day = player.calendar.day(line["clears"], act.day)
    rows = player.client(act).get(f"/finance/reports/trial-balance?date={day}")["rows"]
    return sum(cents(row["debit"]) - cents(row["credit"]) for row in rows if row["account"]["code"] == line["account"])


def add_asset(player: Player, act: Act) -> None:
    """Add an asset; one that was `bought` takes the first line of that bill."""
    bill = act.fields.get("bought")
    if bill is None:
        player.create(act)
        return
    found = player.find("invoice", bill, act)
    (line, *_) = found["lines"]
    player.create(act.saying(act.fields | {"fromLine": {"invoiceId": found["id"], "lineId": line["id"]}}))


def depreciate(player: Player, act: Act) -> None:
    """Post the depreciation of the month of a day."""
    player.create(act.saying(act.fields | {"month": f"{act.day:%Y-%m}"}))


def remind(player: Player, act: Act) -> None:
    """Make the letters that are due on a day, of one customer or of all, and send them by post."""
    client = player.client(act)
    wanted = player.body(act.fields, act).get("customerId")
    proposal = client.get(f"/finance/reminder-runs/proposal?date={act.day}")
    letters = [letter for letter in proposal["letters"] if wanted in (None, letter["contactId"])]
    chosen = [{name: letter[name] for name in ("contactId", "currency")} for letter in letters]
    if chosen:
        for letter in client.post("/finance/reminder-runs", date=act.day, letters=chosen)["letters"]:
            client.post(f"/finance/reminders/{letter['id']}/mark-sent", on=act.day)


def send(player: Player, act: Act) -> None:
    """Prepare a message with a document for one's own mail program, as an office without a mail server does."""
    client, (what, said) = player.client(act), next(iter(act.fields["with"].items()))
    record = player.find(_OWNERS.get(what, what), said, act)["id"]
    path = f"/finance/{what}s/{record}"
    if what == "statement":
        path = f"/finance/contacts/{record}/statement"
    elif what == "reminder":
        query = f"contactId={record}&limit=1"
        path = f"/finance/reminders/{client.get(f'/finance/reminders?{query}')[0]['id']}"
    elif what == "payslip":
        query = f"employeeId={record}&status=paid&limit=1"
        path = f"/hr/payroll/payslips/{client.get(f'/hr/payroll/payslips?{query}')[0]['id']}"
    body = player.body({name: value for name, value in act.fields.items() if name not in ("with", "done")}, act)
    message = client.post(f"{path}/send", **body)
    if "done" in act.fields:
        client.post(f"/workspace/messages/{message['id']}/{act.fields['done']}")


_OWNERS = {"statement": "contact", "reminder": "contact", "payslip": "employee"}
"""The kind of record by whose name a paper is found, where it has no name."""


def attach(player: Player, act: Act) -> None:
    """Attach a file to a record, or put it into the inbox."""
    fields, name = act.fields, act.fields["file"]
    record: Fields = {}
    if "what" in fields:
        found = player.named(act)
        record = {"resourceType": fields["what"], "resourceId": found["id"]}
    content = b64encode((FILES / name).read_bytes()).decode()
    player.client(act).post(KINDS["file"].path, file=content, name=name, **record)


class Row(NamedTuple):
    """A row of a statement; `entry` is the journal entry that it is matched with."""

    date: str
    party: str
    text: str
    amount: str
    entry: str = ""


def import_statement(player: Player, act: Act) -> None:
    """Import what the books have moved on an account as its bank would report it, and match some of it."""
    said = player.body(act.fields, act)
    client, days = player.client(act), f"dateFrom={said['first']}&dateTo={said['last']}"
    account = player.find("account", said["accountId"], act)["id"]
    ledger = client.get(f"/finance/accounts/{account}/ledger?{days}&limit=200")
    rows = sorted([*_moved(client, ledger, days), *_extra(said)], key=lambda row: row.date)
    file = StringIO()
    csv.writer(file, delimiter=";").writerows([said["columns"], *(row[:4] for row in rows)])
    about = {"accountId": account, "name": said["name"], "openingBalance": ledger["opening"]}
    imported = client.post("/finance/bank/statements/import", file=file.getvalue(), **about)
    _match(client, imported["statements"][0]["id"], [row for row in rows if row.date <= said["matched"]])


def _match(client: Client, statement: str, rows: Iterable[Row]) -> None:
    """Match the lines of a statement that are rows of the books."""
    entries = {(row.date, row.text, row.amount): row.entry for row in rows}
    for line in client.get(f"/finance/bank/lines?statementId={statement}&limit=200"):
        entry = entries.get((line["date"], line["text"], line["amount"]))
        if entry and line["status"] == "unmatched":
            client.post(f"/finance/bank/lines/{line['id']}/confirm", entries=[{"entryId": entry}])


def _moved(client: Client, ledger: Fields, days: str) -> Iterator[Row]:
    """The postings of an account as rows; suppliers read their own numbers of what is paid."""
    payments = {payment["id"]: payment for payment in client.get(f"/finance/payments?{days}&limit=200")}
    bills = client.get("/finance/invoices?kind=purchase_invoice&limit=200")
    numbers = {bill["id"]: bill["supplierNumber"] for bill in bills}
    for posting in ledger["rows"]:
        if posting["kind"] == "posting":
            yield _row(posting, payments, numbers)


def _row(posting: Fields, payments: Mapping[str, Fields], numbers: Mapping[str, str | None]) -> Row:
    """A posting as the bank shows it: a payment with the other side and the numbers of what it pays."""
    amount = posting["debit"] if cents(posting["debit"]) else f"-{posting['credit']}"
    document = posting["document"] or {}
    if payment := payments.get(document.get("id", "")):
        paid = (numbers.get(one["invoiceId"]) or one["invoiceNumber"] for one in payment["allocations"])
        named = [number or payment["number"] for number in paid]  # an expense claim has no number of an invoice
        return Row(posting["date"], payment["contactName"], ", ".join(named), amount, posting["entryId"])
    return Row(posting["date"], "", posting["description"], amount, posting["entryId"])


def _extra(said: Fields) -> Iterator[Row]:
    for line in said.get("lines", ()):
        yield Row(line["date"], line["party"], line["text"], line["amount"])


PATTERNS = {
    "asset": add_asset,
    "depreciationRun": depreciate,
    "reminderRun": remind,
    "bankStatement": import_statement,
    "change": Player.change,
    "contact": add_contact,
    "file": attach,
    "hours": invoice,
    "invoice": invoice,
    "journal": post,
    "message": send,
}
