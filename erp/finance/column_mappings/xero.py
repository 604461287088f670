"""The exports of Xero, as tables with our headings and the same rows.

Source: its files "Contacts", "Chart of accounts" and "Sales invoices" or "Bills", whose headings may have an asterisk.
"""

import re
from collections.abc import Iterator, Mapping

from erp.kernel import countries, ibans, vat_ids
from erp.kernel.errors import Invalid
from erp.kernel.intake import amounts, day_order
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.language import says
from erp.web.transport.sheets import Table

Cells = Mapping[str, str]

_SUBTYPES = {
    "accounts payable": "payable",
    "accounts receivable": "receivable",
    "bank": "bank",
    "current asset": "current_asset",
    "current liability": "current_liability",
    "depreciation": "expense",
    "direct costs": "cost_of_sales",
    "equity": "equity",
    "expense": "expense",
    "fixed asset": "fixed_asset",
    "gst": "tax",
    "historical": "equity",
    "inventory": "inventory",
    "liability": "current_liability",
    "non-current asset": "other_asset",
    "non-current liability": "long_term_liability",
    "other income": "other_income",
    "overhead": "expense",
    "prepayment": "current_asset",
    "retained earnings": "retained_earnings",
    "revenue": "income",
    "rounding": "expense",
    "sales": "income",
    "sales tax": "tax",
    "unpaid expense claims": "current_liability",
    "vat": "tax",
    "wages expense": "payroll_expense",
    "wages payable liability": "payroll_liability",
}
_CONTACT = (
    *("kind", "name", "legalName", "email", "phone", "vatId", "taxNumber", "bankAccount.iban", "paymentTermsDays"),
    *("address.line1", "address.line2", "address.city", "address.region", "address.postalCode", "address.country"),
)
_ITEM = ("account", "debit", "credit", "contact", "number", "documentDate", "dueDate", "currency")
_OPEN = "awaiting payment"


def contacts(table: Table, kind: str, field: str) -> Table:
    """Contacts, all of one kind: the export does not tell customers from suppliers.

    Raises:
        Invalid: it is no such export.
    """
    rows = _rows(table, ("contactname", "emailaddress"), field)
    return [
        [*_CONTACT],
        *([contact.get(name, "") for name in _CONTACT] for contact in (_contact(r, kind) for r in rows)),
    ]


def _contact(row: Cells, kind: str) -> Cells:
    if not any(row.values()):
        return {}
    tax, phones = vat_ids.tidied(row.get("taxnumber", "")), ("phonenumber", "mobilenumber", "ddinumber")
    is_postal = any(row.get(f"po{part}") for part in ("addressline1", "city", "country"))
    address = {name.removeprefix("po" if is_postal else "sa"): cell for name, cell in row.items()}
    lines = [address.get(f"addressline{number}", "") for number in range(1, 5)]
    country = address.get("country", "")
    days = "" if "month" in row.get("duedatesalesterm", "").lower() else row.get("duedatesalesday", "")
    return {
        "kind": kind,
        "name": row["contactname"],
        "legalName": row.get("legalname", ""),
        "email": row["emailaddress"],
        "phone": next((row[name] for name in phones if row.get(name)), ""),
        "vatId" if vat_ids.is_valid(tax) else "taxNumber": tax,
        "bankAccount.iban": ibans.found(row.get("bankaccountnumber")) or "",
        "paymentTermsDays": days,
        "address.line1": lines[0],
        "address.line2": ", ".join(filter(None, lines[1:])),
        "address.city": address.get("city", ""),
        "address.region": address.get("region", ""),
        "address.postalCode": address.get("postalcode", ""),
        "address.country": countries.BY_NAME.get(country.lower(), country),
    }


def accounts(table: Table, types: Mapping[str, str], field: str) -> Table:
    """The chart of accounts.

    Args:
        types: our types of accounts by their subtypes.

    Raises:
        Invalid: it is no such export.
    """
    result = [["code", "name", "type", "subtype", "description"]]
    for row in _rows(table, ("code", "name", "type", "taxcode"), field):
        subtype = _SUBTYPES.get(row["type"].lower(), row["type"])
        about = row.get("description", "")
        result.append([row["code"], row["name"], types.get(subtype, subtype), subtype, about])
    return result


def open_items(table: Table, order: DateOrder | None, field: str) -> Table:
    """Unpaid invoices, bills and credit notes; the account is `receivable` or `payable`.

    An invoice has a row for each of its lines, of which the first counts. Drafts, void and paid ones are left out.

    Raises:
        Invalid: it is no such export, or the order of day and month is not certain.
    """
    rows = [*_rows(table, ("contactname", "invoicenumber", "invoicedate", "invoiceamountdue", "type", "status"), field)]
    days = [row.get(name, "") for row in rows for name in ("invoicedate", "duedate")]
    day = day_order.reader([text for text in days if text], order, field)
    seen: set[tuple[str, ...]] = set()
    result = [[*_ITEM]]
    for row in rows:
        number = row["invoicenumber"] or row.get("reference", "")
        key = row["type"], row["contactname"], number, row["invoicedate"]
        due = _amount(row["invoiceamountdue"])
        if key in seen or row["status"].lower() != _OPEN or due == "0":
            result.append([])
            continue
        seen.add(key)
        kind = row["type"].lower()
        is_sale, is_credit = not re.search("bill|purchase", kind), "credit" in kind
        sides = ["", due] if is_sale == is_credit else [due, ""]
        dates = [day(row["invoicedate"]), day(row.get("duedate", ""))]
        about = [row["contactname"], number, *dates, row.get("currency", "")]
        account = "receivable" if is_sale else "payable"
        result.append([account, *sides, *about])
    return result


def _amount(text: str) -> str:
    """An amount without its four decimals; another text as it is."""
    plain = amounts.plain(text, ".") or "0"
    number = amounts.number(plain)
    return plain if number is None else f"{number.normalize():f}".lstrip("-")


def _rows(table: Table, needed: tuple[str, ...], field: str) -> Iterator[dict[str, str]]:
    headings = [re.sub(r"[*\s]", "", heading).lower() for heading in table[0]] if table else []
    if not {*needed} <= {*headings}:
        raise Invalid.one(field, "wrong_headings", says("This is not such an export of Xero."))
    for line in table[1:]:
        yield dict.fromkeys(headings, "") | dict(zip(headings, (cell.strip() for cell in line), strict=False))
