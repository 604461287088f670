"""A paper of made-up data, to see how papers look before a change is saved."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import msgspec

from erp.finance.documents import paper_texts, posting
from erp.finance.output import logo
from erp.finance.output.design import designs
from erp.finance.output.paper.content import Content, LineText, Sum
from erp.finance.output.paper.sheet import Sheet
from erp.finance.output.paper.wording import Wording
from erp.kernel import clock, money, places
from erp.kernel.language import Word, says
from erp.kernel.paper import letterheads
from erp.store import workspace_settings
from erp.texts.kinds import TextKind
from erp.web import address
from erp.web.schema import File

TITLES: Mapping[TextKind, Word] = {
    "invoice": posting.TITLES["sales_invoice"],
    "credit_note": posting.TITLES["sales_credit_note"],
    "deposit_invoice": posting.TITLES["deposit_invoice"],
    "final_invoice": posting.TITLES["final_invoice"],
    "quote": Word("Quote"),
    "order_confirmation": Word("Order confirmation"),
    "reminder_1": Word("Payment reminder"),
    "reminder_2": Word("Reminder"),
    "reminder_3": Word("Final reminder"),
    "reminder_4": Word("Final reminder"),
    "reminder_5": Word("Final reminder"),
    "statement": Word("Account statement"),
}
DAYS = 14
_LINES = ((1, 800, 9_600), (2, 100, 4_500), (3, 300, 1_250))
"""Position, quantity in hundredths, and price."""


def preview(values: Mapping[str, Any]) -> File:
    """The paper of a request: its kind and language, and what of the design and the texts is not as saved."""
    sent = {"kind": "invoice", "language": "en", **values}
    chosen = {name: sent.pop(name) for name in ("kind", "language")}
    own = {name: sent.pop(name, None) for name in ("intro", "closing")}
    design = msgspec.structs.replace(designs.current(), **sent)
    settings = workspace_settings.current()
    words = Wording(chosen["language"], settings.base_currency, settings.country)
    content = _content(chosen["kind"], words, paper_texts.chosen_for(chosen["kind"], words.language, None, **own))
    sheet = Sheet(content, clock.now(), logo.content(settings.logo_hash), design)
    sheet.write()
    pdf, letterhead = bytes(sheet.pdf.output()), designs.letterhead_of(design)
    return File(pdf if letterhead is None else letterheads.under(pdf, letterhead), "preview.pdf", designs.PDF)


def _content(kind: TextKind, words: Wording, texts: Mapping[str, str | None]) -> Content:
    settings, today = workspace_settings.current(), workspace_settings.today()
    office, number = workspace_settings.office_name(), f"{today.year}-0042"
    place = address.lines(settings.address, settings.country)
    reach = [text for text in (settings.phone, settings.email) if text]
    net = sum(quantity * price for _, quantity, price in _LINES) // 100
    tax = (net * 19 + 50) // 100
    values = _values(words, today, number, office, words.money(net + tax))
    said = {name: places.filled(text, values) for name, text in texts.items() if text}
    return Content(
        title=f"{words.say(TITLES[kind])} {number}",
        office=[office, *place, *reach],
        sender=" · ".join([office, *place]),
        names=["Blue Heron Bakery"],
        recipient=["4 Mill Lane", "20095 Hamburg"],
        facts=[
            (words.say(Word("Number", "document")), number),
            (words.say(Word("Date")), words.day(today)),
            (words.say(Word("Customer number")), "10042"),
        ],
        lines=[_line(words, *line) for line in _LINES],
        sums=[
            Sum(words.say(says("Net at {percent}", percent="19 %")), words.amount(net)),
            Sum(words.say(says("VAT {percent}", percent="19 %")), words.amount(tax)),
            Sum(words.say(Word("Total")), words.money(net + tax), is_total=True),
        ],
        intro=said.get("intro"),
        remarks=[],
        closing=said.get("closing"),
        payment=[],
        qr=None,
        foot=[" · ".join([office, *place, *reach])],
        mark=words.say(Word("SAMPLE")),
        wording=words,
    )


def _values(words: Wording, today: date, number: str, office: str, total: str) -> dict[str, str | None]:
    later = words.day(today + timedelta(days=DAYS))
    return {
        "number": number,
        "date": words.day(today),
        **dict.fromkeys(("due", "validUntil", "payBy"), later),
        **dict.fromkeys(("total", "open"), total),
        "customer": "Blue Heron Bakery",
        "office": office,
        "sender": workspace_settings.current().contact_name,
        "reference": "4711",
        "project": words.say(Word("Sample project")),
        "subject": words.say(Word("Sample project")),
        "period": f"{words.day(today.replace(day=1))} – {words.day(today)}",
    }


def _line(words: Wording, position: int, quantity: int, price: int) -> LineText:
    net = quantity * price // 100
    return LineText(
        position=str(position),
        name=f"{words.say(Word('Sample line'))} {position}",
        notes=[],
        quantity=words.number(money.plain(quantity, 100)),
        price=words.amount(price),
        tax=words.percent(19_000_000),
        amount=words.amount(net),
        net=net,
    )
