"""The PDF of a letter: made at the first request from what the letter keeps, and stored from then on."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from erp.attachments import stored
from erp.finance.dunning import letters, levels
from erp.finance.dunning.models import Reminder, ReminderItem
from erp.finance.output import logo
from erp.finance.output.design import designs
from erp.finance.output.paper import content as documents
from erp.finance.output.paper import epc, papers
from erp.finance.output.paper.content import Content, LineText, Sum
from erp.finance.output.paper.pages import Columns
from erp.finance.output.paper.sheet import Sheet
from erp.finance.output.paper.wording import Wording
from erp.kernel import caller, clock, places
from erp.kernel.errors import Busy
from erp.kernel.language import Word, says
from erp.store import control, events
from erp.store.connections import STORAGE_ERRORS
from erp.web import address
from erp.web.schema import File

MEDIA_TYPE = "application/pdf"


def file_of(id: str, *, is_stored: bool = True) -> File:
    """The PDF of a letter, for download.

    It is made outside of the transaction that stores it, if it is to be stored. Nothing is stored in an archived
    workspace, nor on a full disk; an undone letter is marked, and not stored.
    """
    current = caller.current()
    assert current.workspace_id is not None
    with control.reading_own():
        reminder = Reminder.find(id)
        name = f"{_file_name(reminder.number)}.pdf"
        if reminder.pdf_sha256 is not None and reminder.status == "made":
            return _stored(reminder.pdf_sha256, name)
        content = written(reminder, letters.items_of(id))
    if is_stored and reminder.status == "made" and not current.is_workspace_archived:
        with suppress(Busy, *STORAGE_ERRORS), control.open_workspace(current.workspace_id, write=True):
            return _stored(_keep(id, content), name)
    return File(content, name, MEDIA_TYPE)


def _keep(id: str, content: bytes) -> str:
    reminder = Reminder.find(id)
    if reminder.pdf_sha256 is not None:
        return str(reminder.pdf_sha256)
    digest = stored.keep_bytes(content, MEDIA_TYPE)
    reminder.change(pdf_sha256=digest)
    events.write("reminder.filed", "reminder", id, {"number": reminder.number, "sha256": digest})
    return digest


def _stored(digest: str, name: str) -> File:
    return File(stored.whole(digest), name, MEDIA_TYPE, headers={"X-Content-SHA256": digest})


def _file_name(number: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in number)


def written(reminder: Reminder, items: list[ReminderItem]) -> bytes:
    """The bytes of a letter."""
    made_at = clock.parse(reminder.created_at)
    design = designs.of(reminder.paper["design"])
    sheet = LetterSheet(_content(reminder, items), made_at, logo.content(reminder.paper["logo"]), design)
    sheet.write()
    return papers.finished(sheet, made_at, design)


class LetterContent(Content, frozen=True, kw_only=True):
    """The texts of a letter, with the headings of its table."""

    headings: list[str]


class LetterSheet(Sheet):
    """A letter on A4."""

    content: LetterContent
    columns: Columns = ((8, "L"), (56, "L"), (34, "R"), (34, "R"), (14, "R"), (28, "R"))

    def _headings(self) -> None:
        self._head_of_table(self.pdf.get_y(), ["#", *self.content.headings], self.columns)


def _name(level: str) -> str:
    """The name of a level: one of a new workspace is a word of the program's own."""
    return next((name for name in levels.NAMES if name == level), level)


def _content(reminder: Reminder, items: list[ReminderItem]) -> LetterContent:
    paper, buyer, words = reminder.paper, reminder.customer or {}, _words(reminder)
    seller = {**paper["seller"], "name": paper["name"]}
    office = [seller["name"], *address.lines(seller.get("address"), paper["country"])]
    reach = [seller[key] for key in ("phone", "email") if seller.get(key)]
    legal, texts = _legal_name(reminder), _texts(reminder)
    return LetterContent(
        title=f"{words.say(_name(reminder.level_name))} {reminder.number}",
        office=[*office, *reach],
        sender=" · ".join(office),
        names=[legal] if legal == reminder.contact_name else [legal, reminder.contact_name],
        recipient=address.lines(buyer.get("address"), paper["country"]),
        facts=[*_facts(reminder, buyer, words)],
        lines=[*_lines(reminder, items, words)],
        sums=[*_sums(reminder, words)],
        remarks=[*_remarks(reminder, items, words)],
        payment=documents.payment_pairs(seller, reminder.number, words),
        qr=epc.text(seller, reminder.currency, reminder.total, reminder.number),
        foot=[*documents.foot(seller, paper["country"], words)],
        mark=words.say(Word("UNDONE")) if reminder.status == "undone" else None,
        wording=words,
        headings=[words.say(word) for word in HEADINGS],
        intro=texts["intro"],
        closing=texts["closing"],
    )


HEADINGS = (Word("Document"), Word("Date"), Word("Due date", "column"), Word("Days", "overdue"), Word("Open", "amount"))


def _words(reminder: Reminder, language: str | None = None) -> Wording:
    return Wording(language or reminder.paper["language"], reminder.currency, reminder.paper["country"])


def _legal_name(reminder: Reminder) -> str:
    return (reminder.customer or {}).get("legal_name") or str(reminder.contact_name)


def values(reminder: Reminder, language: str | None = None) -> dict[str, str | None]:
    """The values of the places in the texts of a letter, in its own language unless another is named."""
    words = _words(reminder, language)
    return {
        "number": reminder.number,
        "date": words.day(reminder.date),
        "total": words.money(reminder.total),
        "open": words.money(reminder.open),
        "customer": _legal_name(reminder),
        "office": reminder.paper["name"],
        "sender": reminder.paper["seller"].get("contact_name"),
        "payBy": words.day(reminder.pay_by),
    }


def _texts(reminder: Reminder) -> dict[str, str | None]:
    """The texts above and below the items, as on the day of the letter, with its values in their places."""
    texts, said = reminder.paper["texts"], values(reminder)
    return {name: places.filled(texts.get(name, ""), said).strip() or None for name in ("intro", "closing")}


def _facts(reminder: Reminder, buyer: dict[str, str], words: Wording) -> Iterator[tuple[str, str]]:
    yield words.say(Word("Number", "document")), reminder.number
    yield words.say(Word("Date")), words.day(reminder.date)
    yield words.say(Word("Please pay by")), words.day(reminder.pay_by)
    if buyer.get("debtor_number"):
        yield words.say(Word("Customer number")), buyer["debtor_number"]


def _lines(reminder: Reminder, items: list[ReminderItem], words: Wording) -> Iterator[LineText]:
    for i, item in enumerate(items):
        day = date.fromisoformat(reminder.paper["days"][i])
        amount = words.amount(item.open)
        yield LineText(
            str(i + 1),
            item.number,
            (),
            words.day(day),
            words.day(item.due_date),
            str(item.days_overdue),
            amount,
            item.open,
        )


def _sums(reminder: Reminder, words: Wording) -> Iterator[Sum]:
    rows = (
        (Word("Less payments and credit notes"), -reminder.credit),
        (Word("Reminder fee"), reminder.fee),
        (Word("Default interest"), reminder.interest),
        (Word("Lump sum for late payment"), reminder.lump_sum),
        (Word("Less charges invoiced or waived"), -reminder.charged),
    )
    yield Sum(words.say(Word("Open items")), words.money(reminder.open + reminder.credit))
    yield from (Sum(words.say(word), words.money(amount)) for word, amount in rows if amount)
    yield Sum(words.say(Word("Please pay")), words.money(reminder.total), is_total=True)


def _remarks(reminder: Reminder, items: list[ReminderItem], words: Wording) -> Iterator[str]:
    """The sum of the interest, each stretch of days with its principal and rate; and the text of the office."""
    if reminder.interest:
        yield words.say(Word("How the default interest is counted (365 days a year):"))
        for item, parts in zip(items, reminder.paper["interest"], strict=True):
            for first, last, principal, rate in parts:
                days = (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
                span = f"{words.day(date.fromisoformat(first))} – {words.day(date.fromisoformat(last))}"
                sentence = says(
                    "{number}: {span}, {days} days, {amount} at {rate}",
                    number=item.number,
                    span=span,
                    days=str(days),
                    amount=words.money(principal),
                    rate=words.percent(rate),
                )
                yield words.say(sentence)
    if footer := reminder.paper["seller"].get("paper_footer"):
        yield footer
