"""Incoming e-invoices as drafts of bills; the file itself is stored with the bill."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from erp.attachments import attachments
from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_fit import OtherParty, misfit
from erp.finance.contacts.tax_rates import OWED_BY_BUYER, TaxRateRef
from erp.finance.documents import invoices, prepaid, reading
from erp.finance.documents.bodies import NewSupplier
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import FullInvoice
from erp.finance.output import kept
from erp.finance.output.bodies import ReceivedEInvoice
from erp.finance.output.einvoice import reading as einvoice_reading
from erp.finance.output.einvoice import terms, units
from erp.finance.output.einvoice.model import UNSCOPED, Adjustment, EInvoice, Line, Party, Tax
from erp.finance.output.einvoice.tree import number
from erp.finance.output.einvoice.xml import Unreadable
from erp.finance.output.kept import Made
from erp.finance.output.models import DocumentFile
from erp.kernel import money, vat_ids
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Invalid, NotFound
from erp.kernel.language import Digits, says
from erp.kernel.money import MICRO
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web import schema
from erp.web.schema import File

ORIGINAL = "original"
FINEST = Decimal("0.000001")
"""The most decimals of our quantities and prices."""
Rates = Mapping[Tax, str | None]


class ReadFile(NamedTuple):
    """A file, and the e-invoice in it."""

    content: bytes
    invoice: EInvoice


def read(content: bytes) -> ReadFile:
    """Read a file, which takes no lock.

    Raises:
        Unreadable: there is no e-invoice in it.
        Invalid: its parts are too large.
    """
    return ReadFile(content, einvoice_reading.read(content))


def read_body(body: ReceivedEInvoice) -> ReadFile:
    """Read the file of a request; refuses as `read` does."""
    return read(body.file.whole())


def receive(body: ReceivedEInvoice, file: ReadFile) -> FullInvoice:
    """Draft a bill from a file, and store the file.

    Raises:
        Invalid: the books cannot hold its content, such as a tax rate that the workspace lacks.
        SupplierNumberTaken: another bill of the supplier has that number.
    """
    full, original = draft(file, body.name, body.exchange_rate, force=body.force)
    attachments.link(
        original.sha256,
        attachments.safe_name(original.name),
        len(file.content),
        original.media_type,
        ("invoice", full.invoice.id),
    )
    return full


def draft(
    file: ReadFile, name: str | None, exchange_rate: object = None, *, force: bool = False
) -> tuple[FullInvoice, DocumentFile]:
    """Draft a bill from an e-invoice, and store that as its original.

    Args:
        name: the file's name; the bill's number when None.

    Raises:
        Unreadable: its currency is unknown.
        Invalid, SupplierNumberTaken: as for `receive`.
    """
    content, received = file
    complaints = Complaints()
    full = invoices.create(reading.plain(_request(received, exchange_rate, force=force), complaints), complaints)
    _check_total(full.invoice, received)
    is_pdf = einvoice_reading.is_pdf(content)
    name = name or f"{_file_name(received)}.{'pdf' if is_pdf else 'xml'}"
    original = Made(name, "application/pdf" if is_pdf else "application/xml", content)
    return full._replace(has_original=True), kept.keep(full.invoice, ORIGINAL, original)


def original(id: str) -> File:
    """The original file of a bill.

    Raises:
        NotFound: it was entered by hand.
    """
    Invoice.find(id)
    row = kept.find(id, ORIGINAL)
    if row is None:
        raise NotFound(says("This document was not created from a file."))
    return kept.as_file(row)


def warnings(file: ReadFile, full: FullInvoice) -> list[str]:
    """Points to check in a draft from a file."""
    texts = [prepaid.hint(full.invoice, prepaid.unmatched([full.invoice]).get(full.invoice.id, 0))]
    if file.invoice.is_credit_note and file.invoice.sums.gross < 0:
        texts.append(
            says(
                "The file is a supplier credit note with amounts below zero, which literally means a charge. It was"
                " read as a credit of {amount}. Ask the supplier if that is wrong.",
                amount=money.shown(full.invoice.total, full.invoice.currency),
            )
        )
    stated = file.invoice.sums.prepaid
    if stated and full.invoice.prepaid_amount is None:
        texts.append(
            says(
                "The file says that {stated} has been paid, which does not fit its total of {total}. It was left out:"
                " check how much is to be paid.",
                stated=Digits(f"{stated:f} {full.invoice.currency}"),
                total=money.shown(full.invoice.total, full.invoice.currency),
            )
        )
    return [text for text in texts if text]


def _file_name(received: EInvoice) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in received.number)[:100]


def _request(received: EInvoice, exchange_rate: object, *, force: bool) -> dict[str, Any]:
    """The bill as a request; amounts below zero make a credit note."""
    if received.currency not in DIGITS:
        raise Unreadable(says("The file has the unknown currency {code}.", code=received.currency[:3]), field="file")
    is_negative = received.sums.gross < 0
    sign = -1 if is_negative else 1
    rates = _rates(received)
    is_credit = received.is_credit_note or is_negative
    plain = {
        "kind": "purchase_credit_note" if is_credit else "purchase_invoice",
        **_supplier(received),
        "supplierNumber": received.number[:200],
        "force": force,
        "issueDate": received.issue_date.isoformat(),
        "currency": received.currency,
        "exchangeRate": None if exchange_rate is None else str(exchange_rate),
        "pricesIncludeTax": False,
        "reference": received.order_reference and received.order_reference[:200],
        "note": _note(received),
        "lines": [_line(line, sign, rates, received.currency) for line in received.lines],
        "allowances": [_adjustment(item, sign, rates) for item in received.adjustments if not item.is_charge],
        "charges": [_adjustment(item, sign, rates) for item in received.adjustments if item.is_charge],
        "roundingAmount": number(sign * received.sums.rounding) if received.sums.rounding else None,
        "printedTax": _printed(received, sign, rates),
        "prepaidAmount": None if is_credit else _prepaid(received),
        "draft": True,
        **_dates(received),
    }
    return {name: value for name, value in plain.items() if value is not None}


def _dates(received: EInvoice) -> dict[str, Any]:
    """Its due date, service dates, and cash discounts."""
    values: dict[str, Any] = {}
    if received.due_date is not None and received.due_date >= received.issue_date:
        values["dueDate"] = received.due_date.isoformat()
    steps = _steps(received)
    values |= {"paymentTerms": {"discounts": steps}} if steps else {}
    return values | _service(received.period, received.delivered_on)


def _steps(received: EInvoice) -> list[dict[str, Any]]:
    """The cash discounts of its terms, for a request."""
    return terms.steps([*received.discounts, *terms.discounts_in(received.terms)])


def _prepaid(received: EInvoice) -> str | None:
    """The part of a bill that is said to be paid; none where it makes no sense."""
    prepaid = received.sums.prepaid
    return number(prepaid) if 0 < prepaid <= received.sums.gross + received.sums.rounding else None


def _service(period: Any, day: Any = None) -> dict[str, Any]:
    if period is not None and period.start and period.end and period.start <= period.end:
        return {"servicePeriod": {"from": period.start.isoformat(), "to": period.end.isoformat()}}
    day = day or (period and (period.end or period.start))
    return {} if day is None else {"serviceDate": day.isoformat()}


def _note(received: EInvoice) -> str | None:
    """The words of the file."""
    texts = [received.note, None if _steps(received) else received.terms]
    return "\n".join(text for text in texts if text)[:4000] or None


def _supplier(received: EInvoice) -> dict[str, Any]:
    """The supplier on record with the seller's VAT number, or else name; a new one without either."""
    seller = received.seller
    vat_id = vat_ids.tidied(seller.vat_id) if seller.vat_id else None
    rows = WORKSPACE.rows(_KNOWN, {"vat_id": vat_id, "name": seller.name, "trading": seller.trading_name})
    return {"supplierId": rows[0][0]} if rows else {"supplier": _new_supplier(seller, received)}


_KNOWN = (
    "SELECT id FROM contact WHERE archived_at IS NULL AND kind <> 'customer'"
    " AND (vat_id = :vat_id OR name = :name OR name = :trading OR legal_name = :name)"
    " ORDER BY CASE WHEN vat_id = :vat_id THEN 0 ELSE 1 END, id LIMIT 1"
)


def _new_supplier(seller: Party, received: EInvoice) -> dict[str, Any]:
    """A new supplier, without fields that the books do not accept, such as a VAT number with wrong check digits."""
    payment = received.payment
    address = {"line1": seller.line1, "line2": seller.line2, "city": seller.city, "region": seller.region}
    address |= {"postalCode": seller.postal_code, "country": seller.country}
    plain = {
        "name": (seller.trading_name or seller.name)[:200],
        "legalName": seller.name[:200] if seller.trading_name else None,
        "vatId": seller.vat_id,
        "taxNumber": seller.tax_number,
        "email": seller.email or seller.email_address,
        "phone": seller.phone,
        "address": {name: value for name, value in address.items() if value} or None,
        "bankAccount": {"iban": payment.iban} if payment and payment.iban else None,
    }
    return schema.fitting({name: value for name, value in plain.items() if value}, NewSupplier)


def _rates(received: EInvoice) -> Rates:
    """The tax rate of the workspace for each category and percentage of the file.

    Raises:
        Invalid: the workspace lacks one.
    """
    own_rates = _own_rates()
    used = [line.tax for line in received.lines] + [item.tax for item in received.adjustments if item.tax]
    complaints, ids = Complaints(), {}
    for tax in dict.fromkeys(used):
        ids[tax] = None if tax.category == UNSCOPED else _rate(tax, own_rates, received.seller)
        if ids[tax] is None and tax.category != UNSCOPED:
            message = says(
                "The workspace has no tax rate of {percent} % in category {category}. Create it first.",
                percent=Digits(f"{tax.rate or 0:f}"),
                category=tax.category,
            )
            complaints.add("file", "no_tax_rate", message)
    complaints.refuse()
    return ids


_OWN_RATES = (
    "SELECT id FROM tax_rate WHERE archived_at IS NULL AND side <> 'sale' ORDER BY is_default DESC, rate DESC, id"
)


def _own_rates() -> list[TaxRateRef]:
    """The rates of the workspace that bills can have, in the order in which they are tried."""
    ids = [id for (id,) in WORKSPACE.rows(_OWN_RATES)]
    return [*tax_rates.look_up({id: id for id in ids})[0].values()]


def _rate(tax: Tax, own_rates: Sequence[TaxRateRef], seller: Party) -> str | None:
    """The rate's id; if the buyer owes the tax of the category, the workspace's own rate that fits the seller best."""
    of_category = [rate for rate in own_rates if rate.category == tax.category]
    if tax.category not in OWED_BY_BUYER:
        return next((rate.id for rate in of_category if rate.rate == (tax.rate or 0) * MICRO), None)
    home, party = workspace_settings.current().country, OtherParty.of(seller.vat_id, {"country": seller.country})
    fitting = [rate for rate in of_category if home and not misfit(rate, party, home, is_purchase=True)]
    return next((rate.id for rate in [*fitting, *of_category]), None)


def _line(line: Line, sign: int, rates: Rates, currency: str) -> dict[str, Any]:
    quantity, price, base, parts = _priced(line, sign, currency)
    text = line.description if line.description and line.description.startswith(line.name) else None
    texts = [text or line.name] + ([line.description] if line.description and not text else []) + [line.note or ""]
    plain = {
        "description": "\n".join(part for part in texts if part)[:1000],
        "quantity": number(quantity),
        "unit": units.word_of(line.unit),
        "unitPrice": number(price),
        "priceBaseQuantity": number(base),
        "taxRateId": rates[line.tax],
        **parts,
        **_service(line.period),
    }
    return {name: value for name, value in plain.items() if value is not None or name == "taxRateId"}


def _priced(line: Line, sign: int, currency: str) -> tuple[Decimal, Decimal, Decimal, dict[str, Any]]:
    """Quantity, price, base quantity, and discount and surcharge.

    Where our arithmetic differs from the file's net amount, or cannot hold its decimals, the line has that amount as
    the price of its whole quantity.
    """
    off = sum((part.amount for part in line.adjustments if not part.is_charge), Decimal(0))
    on = sum((part.amount for part in line.adjustments if part.is_charge), Decimal(0))
    numbers = (line.quantity, line.price, line.base_quantity)
    if line.quantity and line.base_quantity > 0 and all(value == value.quantize(FINEST) for value in numbers):
        exact = line.quantity * line.price / line.base_quantity
        if money.round_to(exact, DIGITS[currency]) - off + on == line.net:
            parts = {
                name: {"amount": number(sign * part)} for name, part in (("discount", off), ("charge", on)) if part
            }
            return sign * line.quantity, line.price, line.base_quantity, parts
    quantity = abs(line.quantity.quantize(FINEST)) or Decimal(1)
    return quantity, sign * line.net, quantity, {}


def _adjustment(item: Adjustment, sign: int, rates: Rates) -> dict[str, Any]:
    tax = None if item.tax is None else rates[item.tax]
    return {"description": item.reason[:200], "amount": number(sign * item.amount), "taxRateId": tax}


def _printed(received: EInvoice, sign: int, rates: Rates) -> list[dict[str, Any]] | None:
    """The tax of each percentage in the file."""
    groups = [group for group in received.taxes if group.tax.category == "S" and rates.get(group.tax)]
    return [{"taxRateId": rates[group.tax], "amount": number(sign * group.amount)} for group in groups] or None


def _check_total(invoice: Invoice, received: EInvoice) -> None:
    """Refuse a file whose lines do not sum to its total: the supplier has to send another one."""
    theirs = abs(received.sums.gross + received.sums.rounding)
    ours = Decimal(money.text(invoice.total, invoice.currency))
    if ours != theirs:
        message = says(
            "The file states {theirs}, but its lines, tax and rounding add up to {ours}. Ask the "
            "supplier for a correct file, or enter the bill manually.",
            theirs=Digits(f"{theirs:f} {invoice.currency}"),
            ours=money.shown(invoice.total, invoice.currency),
        )
        raise Invalid.one("file", "wrong_total", message)
