"""What may be done with the documents of a list: in SQL where their own columns say it, else by the rules themselves.

A document that something credits or takes from, and a deposit, cannot tell by its own columns. Such rows are few, and
are marked; `filled` then asks the rules that refuse, as the answer about one document does.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Raw, json
from msgspec.structs import replace

from erp.finance.crediting.totals import KINDS
from erp.finance.documents import store
from erp.finance.documents.models import Invoice
from erp.finance.documents.overdue import DEMANDS
from erp.finance.invoices.actions import actions
from erp.finance.invoices.views import InvoiceSummary
from erp.kernel import caller
from erp.store import sql, workspace_settings
from erp.web.schema import Page

_MARK = re.compile(rb'"can":"\?([0-9a-f-]{36})"')
_DUE = "total - deposit_total - amount_paid - amount_credited > 0"
_DAY = f"CASE WHEN {sql.json_text('terms', chr(39) + '$.issueDate' + chr(39))} IS NULL THEN :today ELSE issue_date END"
_ISSUABLE = f"total >= 0 AND {_DAY} > :lock_date"
_TANGLED = "is_adjusted OR kind = 'deposit_invoice'"
_OFFERED = (
    ("approve", "approval = 'pending' AND :approves = 1"),
    ("credit", f"kind IN {tuple(KINDS)}"),
    ("pay", _DUE),
    ("void", f"amount_paid = 0 AND (amount_credited = 0 OR NOT {DEMANDS})"),
    ("write_off", DEMANDS),
)
"""When an issued document that is not tangled offers what; to write it off, something must be due as well."""


def _choice(left: Sequence[tuple[str, str]], chosen: Sequence[str]) -> str:
    """SQL that decides what is left, and so ends in one of the possible answers.

    Measured for 50 rows: a seventh of the time of putting the answer together.
    """
    if not left:
        return f"'{json.encode(sorted((*chosen, 'duplicate', 'update'))).decode()}'"
    (action, condition), rest = left[0], left[1:]
    without = _choice(rest, chosen)
    if action == "write_off" and "pay" not in chosen:
        return without
    return f"CASE WHEN {condition} THEN {_choice(rest, [*chosen, action])} ELSE {without} END"


CAN = (
    "CASE WHEN :writes = 0 THEN '[]'"
    f' WHEN status = \'draft\' THEN CASE WHEN {_ISSUABLE} THEN \'["delete","duplicate","issue","update"]\''
    ' ELSE \'["delete","duplicate","update"]\' END'
    " WHEN status = 'void' THEN '[\"duplicate\",\"update\"]'"
    f" WHEN {_TANGLED} THEN '\"?' || invoice.id || '\"' ELSE {_choice(_OFFERED, ())} END"
)
"""SQL of the actions as JSON, or of the mark of a document that the rules must be asked about."""


def parameters() -> dict[str, Any]:
    """The parameters of `CAN` but `:today`: what the caller may do, and the day through which the books are locked."""
    lock_date = workspace_settings.lock_date()
    return {
        "writes": int(caller.may_change("finance.write")),
        "approves": int(caller.may_change("bills.approve")),
        "lock_date": "" if lock_date is None else lock_date.isoformat(),
    }


def filled(page: Page[InvoiceSummary]) -> Page[InvoiceSummary]:
    """The page with the actions of its marked rows."""
    items = bytes(page.items)  # type: ignore[arg-type]  # a page of JSON that the database has written
    if b"?" not in items or b'"can":"?' not in items:  # a single sign is found forty times as fast
        return page
    ids = [id.decode() for id in _MARK.findall(items)]
    invoices = Invoice.fetch("SELECT * FROM invoice WHERE id IN (SELECT value FROM json_each(?))", sql.array(ids))
    told = {invoice.id: b'"can":' + json.encode(actions(store.full(invoice))) for invoice in invoices}
    return replace(page, items=Raw(_MARK.sub(lambda match: told[match[1].decode()], items)))
