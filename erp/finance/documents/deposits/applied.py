"""Final invoices: the deposits that they apply, the amounts, and closing an unpaid rest."""

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from erp.finance.books import default_accounts, ledger
from erp.finance.books.ledger import Entry, Leg
from erp.finance.contacts import heads
from erp.finance.documents.commands import InvoiceCommand
from erp.finance.documents.deposits import receipts, store
from erp.finance.documents.deposits.store import DepositRow, Received
from erp.finance.documents.models import Invoice
from erp.finance.items import settlement
from erp.finance.items import store as items
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Invalid, UnknownReference
from erp.kernel.language import Noun, Word, says
from erp.store.records import new_id

NO_ACCOUNTS = says(
    "This workspace has no accounts for deposits yet. Choose the default accounts for "
    "deposits requested and deposits received."
)


class AppliedDeposit(msgspec.Struct, frozen=True):
    """A deposit that a final invoice applies, with its receipts by tax rate."""

    invoice: Invoice
    received: Sequence[Received]

    @property
    def gross(self) -> int:
        """The amount received, with its tax."""
        return sum(row.net + row.tax for row in self.received)

    @property
    def base(self) -> int:
        """The gross amount in the base currency."""
        return sum(row.base_net + row.base_tax for row in self.received)


def has_accounts() -> bool:
    """Whether the workspace has accounts for deposits; one older than deposits has none until it chooses them."""
    return {"deposits_requested", "deposits_received"} <= default_accounts.by_key().keys()


def read(
    command: InvoiceCommand, contact_id: str | None, currency: str, day: date, complaints: Complaints
) -> list[AppliedDeposit]:
    """The deposits that a final invoice applies.

    Args:
        contact_id: the customer, None for a new one.
        day: the date of the final invoice.
    """
    ids, is_final = command.deposit_ids, command.kind == "final_invoice"
    if ids and not is_final:
        complaints.add("depositIds", "not_needed", says("Only a final invoice applies deposits."))
    if is_final and not ids:
        complaints.add("depositIds", "required", says("Choose the deposits that the final invoice applies."))
    deposits: dict[str, Invoice] = {}
    for i, id in enumerate(ids):
        field = f"depositIds[{i}]"
        with complaints.gathered():
            deposit = _refer(id, field)
            if deposit.id in deposits:
                raise Invalid.one(
                    field,
                    "repeated",
                    says("{number} appears twice. A deposit can be applied once.", number=deposit.number),
                )
            if is_final:
                _check(deposit, contact_id, currency, field)
                _check_day(deposit, day)
                _check_rest(deposit)
            deposits[deposit.id] = deposit
    return [AppliedDeposit(deposit, store.received(deposit.id)) for deposit in deposits.values()]


def check_total(deposits: Sequence[AppliedDeposit], total: int, currency: str) -> None:
    """Refuse to apply more than the whole invoice."""
    received = sum(deposit.gross for deposit in deposits)
    if received and received > total:
        message = says(
            "{received} was received for these deposits, {rest} more than the total of {total}. "
            "Apply the deposits in full here, and create a credit note for {rest}.",
            received=money.shown(received, currency),
            rest=money.shown(received - total, currency),
            total=money.shown(total, currency),
        )
        raise Invalid.one("depositIds", "more_than_total", message)


def rows_of(deposits: Sequence[AppliedDeposit], invoice_id: str) -> list[DepositRow]:
    """The rows of a final invoice's deposits; a deposit without any receipt has one row of zeros."""
    parts: list[tuple[str, str | None, int, int, int, int]] = []
    for deposit in deposits:
        id = deposit.invoice.id
        parts += [(id, row.tax_rate_id, row.net, row.tax, row.base_net, row.base_tax) for row in deposit.received]
        if not deposit.received:
            parts.append((id, None, 0, 0, 0, 0))
    return [DepositRow(new_id(), invoice_id, i, *part) for i, part in enumerate(parts)]


def nets(deposits: Sequence[AppliedDeposit]) -> Mapping[str, tuple[int, int]]:
    """Net amounts received for deposits, by account: in the document's and in the base currency."""
    sums: dict[str, tuple[int, int]] = {}
    for deposit in deposits:
        for row in deposit.received:
            net, base = sums.get(row.account_id, (0, 0))
            sums[row.account_id] = net + row.net, base + row.base_net
    return sums


def close_rests(final: Invoice, deposits: Sequence[AppliedDeposit]) -> list[Entry]:
    """Close the unpaid rests of the deposits: the final invoice asks for them now."""
    entries = []
    for deposit in deposits:
        if deposit.gross < deposit.invoice.total:
            entries += _close(final, deposit.invoice)
    return entries


def reopen_rests(final: Invoice, day: date) -> list[Entry]:
    """Reopen the rests of deposits that a final invoice closed, because it is void."""
    entries = []
    for id in store.closings(final.id):
        allocation = settlement.find(id)
        source, target = items.items(allocation)
        entries += settlement.release(allocation, day)
        assert source.entry_id is not None
        entries.append(
            ledger.reverse(source.entry_id, day, says("Rest of {number}, asked for again", number=target.number))
        )
    return entries


def _close(final: Invoice, deposit: Invoice) -> list[Entry]:
    item, day = settlement.item_of(deposit.id), final.issue_date
    foreign = None if deposit.exchange_rate is None else item.open
    currency = None if foreign is None else deposit.currency
    requested = receipts.requested_account(deposit)
    legs = [
        Leg(requested, item.open_base, currency=currency, foreign_amount=foreign),
        Leg(
            item.account_id,
            -item.open_base,
            item.contact_id,
            currency=currency,
            foreign_amount=None if foreign is None else -foreign,
        ),
    ]
    text = says("Rest of deposit {number}, on final invoice {final}", number=deposit.number, final=final.number)
    entry = ledger.post(day, text, legs, kind="deposit_closing", document_number=final.number)
    _, entries = settlement.allocate(entry.items[0], item, item.open, day)
    return [entry, *entries]


def _refer(id: str, field: str) -> Invoice:
    rows = Invoice.fetch("SELECT * FROM invoice WHERE id = ? OR number = ?", id, id)
    if not rows:
        raise UnknownReference(field, Noun("invoice"))
    return rows[0]


def _check(deposit: Invoice, contact_id: str | None, currency: str, field: str) -> None:
    """Refuse a document that this final invoice cannot apply at all."""
    number, final = deposit.number, store.applied_by(deposit.id)
    if deposit.kind != "deposit_invoice":
        draft = says("This draft is not a deposit invoice.")
        issued = says("{number} is not a deposit invoice.", number=number)
        raise Invalid.one(field, "wrong_kind", draft if number is None else issued)
    if deposit.status == "draft":
        raise Invalid.one(field, "invoice_draft", says("This deposit invoice is a draft. Issue it first."))
    if deposit.status in ("void", "written_off"):
        status = Word.of(deposit.status)
        raise Invalid.one(
            field,
            f"invoice_{deposit.status}",
            says("{number} is {status}. Remove the document.", number=number, status=status),
        )
    if contact_id is None or heads.of(deposit.contact_id) != contact_id:
        raise Invalid.one(
            field,
            "wrong_contact",
            says(
                "{number} belongs to another customer, {contact_name}.",
                number=number,
                contact_name=deposit.contact_name,
            ),
        )
    if deposit.currency != currency:
        raise Invalid.one(
            field,
            "wrong_currency",
            says(
                "{number} is in {currency}, this invoice in {own}.",
                number=number,
                currency=deposit.currency,
                own=currency,
            ),
        )
    if final is not None:
        raise Invalid.one(
            field, "already_deducted", says("{other} already applies {number}.", other=final[1], number=number)
        )


def _check_day(deposit: Invoice, day: date) -> None:
    first = settlement.last_day(deposit.id, deposit.issue_date)
    if day < first:
        message = says(
            "Must not be before {first}, the last change of {number}, which is applied here.",
            first=first,
            number=deposit.number,
        )
        raise Invalid.one("issueDate", "too_early", message)


def _check_rest(deposit: Invoice) -> None:
    """Refuse a deposit whose rest is worth less than the books can post, so that no entry would close it."""
    item = settlement.item_of(deposit.id) if deposit.due else None
    if item is not None and not item.open_base:
        message = says(
            "{amount} of {number} is unpaid and rounds to 0.00 in the base currency. Record the "
            "payment first, or void the deposit invoice.",
            amount=settlement.remaining_text(item),
            number=deposit.number,
        )
        raise Invalid.one("depositIds", "worth_nothing", message)
