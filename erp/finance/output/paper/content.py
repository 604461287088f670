"""The texts on the paper of a document, plain, in their printed order."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec

from erp.finance.contacts import payment_terms
from erp.finance.documents.models import PURCHASES
from erp.finance.documents.posting import TITLES
from erp.finance.documents.store import LineRow
from erp.finance.output import einvoices
from erp.finance.output.einvoice import profiles, units
from erp.finance.output.paper import epc, time_sheet
from erp.finance.output.paper.time_sheet import TimeBlock
from erp.finance.output.paper.wording import Wording
from erp.finance.output.sources import Source
from erp.kernel import money, places
from erp.kernel.language import Word, says
from erp.kernel.money import MICRO
from erp.web import address

Pairs = list[tuple[str, str]]


class LineText(msgspec.Struct, frozen=True):
    """A line: its description, explanations below it, its columns, and its amount in minor units."""

    position: str
    name: str
    notes: Sequence[str]
    quantity: str
    price: str
    tax: str
    amount: str
    net: int


class Sum(msgspec.Struct, frozen=True):
    """A row of the totals."""

    label: str
    amount: str
    is_total: bool = False


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a document."""

    title: str
    office: Sequence[str]
    sender: str
    names: Sequence[str]
    recipient: Sequence[str]
    facts: Pairs
    lines: Sequence[LineText]
    sums: Sequence[Sum]
    intro: str | None = None
    remarks: Sequence[str]
    closing: str | None = None
    time_sheet: Sequence[TimeBlock] = ()
    payment: Pairs
    qr: str | None
    foot: Sequence[str]
    mark: str | None
    wording: Wording


def of(source: Source, *, is_copy: bool = False) -> Content:
    """The texts of a document in the language of its customer."""
    invoice = source.invoice
    words = Wording(source.language, invoice.currency, source.country)
    from_us = invoice.kind not in PURCHASES
    writer, reader = (source.seller, source.buyer) if from_us else (source.buyer, source.seller)
    title = " ".join(part for part in (words.say(TITLES[invoice.kind]), invoice.number) if part)
    return Content(
        title=title,
        office=[_name(writer), *_address(writer, source), *_reach(writer)],
        sender=" · ".join([_name(writer), *_address(writer, source)]),
        names=_names(reader),
        recipient=_address(reader, source),
        facts=list(_facts(source, words)),
        lines=[_line(row, source, words) for row in source.full.parts.lines],
        sums=list(_sums(source, words)),
        intro=_text("intro", source, words),
        remarks=list(_remarks(source, words)),
        closing=_text("closing", source, words),
        time_sheet=time_sheet.blocks(invoice, source.full.parts.lines, words) if invoice.time_sheet else [],
        payment=payment_pairs(source.seller, invoice.number, words) if _is_paid_to_us(source) else [],
        qr=epc.text_of(source) if _is_paid_to_us(source) else None,
        foot=list(foot(source.seller, source.country, words)) if from_us else [],
        mark=_mark(source, words, is_copy=is_copy),
        wording=words,
    )


def _text(field: str, source: Source, words: Wording) -> str | None:
    """A text of the paper with the values of this document in its places."""
    text = source.texts.get(field)
    return None if text is None else places.filled(text, values(source, words)).strip() or None


def values(source: Source, words: Wording) -> dict[str, str | None]:
    """The values of the places in the texts of a document."""
    invoice = source.invoice
    is_asking = not invoice.kind.endswith("credit_note")
    days = [value for _, value in service_fact(invoice.service_from, invoice.service_to, words)]
    return {
        "number": invoice.number,
        "date": words.day(invoice.issue_date),
        "due": words.day(invoice.due_date) if is_asking else None,
        "total": words.money(invoice.total),
        "open": words.money(invoice.demanded),
        "customer": _name(source.buyer),
        "office": _name(source.seller),
        "sender": source.seller.get("contact_name"),
        "reference": invoice.reference,
        "project": source.project,
        "period": days[0] if invoice.service_to is not None else None,
    }


def _is_paid_to_us(source: Source) -> bool:
    invoice = source.invoice
    return invoice.kind in ("sales_invoice", "deposit_invoice", "final_invoice") and invoice.demanded > 0


def _mark(source: Source, words: Wording, *, is_copy: bool) -> str | None:
    if source.invoice.status == "draft":
        return words.say(Word("DRAFT"))
    return words.say(Word("COPY")) if is_copy else None


def _name(party: Any) -> str:
    return str(party.get("legal_name") or party["name"])


def _names(party: Any) -> list[str]:
    """The legal name, and the usual one below it if different."""
    name = _name(party)
    return [name] if name == party["name"] else [name, party["name"]]


def _address(party: Any, source: Source) -> list[str]:
    return address.lines(party.get("address"), source.country)


def _reach(party: Any) -> list[str]:
    return [party[name] for name in ("phone", "email") if party.get(name)]


def _facts(source: Source, words: Wording) -> Iterator[tuple[str, str]]:
    invoice = source.invoice
    named = (
        (Word("Number", "document"), invoice.number),
        (Word("Supplier's invoice no."), invoice.supplier_number),
    )
    yield from ((words.say(name), value) for name, value in named if value)
    yield from _days(source, words)
    yield from facts_of_reader(source, words)
    if invoice.credited_invoice_id is not None:
        for number, day in source.preceding:
            yield words.say(Word("Corrects")), f"{number}, {words.day(day)}"


def facts_of_reader(source: Source, words: Wording) -> Iterator[tuple[str, str]]:
    """The marks by which the reader knows the document: their number, reference and VAT number."""
    theirs = (
        (Word("Customer number"), _customer_number(source)),
        (Word("Your reference"), source.invoice.reference),
        (Word("Buyer reference"), source.buyer.get("buyer_reference")),
        (Word("Your VAT number"), source.buyer.get("vat_id")),
    )
    yield from ((words.say(name), value) for name, value in theirs if value)


def _customer_number(source: Source) -> str | None:
    """The customer's number; a supplier, who writes bills, does not know our numbers."""
    number: str | None = source.buyer.get("debtor_number")
    return None if source.invoice.kind in PURCHASES else number


def _days(source: Source, words: Wording) -> Iterator[tuple[str, str]]:
    invoice = source.invoice
    yield words.say(Word("Date")), words.day(invoice.issue_date)
    if invoice.kind != "deposit_invoice":
        yield from service_fact(invoice.service_from, invoice.service_to, words)
    if not invoice.kind.endswith("credit_note"):
        yield words.say(Word("Due date")), words.day(invoice.due_date)


def service_fact(start: date | None, end: date | None, words: Wording) -> Iterator[tuple[str, str]]:
    if start is not None and end is not None:
        yield words.say(Word("Service period")), f"{words.day(start)} – {words.day(end)}"
    else:
        text = words.day(end) if end is not None else words.say(Word("as the date of this document"))
        yield words.say(Word("Service date")), text


def _line(row: LineRow, source: Source, words: Wording) -> LineText:
    rate = source.rate(row.tax_rate_id)
    quantity = words.number(money.plain(row.quantity))
    return LineText(
        position=str(row.position + 1),
        name=row.description,
        notes=list(_notes(row, source, words)),
        quantity=f"{quantity} {units.printed(row.unit, row.quantity, words.language)}" if row.unit else quantity,
        price=words.number(money.price_text(row.unit_price, source.invoice.currency)),
        tax=words.percent(rate.rate) if rate.category == "S" else "–",
        amount=words.amount(_shown(row, source)),
        net=_shown(row, source),
    )


def _shown(row: LineRow, source: Source) -> int:
    """The shown amount of a line: net, or gross with prices that include tax."""
    if not source.invoice.prices_include_tax:
        return row.net
    rate = source.rate(row.tax_rate_id)
    share = row.net + row.tax - row.gross
    with_tax = money.divide(share * (100 * MICRO + rate.rate), 100 * MICRO) if rate.category == "S" else share
    return row.gross + with_tax


def _notes(row: LineRow, source: Source, words: Wording) -> Iterator[str]:
    if row.price_base_quantity != MICRO:
        yield f"{words.say(Word('Price for'))} {words.number(money.plain(row.price_base_quantity))}"
    parts = (
        (Word("Discount"), row.discount_amount, row.discount_percent),
        (Word("Surcharge"), row.charge_amount, row.charge_percent),
    )
    for name, amount, percent in parts:
        if percent or amount:
            yield f"{words.say(name)}: {words.percent(percent) if percent else words.money(amount or 0)}"
    if row.service_to is not None:
        start, end = (None if day is None else date.fromisoformat(day) for day in (row.service_from, row.service_to))
        yield ": ".join(next(service_fact(start, end, words)))


def _sums(source: Source, words: Wording) -> Iterator[Sum]:
    invoice, included = source.invoice, bool(source.invoice.prices_include_tax)
    if not included and (invoice.discount_total or invoice.charge_total):
        yield Sum(words.say(Word("Sum of lines")), words.amount(invoice.subtotal))
    yield from _changes(source, words)
    for row in source.full.parts.taxes:
        if row.category == "S":
            percent = words.percent(row.rate)
            yield Sum(words.say(says("Net at {percent}", percent=percent)), words.amount(row.base))
            yield Sum(words.say(says("VAT {percent}", percent=percent)), words.amount(row.amount))
        else:
            yield Sum(words.say(Word("Net without VAT")), words.amount(row.base))
    if invoice.rounding_amount:
        yield Sum(words.say(Word("Rounding")), words.amount(invoice.rounding_amount))
    yield Sum(words.say(Word("Total")), words.money(invoice.total), is_total=True)
    yield from _deposits(source, words)


def _changes(source: Source, words: Wording) -> Iterator[Sum]:
    """The document's discount, allowances and charges, without tax."""
    invoice, adjustments = source.invoice, source.full.parts.adjustments
    discount = sum(row.net + row.tax - row.gross for row in source.full.parts.lines)
    if discount:
        percent = f" {words.percent(invoice.discount_percent)}" if invoice.discount_percent else ""
        yield Sum(words.say(Word("Discount")) + percent, words.amount(-discount))
    for row in adjustments:
        name = row.description or words.say(Word("Surcharge") if row.is_charge else Word("Discount"))
        yield Sum(name, words.amount(row.amount if row.is_charge else -row.amount))


def _deposits(source: Source, words: Wording) -> Iterator[Sum]:
    invoice = source.invoice
    for row in source.full.deposits:
        if row.net or row.tax:
            day = words.day(date.fromisoformat(row.issue_date))
            tax = f", {words.say(Word('of which VAT'))} {words.amount(row.tax)}" if row.tax else ""
            label = f"{words.say(Word('Deposit'))} {row.number}, {day}{tax}"
            yield Sum(label, words.amount(-(row.net + row.tax)))
    if invoice.deposit_total:
        yield Sum(words.say(Word("Amount due")), words.money(invoice.demanded), is_total=True)


def _remarks(source: Source, words: Wording) -> Iterator[str]:
    """The required remarks: the reason why no tax is charged, cash discounts, the note, the text of the office."""
    yield from tax_remarks(source, words)
    yield from _base_tax(source, words)
    yield from _terms(source, words)
    yield from own_remarks(source)


def tax_remarks(source: Source, words: Wording) -> Iterator[str]:
    """Whether the prices include tax, and the reason why none is charged."""
    if source.invoice.prices_include_tax:
        yield words.say(says("The prices and amounts of the lines include VAT."))
    for row in source.full.parts.taxes:
        reason = source.rate(row.tax_rate_id).reason or profiles.REASONS.get(row.category)
        if row.category not in ("S", "Z") and reason:
            yield words.say(reason).rstrip(".") + "."


def own_remarks(source: Source) -> Iterator[str]:
    """The document's own note, and the text of the office."""
    own = None if source.invoice.kind in PURCHASES else source.seller.get("paper_footer")
    yield from (text for text in (source.invoice.note, own) if text)


def _base_tax(source: Source, words: Wording) -> Iterator[str]:
    total, rate = source.full.base_tax_total, source.invoice.exchange_rate
    if total is not None and rate is not None:
        yield words.say(
            says(
                "VAT in {currency}: {amount}, exchange rate {rate}.",
                currency=source.base_currency,
                amount=words.number(money.text(total, source.base_currency)),
                rate=words.number(money.plain(rate, money.RATE_SCALE)),
            )
        )


def _terms(source: Source, words: Wording) -> Iterator[str]:
    invoice = source.invoice
    if not _is_paid_to_us(source):
        return
    amount, day = words.money(invoice.demanded), words.day(invoice.due_date)
    yield words.say(says("Please pay {amount} by {day}.", amount=amount, day=day))
    terms = payment_terms.read(invoice.payment_terms)
    for step in (terms.discounts if terms and invoice.kind != "deposit_invoice" else None) or ():
        percent = money.scaled(Decimal(step.percent), MICRO)
        off = money.divide(invoice.demanded * percent, 100 * MICRO)
        yield words.say(
            says(
                "If you pay by {day}, you may deduct {percent}: then {amount} is to be paid.",
                day=words.day(einvoices.until(invoice.issue_date, step.days)),
                percent=words.percent(percent),
                amount=words.money(invoice.demanded - off),
            )
        )


def payment_pairs(payee: Mapping[str, Any], number: str | None, words: Wording) -> Pairs:
    """The account of the office, and the payment reference."""
    if not payee.get("iban"):
        return []
    pairs = (
        (words.say(Word("Payee")), payee["name"]),
        ("IBAN", grouped(payee["iban"])),
        ("BIC", payee.get("bic")),
        (words.say(Word("Bank")), payee.get("bank_name")),
        (words.say(Word("Payment reference")), number),
    )
    return [(label, value) for label, value in pairs if value]


def grouped(iban: str) -> str:
    """An IBAN in groups of four."""
    return " ".join(iban[i : i + 4] for i in range(0, len(iban), 4))


def foot(office: Mapping[str, Any], country: str | None, words: Wording) -> Iterator[str]:
    """The particulars of the office, in up to three lines at the end of each page."""
    yield " · ".join([office["name"], *address.lines(office.get("address"), country), *_reach(office)])
    legal = [office.get("register_entry")]
    legal.append(f"{words.say(Word('Managing directors'))}: {office['managers']}" if office.get("managers") else None)
    taxes = ((Word("VAT number"), office.get("vat_id")), (Word("Tax number"), office.get("tax_number")))
    legal += [f"{words.say(name)} {value}" for name, value in taxes if value]
    yield " · ".join(text for text in legal if text)
    bank = [office.get("bank_name"), grouped(office["iban"]) if office.get("iban") else None, office.get("bic")]
    yield " · ".join(text for text in bank if text)
