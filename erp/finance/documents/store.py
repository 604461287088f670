"""Writing and reading invoices: fixed SQL, because issuing an invoice is a hot path."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from erp.finance.books.exchange_rates.rates import in_base
from erp.finance.books.ledger import Leg
from erp.finance.documents import billed_time, bills, standing
from erp.finance.documents.billed_time import LineTime
from erp.finance.documents.deposits import store as deposits
from erp.finance.documents.deposits.store import DepositRow, ShownDeposit
from erp.finance.documents.models import PURCHASES, Deduction, Invoice
from erp.finance.items.store import SETTLED_LATER, SettledWith, settled_with
from erp.store import recorded, sql, workspace_settings
from erp.store.recorded import canonical
from erp.store.router import WORKSPACE


class LineRow(NamedTuple):
    """A row of `invoice_line`."""

    id: str
    invoice_id: str
    position: int
    description: str
    quantity: int
    unit: str | None
    unit_price: int
    price_base_quantity: int
    discount_amount: int | None
    discount_percent: int | None
    charge_amount: int | None
    charge_percent: int | None
    tax_rate_id: str | None
    account_id: str
    project_id: str | None
    task_id: str | None
    net: int
    tax: int
    gross: int
    credited_line_id: str | None = None
    credited_quantity: int | None = None
    deductible_tax_percent: int | None = None
    deductible_cost_percent: int | None = None
    non_deductible_account_id: str | None = None
    non_deductible_tax: int = 0
    non_deductible_cost: int = 0
    service_from: str | None = None
    service_to: str | None = None
    tax_date: str | None = None
    product_id: str | None = None
    dimensions: str | None = None
    asset: str | None = None
    account_because: str = "line"
    quote_line_id: str | None = None
    quote_part: int | None = None


class AdjustmentRow(NamedTuple):
    """A row of `invoice_adjustment`; one of a credit note has the position of the one that it credits."""

    id: str
    invoice_id: str
    position: int
    is_charge: int
    description: str | None
    given_amount: int | None
    given_percent: int | None
    tax_rate_id: str | None
    account_id: str
    amount: int
    tax: int
    dimensions: str | None = None


class TaxRow(NamedTuple):
    """A row of `invoice_tax`."""

    id: str
    invoice_id: str
    position: int
    tax_rate_id: str | None
    category: str
    rate: int
    base: int
    amount: int
    own_amount: int | None = None
    reverse_charge: int = 0


class Parts(NamedTuple):
    """The rows of an invoice other than its own."""

    lines: Sequence[LineRow]
    adjustments: Sequence[AdjustmentRow]
    taxes: Sequence[TaxRow]
    deposits: Sequence[DepositRow] = ()

    def with_line_ids(self, ids: Sequence[str | None]) -> "Parts":
        """The same with ids for the lines; a line whose id is None keeps its own."""
        lines = [row if id is None else row._replace(id=id) for row, id in zip(self.lines, ids, strict=True)]
        return self._replace(lines=lines)

    def billing_as(self, before: Sequence[LineRow]) -> "Parts":
        """The same, with each line billing the part of a quote that it billed before."""
        known = {row.id: row for row in before}
        return self._replace(lines=[_billing_as(row, known.get(row.id)) for row in self.lines])


def _billing_as(row: LineRow, before: LineRow | None) -> LineRow:
    if before is None:
        return row
    return row._replace(quote_line_id=before.quote_line_id, quote_part=before.quote_part)


class FullInvoice(NamedTuple):
    """An invoice with all that belongs to it.

    `time_logs` are by the position of their line, `paid_later` and `credited_later` amounts settled after
    today. `credited_by` are the numbers of its credit notes that are not void.
    """

    invoice: Invoice
    parts: Parts
    credit_note_ids: Sequence[str] = ()
    time_logs: Mapping[int, LineTime] = MappingProxyType({})
    paid_later: int = 0
    credited_later: int = 0
    credited_by: Sequence[str] = ()
    deposits: Sequence[ShownDeposit] = ()
    final_invoice_id: str | None = None
    deductions: Sequence[Deduction] = ()
    settled_with: Sequence[SettledWith] = ()
    has_original: bool = False

    @property
    def base_tax_total(self) -> int | None:
        """The tax of a document in a foreign currency, in the base currency: rounded for each rate."""
        invoice = self.invoice
        if invoice.exchange_rate is None or not invoice.tax_total:
            return None
        return sum(in_base(row.amount, invoice.currency, invoice.exchange_rate) for row in self.parts.taxes)


_TABLES: Mapping[str, type[LineRow] | type[AdjustmentRow] | type[TaxRow] | type[DepositRow]] = {
    "invoice_line": LineRow,
    "invoice_adjustment": AdjustmentRow,
    "invoice_tax": TaxRow,
    "invoice_deposit": DepositRow,
}


def _insertion(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


_INSERT_PART = {table: _insertion(table, kind._fields) for table, kind in _TABLES.items()}
_SELECT_PART = {
    table: f"SELECT {', '.join(kind._fields)} FROM {table} WHERE invoice_id = ? ORDER BY position"
    for table, kind in _TABLES.items()
    if kind is not DepositRow
}


_LINES = (
    f"SELECT {', '.join(LineRow._fields)} FROM invoice_line"
    " WHERE invoice_id IN (SELECT value FROM json_each(?)) ORDER BY invoice_id, position"
)
_RELATED = (
    "SELECT id, CASE WHEN status <> 'void' THEN number END, 0, 0 FROM invoice WHERE credited_invoice_id = :id"
    f" UNION ALL SELECT NULL, NULL, paid_later, credited_later FROM ({SETTLED_LATER}) AS x WHERE document_id = :id"
)
_ORIGINAL = "SELECT 1 FROM document_file WHERE invoice_id = ? AND form = 'original'"
_ISSUE = (
    "UPDATE invoice SET number = ?, fiscal_year = ?, seq = ?, status = ?, journal_entry_id = ?, issued_at = ?,"
    " approval = ?, paper = ? WHERE id = ?"
)
_POSTED = (
    "SELECT account_id, contact_id, coalesce(foreign_amount, amount) FROM posting WHERE entry_id = ? ORDER BY line"
)
_OPPOSITE = (
    "SELECT account_id, -sum(amount), contact_id, project_id, NULL, currency, -sum(foreign_amount), dimensions"
    " FROM posting WHERE entry_id IN (SELECT value FROM json_each(?))"
    " GROUP BY account_id, contact_id, project_id, currency, dimensions HAVING sum(amount) <> 0 ORDER BY min(line)"
)


def mark_issued(
    invoice: Invoice, number: tuple[str, int, int], status: str, entry_id: str | None, issued_at: str
) -> None:
    """Turn a draft into an issued invoice; from then on triggers of the file protect its row and parts.

    Args:
        number: as shown, its fiscal year and its sequence in that year.
    """
    invoice.number, invoice.fiscal_year, invoice.seq = number
    invoice.status, invoice.journal_entry_id, invoice.issued_at = status, entry_id, issued_at
    invoice.approval = bills.approval_of_new(invoice.kind)
    paper = None if invoice.paper is None else canonical(invoice.paper)
    WORKSPACE.run(_ISSUE, (*number, status, entry_id, issued_at, invoice.approval, paper, invoice.id))
    names = ("number", "fiscal_year", "seq", "journal_entry_id", "issued_at", "approval", "paper")
    Invoice.record_columns(invoice.id, {name: getattr(invoice, name) for name in names})


def mark_adjusted(invoice_id: str) -> None:
    """Mark an invoice that has a deduction or a credit note."""
    WORKSPACE.run("UPDATE invoice SET is_adjusted = true WHERE id = ? AND NOT is_adjusted", (invoice_id,))


def insert_parts(parts: Parts) -> None:
    """Insert the parts of an invoice."""
    for table, rows in zip(_TABLES, parts, strict=True):
        if rows:
            WORKSPACE.run_many(_INSERT_PART[table], rows)
            names = _TABLES[table]._fields[1:]
            recorded.note_rows(table, {str(row[0]): dict(zip(names, row[1:], strict=True)) for row in rows})


def delete_parts(invoice_id: str) -> None:
    """Delete the parts of a draft."""
    for table in _TABLES:
        for (id,) in WORKSPACE.rows(f"DELETE FROM {table} WHERE invoice_id = ? RETURNING id", (invoice_id,)):
            recorded.note_removed(table, id)


def full(invoice: Invoice) -> FullInvoice:
    """An invoice with its parts, credit notes and time logs."""
    related = WORKSPACE.rows(_RELATED, {"id": invoice.id, "today": workspace_settings.today().isoformat()})
    return FullInvoice(
        invoice,
        find_parts(invoice.id),
        [id for id, *_ in related if id is not None],
        billed_time.of_invoice(invoice.id),
        paid_later=sum(paid for *_, paid, _ in related),
        credited_later=sum(credited for *_, credited in related),
        deductions=standing.deductions_of(invoice.id),
        settled_with=settled_with(invoice.id) if invoice.amount_paid or invoice.amount_credited else (),
        credited_by=[number for _, number, *_ in related if number is not None],
        **_of_kind(invoice),
    )


def with_deposits(full: FullInvoice) -> FullInvoice:
    """The same with its deposits, with the final invoice that applies it, or noting that it came in as a file."""
    return full._replace(**_of_kind(full.invoice))


def _of_kind(invoice: Invoice) -> dict[str, Any]:
    if invoice.kind in PURCHASES:
        return {"has_original": bool(WORKSPACE.rows(_ORIGINAL, (invoice.id,)))}
    if invoice.kind == "final_invoice":
        return {"deposits": deposits.shown(invoice.id)}
    final = deposits.applied_by(invoice.id) if invoice.kind == "deposit_invoice" else None
    return {} if final is None else {"final_invoice_id": final[0]}


def live_credit_notes(invoice_id: str) -> list[Invoice]:
    """The credit notes that were made from an invoice and are not void, in their order."""
    return Invoice.fetch(
        "SELECT * FROM invoice WHERE credited_invoice_id = ? AND status <> 'void' ORDER BY id", invoice_id
    )


def posted(entry_id: str | None) -> list[tuple[str, str | None, int]]:
    """The postings of an entry: accounts, contacts, and amounts in the currency of its document."""
    return [(account, contact, amount) for account, contact, amount in WORKSPACE.rows(_POSTED, (entry_id,))]


def opposite(entry_ids: Sequence[str]) -> list[Leg]:
    """The legs that bring the sum of some entries to zero on every account."""
    rows = WORKSPACE.rows(_OPPOSITE, (sql.array(entry_ids),))
    return [replace(Leg(*row), is_inherited=True) for row in rows]


def lines_of(invoice_ids: Sequence[str]) -> list[LineRow]:
    """The lines of invoices, in their order within each."""
    return [LineRow(*row) for row in WORKSPACE.rows(_LINES, (sql.array(invoice_ids),))]


def find_parts(invoice_id: str) -> Parts:
    """Read the parts of an invoice."""
    lines, adjustments, taxes = (WORKSPACE.rows(select, (invoice_id,)) for select in _SELECT_PART.values())
    return Parts(
        [LineRow(*row) for row in lines], [AdjustmentRow(*row) for row in adjustments], [TaxRow(*row) for row in taxes]
    )
