"""Journal entries from GnuCash: its export of transactions as CSV, a row for each split.

Of the rows of a transaction, the older versions name it in the first alone. The amount of a split is above zero for a
debit. Source: csv-transactions-export.c of GnuCash 2.6 to 5.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from erp.kernel.errors import Invalid
from erp.kernel.intake import day_order
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.language import says
from erp.web.transport.sheets import Table

HEADINGS = ["entry", "date", "text", "reference", "accountId", "debit", "credit", "description"]
_NEEDED = ("date", "transaction id", "description", "full account name")
_AMOUNTS = ("value num", "amount num")
_TITLES = 200
_TOTAL = re.compile(r"(\()?([-−])?([\d.,'\s]*?)(?:[.,](\d{1,2}))?\)?")


class Export(NamedTuple):
    """The rows as our own spreadsheet with the same numbers, and the full names of their accounts by number."""

    table: Table
    accounts: Mapping[int, str]
    currencies: Mapping[int, str]


def read(table: Table, order: DateOrder | None, field: str) -> Export:
    """The rows of an export; voided transactions and splits of nothing are left out.

    Raises:
        Invalid: it is none, or the order of day and month is not certain.
    """
    headings = [heading.strip().lower().rstrip(".") for heading in table[0]] if table else []
    amounts = [name for name in _AMOUNTS if name in headings]
    if not amounts or not set(_NEEDED) <= {*headings}:
        message = says("This is no export of transactions from GnuCash.")
        raise Invalid.one(field, "wrong_headings", message)
    splits = [*_splits(headings, table[1:])]
    day = day_order.reader([split["date"] for split in splits if split["date"]], order, field)
    rows, accounts, currencies = [HEADINGS], dict[int, str](), dict[int, str]()
    for number, split in enumerate(splits, 2):
        amount = _plain(next((split[name] for name in amounts if split[name]), ""))
        if split.get("void reason") or not amount.strip("-0."):
            rows.append([""] * len(HEADINGS))
            continue
        sides = ["", amount[1:]] if amount.startswith("-") else [amount, ""]
        accounts[number] = split["full account name"]
        currencies[number] = split.get("commodity/currency", "").rpartition("::")[2]
        id = split["transaction id"]
        text = split["description"] or split.get("notes") or split["full account name"]
        about = [id, day(split["date"]), text[:_TITLES], id, str(number)]
        rows.append([*about, *sides, split.get("memo", "")[:_TITLES]])
    return Export(rows, accounts, currencies)


def _splits(headings: list[str], lines: Table) -> Iterator[dict[str, str]]:
    """The cells of each row by headings; a row that names no transaction has the fields of the one before."""
    of_transaction = ("date", "transaction id", "number", "description", "notes", "commodity/currency", "void reason")
    before: dict[str, str] = {}
    for line in lines:
        split = dict.fromkeys(headings, "") | dict(zip(headings, (cell.strip() for cell in line), strict=False))
        if not split["transaction id"] and not split["date"]:
            split |= {name: before[name] for name in of_transaction if name in before}
        before = split
        yield split


def _plain(text: str) -> str:
    """An amount with a decimal point and without separators of thousands; another text as it is."""
    match = _TOTAL.fullmatch(text.replace("\u00a0", ""))
    if match is None:
        return text
    bracket, minus, whole, cents = match.groups()
    sign = "-" if bracket or minus else ""
    return f"{sign}{re.sub(r'[^0-9]', '', whole) or '0'}.{(cents or '').ljust(2, '0')}"
