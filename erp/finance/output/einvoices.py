"""E-invoices from documents of the books."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from erp.finance.contacts import payment_terms
from erp.finance.documents.store import AdjustmentRow, LineRow
from erp.finance.documents.totals import Adjustment as Part
from erp.finance.documents.totals import amount_of
from erp.finance.output.einvoice import profiles, units
from erp.finance.output.einvoice.model import (
    SUPPLY,
    UNSCOPED,
    Adjustment,
    EInvoice,
    Line,
    Party,
    Payment,
    Period,
    Preceding,
    Profile,
    Sums,
    Tax,
    TaxGroup,
)
from erp.finance.output.sources import Rate, Source
from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.language import Digits, Word, says, translated
from erp.kernel.money import MICRO

TYPE_CODES = {"sales_invoice": "380", "final_invoice": "380", "deposit_invoice": "386", "sales_credit_note": "381"}
PRICE_DECIMALS = Decimal("1e-10")


def of(source: Source, profile: Profile) -> EInvoice:
    """The e-invoice of a document."""
    invoice, is_scoped = source.invoice, not _has(UNSCOPED, source)
    buyer = _buyer(source, is_scoped=is_scoped)
    adjustments = [*_discounts(source), *(_adjustment(row, source) for row in source.full.parts.adjustments)]
    is_deposit = invoice.kind == "deposit_invoice" and profile == "xrechnung"
    return EInvoice(
        number=invoice.number or "",
        issue_date=invoice.issue_date,
        type_code="380" if is_deposit else TYPE_CODES[invoice.kind],  # BR-DE-17 knows no 386
        currency=invoice.currency,
        tax_currency=None if source.full.base_tax_total is None else source.base_currency,
        due_date=invoice.due_date,
        buyer_reference=source.buyer.get("buyer_reference"),
        order_reference=invoice.reference,
        terms=_terms(source, profile),
        note=invoice.note,
        preceding=[Preceding(number, day) for number, day in source.preceding],
        seller=_seller(source, is_scoped=is_scoped),
        buyer=buyer,
        **_delivery(source),
        delivered_to=buyer if _has(SUPPLY, source) else None,
        payment=_payment(source),
        adjustments=adjustments,
        taxes=[_tax(row, source, profile) for row in source.full.parts.taxes],
        sums=_sums(source, adjustments),
        lines=[_line(row, source) for row in source.full.parts.lines],
    )


def _decimal(minor: int, source: Source) -> Decimal:
    return Decimal(money.text(minor, source.invoice.currency))


def _has(category: str, source: Source) -> bool:
    return any(row.category == category for row in source.full.parts.taxes)


def _seller(source: Source, *, is_scoped: bool) -> Party:
    """The office; where nothing is taxed neither party has a VAT number (BR-O-02)."""
    seller = source.seller
    vat_id = seller.get("vat_id") if is_scoped else None
    tax_number = seller.get("tax_number")
    legal = [seller.get("register_entry"), seller.get("managers")]
    return Party(
        name=seller["name"],
        id=(tax_number or seller.get("vat_id")) if vat_id is None else None,
        vat_id=vat_id,
        tax_number=tax_number,
        legal_text=", ".join(text for text in legal if text) or None,
        email_address=seller.get("email"),
        **_address(seller),
        contact_name=seller.get("contact_name"),
        phone=seller.get("phone"),
        email=seller.get("email"),
    )


def _buyer(source: Source, *, is_scoped: bool) -> Party:
    buyer = source.buyer
    name = buyer.get("legal_name") or buyer["name"]
    return Party(
        name=name,
        id=buyer.get("debtor_number"),
        trading_name=buyer["name"] if buyer["name"] != name else None,
        vat_id=buyer.get("vat_id") if is_scoped else None,
        email_address=buyer.get("email"),
        **_address(buyer),
    )


def _address(party: Any) -> dict[str, Any]:
    address = party.get("address") or {}
    return {name: address.get(name) for name in ("line1", "line2", "city", "postal_code", "region", "country")}


def _delivery(source: Source) -> dict[str, Any]:
    """The day or the period of the delivery."""
    invoice = source.invoice
    if invoice.service_from is not None:
        return {"period": Period(invoice.service_from, invoice.service_to)}
    return {"delivered_on": invoice.service_to or _usual_day(source)}


def _usual_day(source: Source) -> date | None:
    """The day of a delivery that the document does not name: its own, or the one of the invoice that it credits.

    A deposit comes before the delivery, but a supply within the EU always names a day (BR-IC-11).
    """
    invoice = source.invoice
    if invoice.kind == "sales_credit_note" and source.preceding:
        return source.preceding[0][1]
    is_done = invoice.kind in ("sales_invoice", "final_invoice")
    return invoice.issue_date if is_done or _has(SUPPLY, source) else None


def _payment(source: Source) -> Payment | None:
    """A transfer to the office; for a credit note the way is open."""
    invoice, iban = source.invoice, source.seller.get("iban")
    if invoice.kind == "sales_credit_note":
        return Payment(code="1")
    if iban is None:
        return None
    code = "58" if invoice.currency == "EUR" else "30"
    holder = source.seller["name"]
    return Payment(code=code, iban=iban, bic=source.seller.get("bic"), holder=holder, reference=invoice.number)


def _terms(source: Source, profile: Profile) -> str | None:
    """The discounts of the payment terms, in the form of XRechnung (BR-DE-18) or in words."""
    invoice = source.invoice
    terms = payment_terms.read(invoice.payment_terms)
    steps = (terms.discounts if terms else None) or ()
    if profile == "xrechnung":
        return "".join(f"#SKONTO#TAGE={step.days}#PROZENT={step.percent:.2f}#\n" for step in steps) or None
    words = [
        says(
            "{percent} % cash discount until {day}",
            percent=Digits(f"{step.percent}"),
            day=until(invoice.issue_date, step.days),
        )
        for step in steps
    ]
    return "; ".join(translated(text, source.language) for text in words) or None


def until(issued: date, days: int) -> date:
    """The last day of a cash discount."""
    return issued + timedelta(days=days)


def _category(rate: Rate) -> Tax:
    is_unscoped = rate.category == UNSCOPED
    return Tax(rate.category, None if is_unscoped else Decimal(money.plain(rate.rate)))


def _tax(row: Any, source: Source, profile: Profile) -> TaxGroup:
    """A group of tax, with the reason why none is charged if the category requires it."""
    rate = Rate(row.category, row.rate, source.rate(row.tax_rate_id).reason)
    default = profiles.REASONS.get(row.category)
    reason = rate.reason or (translated(default, source.language) if default else None)
    tax = _category(rate)
    if profile == "xrechnung":
        tax = Tax(tax.category, tax.rate or Decimal(0))  # BR-DE-14: also outside the scope of tax
    return TaxGroup(
        tax=tax,
        base=_decimal(row.base, source),
        amount=_decimal(row.amount, source),
        reason=reason if row.category not in ("S", "Z") else None,
        reason_code=profiles.REASON_CODES.get(row.category),
    )


def _discounts(source: Source) -> Iterator[Adjustment]:
    """The document's discount as one allowance for each category and percentage (BG-20)."""
    shares: dict[Rate, int] = defaultdict(int)
    for row in source.full.parts.lines:
        rate = source.rate(row.tax_rate_id)._replace(reason=None)
        shares[rate] += row.net + row.tax - row.gross
    reason = translated(Word("Discount"), source.language)
    for rate, share in shares.items():
        if share:
            amount = _decimal(abs(share), source)
            yield Adjustment(is_charge=share < 0, amount=amount, reason=reason, tax=_category(rate))


def _adjustment(row: AdjustmentRow, source: Source) -> Adjustment:
    word = Word("Surcharge") if row.is_charge else Word("Discount")
    return Adjustment(
        is_charge=bool(row.is_charge),
        amount=_decimal(row.amount, source),
        reason=row.description or translated(word, source.language),
        tax=_category(source.rate(row.tax_rate_id)),
    )


def _sums(source: Source, adjustments: list[Adjustment]) -> Sums:
    invoice = source.invoice
    return Sums(
        lines=_decimal(invoice.subtotal, source),
        allowances=sum((item.amount for item in adjustments if not item.is_charge), Decimal(0)),
        charges=sum((item.amount for item in adjustments if item.is_charge), Decimal(0)),
        net=_decimal(invoice.net_total, source),
        tax=_decimal(invoice.tax_total, source),
        base_tax=_base_tax(source),
        gross=_decimal(invoice.net_total + invoice.tax_total, source),
        prepaid=_decimal(invoice.deposit_total, source),
        rounding=_decimal(invoice.rounding_amount, source),
        payable=_decimal(invoice.demanded, source),
    )


def _base_tax(source: Source) -> Decimal | None:
    total = source.full.base_tax_total
    return None if total is None else Decimal(money.text(total, source.base_currency))


def _line(row: LineRow, source: Source) -> Line:
    """A line; a price below zero becomes a negative quantity (BR-27)."""
    quantity, price, base, adjustments = _priced(row, source)
    sign = -1 if price < 0 else 1
    name, _, rest = row.description.partition("\n")
    unit = units.code_of(row.unit)
    is_unknown = row.unit is not None and unit == units.ONE and row.unit != units.ONE
    return Line(
        id=str(row.position + 1),
        name=name.strip() or "-",
        description=row.description if rest.strip() else None,
        note=row.unit if is_unknown else None,
        quantity=sign * quantity,
        unit=unit,
        price=sign * price,
        base_quantity=base,
        net=_decimal(row.net, source),
        tax=_category(source.rate(row.tax_rate_id)),
        period=_period(row),
        adjustments=adjustments,
    )


def _priced(row: LineRow, source: Source) -> tuple[Decimal, Decimal, Decimal, list[Adjustment]]:
    """Quantity, price with its base quantity, and discounts and surcharges.

    A price that includes tax, or the price of a credit note's line for a remainder, is computed from the line's net
    amount: then price and quantity alone make it up.
    """
    quantity, base = (Decimal(money.plain(value)) for value in (row.quantity, row.price_base_quantity))
    currency = source.invoice.currency
    value = money.divide(row.quantity * row.unit_price * 10 ** DIGITS[currency], MICRO * row.price_base_quantity)
    off = amount_of(_part(row.discount_amount, row.discount_percent), value)
    on = amount_of(_part(row.charge_amount, row.charge_percent), value)
    if source.invoice.prices_include_tax or value - off + on != row.net:
        price = (_decimal(row.net, source) / quantity).quantize(PRICE_DECIMALS) if quantity else Decimal(0)
        return quantity, price, Decimal(1), []
    return quantity, Decimal(money.plain(row.unit_price)), base, list(_line_adjustments(off, on, source))


def _part(amount: int | None, percent: int | None) -> Part | None:
    return None if amount is None and percent is None else Part(amount=amount, percent=percent)


def _line_adjustments(off: int, on: int, source: Source) -> Iterator[Adjustment]:
    for value, is_charge in ((off, False), (on, True)):
        if value:
            turned = is_charge if value > 0 else not is_charge
            reason = translated(Word("Surcharge") if turned else Word("Discount"), source.language)
            yield Adjustment(is_charge=turned, amount=_decimal(abs(value), source), reason=reason)


def _period(row: LineRow) -> Period | None:
    if row.service_to is None:
        return None
    start, end = (None if day is None else date.fromisoformat(day) for day in (row.service_from, row.service_to))
    return Period(start or end, end)
