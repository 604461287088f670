"""From requests about documents to commands, and from a command to the request that a draft stores.

A draft stores a request, since its amounts have to be read again where its currency or its contact changes.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from erp.finance.books import periods, service
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.books.exchange_rates import rates
from erp.finance.books.service import Service
from erp.finance.contacts import contacts, payment_terms
from erp.finance.contacts.contacts import ContactCommand
from erp.finance.contacts.models import Contact
from erp.finance.documents import bodies, line_assets, paper_texts
from erp.finance.documents.bodies import InvoiceChange, InvoiceRequest, NewInvoice, StoredInvoice
from erp.finance.documents.commands import AdjustmentCommand, InvoiceCommand, LineCommand, PrintedTax
from erp.finance.documents.line_assets import LineAsset
from erp.finance.documents.line_bodies import NewInvoiceAdjustment, NewInvoiceLine, PercentOrAmount
from erp.finance.documents.totals import Adjustment
from erp.finance.products.lines import Filled, Prices, fill
from erp.kernel import money, places
from erp.kernel.complaints import Complaints, said_of
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid
from erp.kernel.language import says
from erp.kernel.money import MICRO, RATE_SCALE
from erp.kernel.wire import wire_name
from erp.store import workspace_settings
from erp.texts.kinds import PLACES
from erp.web import schema

NO_ONE = ContactCommand(kind="both", name="-")
"""Stands in for a missing contact, so that the rest of the document can be checked."""


def invoice(body: NewInvoice, complaints: Complaints) -> InvoiceCommand:
    """The command for a request to issue a document, or to save a draft."""
    if not body.draft:
        with complaints.gathered():
            periods.check_not_ahead(body.issue_date, "issueDate", allow_future=body.allow_future)
    return replace(document(body, complaints), is_draft=body.draft)


def plain(values: Mapping[str, Any], complaints: Complaints) -> InvoiceCommand:
    """The command for plain values in the form of a request: stored by a template, or read from a file."""
    return invoice(schema.decode(values, NewInvoice), complaints)  # stored as a text, or the words of a file


def document(request: InvoiceRequest, complaints: Complaints, *, are_lines_new: bool = True) -> InvoiceCommand:
    """The command for a request.

    Args:
        complaints: gets the complaints about the request; the rule has more, to be refused together.
        are_lines_new: whether the lines take missing values from their products; a draft stores them with these values.
    """
    contact = _contact(request, complaints)
    _check_texts(request, complaints)
    reader = _Reader(_currency(request, contact), complaints)
    filled = _filled(request, reader.currency, complaints) if are_lines_new else map(Filled.of, request.lines)
    lines = zip(request.lines, filled, strict=True)
    return InvoiceCommand(
        kind=request.kind,
        contact=contact,
        lines=[reader.line(f"lines[{i}]", *line) for i, line in enumerate(lines)],
        supplier_number=request.supplier_number,
        force=request.force,
        issue_date=request.issue_date,
        due_date=request.due_date,
        payment_terms=request.payment_terms,
        service=service.read(request.service_date, request.service_period, complaints),
        currency=request.currency,
        exchange_rate=rates.scaled(request.exchange_rate),
        prices_include_tax=request.prices_include_tax,
        discount=reader.part("discount", request.discount),
        allowances=reader.adjustments("allowances", request.allowances),
        charges=reader.adjustments("charges", request.charges),
        rounding_amount=reader.amount("roundingAmount", request.rounding_amount),
        printed_tax=reader.printed_tax(request.printed_tax),
        prepaid_amount=reader.amount("prepaidAmount", request.prepaid_amount),
        reference=request.reference,
        project_id=request.project_id,
        note=request.note,
        intro=request.intro,
        closing=request.closing,
        time_sheet=request.time_sheet,
        deposit_ids=request.deposit_ids or (),
    )


def _check_texts(request: InvoiceRequest, complaints: Complaints) -> None:
    """Complain about places that papers of the kind do not have, and about a time sheet of another kind."""
    known = PLACES[paper_texts.KINDS[request.kind]]
    for field in ("intro", "closing"):
        complaints.items += places.misfits(getattr(request, field), known, field)
    if request.time_sheet and request.kind not in ("sales_invoice", "final_invoice"):
        complaints.add("timeSheet", "not_needed", says("Only sales invoices and final invoices bill time."))


_HAS_PARTY = {
    "customer": says("Invoices and credit notes need a customer. Choose a customer instead."),
    "supplier": says("Bills and supplier credit notes need a supplier. Choose a supplier instead."),
}
_ONE_PARTY = {
    "customer": says("Send either customerId, for an existing customer, or customer, for a new one."),
    "supplier": says("Send either supplierId, for an existing supplier, or supplier, for a new one."),
}


def _contact(request: InvoiceRequest, complaints: Complaints) -> Contact | ContactCommand:
    party = request.party
    other = "customer" if party == "supplier" else "supplier"
    for field in (f"{other}_id", other):
        if getattr(request, field) is not None:
            complaints.add(wire_name(field), "not_needed", _HAS_PARTY[party])
    if (request.contact_id is None) == (request.new_contact is None):
        complaints.add(f"{party}Id", "exactly_one", _ONE_PARTY[party])
        return NO_ONE
    if request.new_contact is not None:
        try:
            return contacts.read(request.new_contact)
        except Invalid as invalid:
            complaints.items += said_of(invalid, party, f"{party}.")
            return NO_ONE
    assert request.contact_id is not None
    with complaints.gathered():
        return contacts.refer(request.contact_id, f"{party}Id", kind=party)
    return NO_ONE


def _currency(request: InvoiceRequest, contact: Contact | ContactCommand) -> str:
    """The currency of the amounts; the base currency for an unknown one, of which the rule complains."""
    base: str = workspace_settings.current().base_currency
    currency = request.currency or contact.currency or base
    return currency if currency in DIGITS else base


def _filled(request: InvoiceRequest, currency: str, complaints: Complaints) -> Sequence[Filled]:
    """The fields that the lines of a request take from their products where they leave them out."""
    included = request.prices_include_tax
    are_with_tax = workspace_settings.current().prices_include_tax if included is None else included
    return fill(request.lines, Prices(currency, are_with_tax, request.party == "supplier"), complaints)


class _Reader:
    """Turns decimals into integers, and complains about any that do not fit."""

    def __init__(self, currency: str, complaints: Complaints) -> None:
        self.currency = currency
        self.complaints = complaints

    def line(self, path: str, line: NewInvoiceLine, filled: Filled) -> LineCommand:
        base = line.price_base_quantity
        return LineCommand(
            description=filled.description,
            quantity=money.scaled(line.quantity, MICRO),
            unit_price=filled.unit_price,
            unit=filled.unit,
            price_base_quantity=MICRO if base is None else money.scaled(base, MICRO),
            discount=self.part(f"{path}.discount", line.discount),
            charge=self.part(f"{path}.charge", None if line.charge is None else line.charge.part),
            tax_rate_id=filled.tax_rate_id,
            account_id=filled.account_id,
            is_account_of_product=line.account_id is None,
            product_id=filled.product_id,
            project_id=line.project_id,
            task_id=line.task_id,
            deductible_tax_percent=_millionths(line.deductible_tax_percent),
            deductible_cost_percent=_millionths(line.deductible_cost_percent),
            non_deductible_account_id=line.non_deductible_account_id,
            service=service.read(line.service_date, line.service_period, self.complaints, f"{path}."),
            dimensions=line.dimensions,
            asset=line.asset,
        )

    def adjustments(self, name: str, items: Sequence[NewInvoiceAdjustment] | None) -> Sequence[AdjustmentCommand]:
        return [self._adjustment(f"{name}[{i}]", item) for i, item in enumerate(items or ())]

    def _adjustment(self, path: str, item: NewInvoiceAdjustment) -> AdjustmentCommand:
        part = self.part(path, PercentOrAmount(percent=item.percent, amount=item.amount))
        return AdjustmentCommand(
            part=part or Adjustment(amount=0),
            description=item.description,
            tax_rate_id=item.tax_rate_id,
            account_id=item.account_id,
            dimensions=item.dimensions,
        )

    def part(self, path: str, part: PercentOrAmount | None) -> Adjustment | None:
        if part is None:
            return None
        if (part.percent is None) == (part.amount is None):
            self.complaints.add(path, "exactly_one", says("Send either percent or amount."))
            return None
        if part.percent is not None:
            return Adjustment(percent=money.scaled(part.percent, MICRO))
        return Adjustment(amount=self.amount(f"{path}.amount", part.amount))

    def amount(self, path: str, value: Decimal | None) -> int | None:
        return None if value is None else self.complaints.minor(value, self.currency, path)

    def printed_tax(self, taxes: Sequence[bodies.PrintedTax] | None) -> Sequence[PrintedTax] | None:
        if taxes is None:
            return None
        return [
            PrintedTax(tax.tax_rate_id, self.complaints.minor(tax.amount, self.currency, f"printedTax[{i}].amount"))
            for i, tax in enumerate(taxes)
        ]


def _millionths(percent: Decimal | None) -> int | None:
    return None if percent is None else money.scaled(percent, MICRO)


def stored(terms: str) -> InvoiceRequest:
    """The request that a document stores as its `terms`."""
    return schema.decode(json.loads(terms), StoredInvoice)  # stored as a text


def line_asset(text: str) -> LineAsset:
    """The fixed asset that a line stores."""
    return schema.decode(json.loads(text), LineAsset)  # stored as a text


def changed(terms: str, change: InvoiceChange) -> InvoiceRequest:
    """A stored request with the fields of a change in place of its own."""
    changes = change.changes()
    if _CONTACTS.keys() & changes.keys():
        changes = {**_CONTACTS, **changes}
    if _SERVICES.keys() & changes.keys():
        changes = {**_SERVICES, **changes}
    return replace(stored(terms), **changes)


_CONTACTS = dict.fromkeys(("customer", "customer_id", "supplier", "supplier_id"))
_SERVICES = dict.fromkeys(("service_date", "service_period"))


def terms(command: InvoiceCommand, contact_id: str, currency: str) -> str:
    """The request of a command as a document stores it: with its contact, who may have just been added, by id.

    Args:
        currency: of the amounts.
    """
    rate = command.exchange_rate
    values = {
        "kind": command.kind,
        f"{command.party}Id": contact_id,
        "supplierNumber": command.supplier_number,
        "force": command.force or None,
        "issueDate": _iso(command.issue_date),
        "dueDate": _iso(command.due_date),
        "paymentTerms": None if command.payment_terms is None else payment_terms.stored(command.payment_terms) or {},
        **_service(command.service),
        "currency": command.currency,
        "exchangeRate": None if rate is None else money.plain(rate, RATE_SCALE),
        "pricesIncludeTax": command.prices_include_tax,
        "discount": _part(command.discount, currency),
        "allowances": [_adjustment(item, currency) for item in command.allowances] or None,
        "charges": [_adjustment(item, currency) for item in command.charges] or None,
        "roundingAmount": _amount(command.rounding_amount, currency),
        "printedTax": [
            {"taxRateId": tax.tax_rate_id, "amount": money.text(tax.amount, currency)}
            for tax in command.printed_tax or ()
        ]
        or None,
        "prepaidAmount": _amount(command.prepaid_amount, currency),
        "reference": command.reference,
        "projectId": command.project_id,
        "note": command.note,
        "intro": command.intro,
        "closing": command.closing,
        "timeSheet": command.time_sheet or None,
        "depositIds": [*command.deposit_ids] or None,
        "lines": [_line(line, currency) for line in command.lines],
    }
    return msgspec.json.encode(_without_nulls(values), enc_hook=schema.enc_hook).decode()


def _line(line: LineCommand, currency: str) -> dict[str, Any]:
    base, of_tax, of_cost = line.price_base_quantity, line.deductible_tax_percent, line.deductible_cost_percent
    values = {
        "quantity": money.plain(line.quantity),
        "productId": line.product_id,
        "description": line.description,
        "unitPrice": money.plain(line.unit_price),
        "unit": line.unit,
        "priceBaseQuantity": None if base == MICRO else money.plain(base),
        "discount": _part(line.discount, currency),
        "charge": _part(line.charge, currency),
        "accountId": line.account_id,
        "projectId": line.project_id,
        "taskId": line.task_id,
        "deductibleTaxPercent": None if of_tax is None else money.plain(of_tax),
        "deductibleCostPercent": None if of_cost is None else money.plain(of_cost),
        "nonDeductibleAccountId": line.non_deductible_account_id,
        "dimensions": _codes(line.dimensions),
        "asset": None if line.asset is None else line_assets.plain(line.asset),
        **_service(line.service),
    }
    return _without_nulls(values) | _tax_rate(line.tax_rate_id)


def _adjustment(item: AdjustmentCommand, currency: str) -> dict[str, Any]:
    values = {
        "description": item.description,
        **(_part(item.part, currency) or {}),
        "accountId": item.account_id,
        "dimensions": _codes(item.dimensions),
    }
    return _without_nulls(values) | _tax_rate(item.tax_rate_id)


def _codes(dimensions: Dimensions | None) -> dict[str, str] | None:
    return None if dimensions is None else dict(dimensions.codes) or None


def _part(part: Adjustment | None, currency: str) -> dict[str, str] | None:
    if part is None:
        return None
    if part.percent is not None:
        return {"percent": money.plain(part.percent)}
    return {"amount": money.text(part.amount or 0, currency)}


def _amount(amount: int | None, currency: str) -> str | None:
    return None if amount is None else money.text(amount, currency)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _service(rendered: Service) -> dict[str, Any]:
    if rendered.start is None or rendered.end is None:
        return {"serviceDate": _iso(rendered.end)}
    return {"servicePeriod": {"from": rendered.start.isoformat(), "to": rendered.end.isoformat()}}


def _tax_rate(id: str | UnsetType | None) -> dict[str, str | None]:
    """The tax rate of an item: null for none at all, left out for the default."""
    return {} if id is UNSET else {"taxRateId": id}


def _without_nulls(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
