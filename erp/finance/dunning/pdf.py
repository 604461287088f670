"""The PDF of a letter: made at the first request from what the letter keeps, and stored from then on."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from erp.attachments import stored
from erp.finance.dunning import letters, levels
from erp.finance.dunning.models import Reminder, ReminderItem
from erp.finance.output import logo
from erp.finance.output.design import designs
from erp.finance.output.paper import papers
from erp.finance.output.paper.content import Content, LineText, Pairs, Sum, grouped
from erp.finance.output.paper.sheet import COLUMNS, Sheet
from erp.finance.output.paper.wording import Wording
from erp.kernel import caller, clock, money
from erp.kernel.errors import Busy
from erp.kernel.language import Sentence, Word, says
from erp.store import control, events
from erp.store.connections import STORAGE_ERRORS
from erp.web import address
from erp.web.schema import File

MEDIA_TYPE = "application/pdf"


def file_of(id: str) -> File:
    """The PDF of a letter, for download.

    It is made outside of the transaction that stores it. Nothing is stored in an archived workspace, nor on a full
    disk; an undone letter is marked, and not stored.
    """
    current = caller.current()
    assert current.workspace_id is not None
    with control.reading_own():
        reminder = Reminder.find(id)
        name = f"{_file_name(reminder.number)}.pdf"
        if reminder.pdf_sha256 is not None and reminder.status == "made":
            return _stored(reminder.pdf_sha256, name)
        content = written(reminder, letters.items_of(id))
    if reminder.status == "made" and not current.is_workspace_archived:
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

    def _headings(self) -> None:
        self._head_of_table(self.pdf.get_y(), ["#", *self.content.headings], COLUMNS)


def _name(level: str) -> str:
    """The name of a level: one of a new workspace is a word of the program's own."""
    return next((name for name in levels.NAMES if name == level), level)


def _content(reminder: Reminder, items: list[ReminderItem]) -> LetterContent:
    paper, buyer = reminder.paper, reminder.customer or {}
    words = Wording(paper["language"], reminder.currency, paper["country"])
    seller, name = paper["seller"], paper["name"]
    office = address.lines(seller.get("address"), paper["country"])
    reach = [seller[key] for key in ("phone", "email") if seller.get(key)]
    legal = buyer.get("legal_name") or reminder.contact_name
    return LetterContent(
        title=f"{words.say(_name(reminder.level_name))} {reminder.number}",
        office=[name, *office, *reach],
        sender=" · ".join([name, *office]),
        names=[legal] if legal == reminder.contact_name else [legal, reminder.contact_name],
        recipient=address.lines(buyer.get("address"), paper["country"]),
        facts=[*_facts(reminder, buyer, words)],
        lines=[*_lines(reminder, items, words)],
        sums=[*_sums(reminder, words)],
        remarks=[*_remarks(reminder, items, words)],
        payment=_payment(reminder, seller, name, words),
        qr=_qr(reminder, seller, name),
        foot=[seller.get("paper_footer") or ""],
        mark=words.say(Word("UNDONE")) if reminder.status == "undone" else None,
        wording=words,
        headings=[words.say(word) for word in HEADINGS],
        intro=words.say(INTROS[reminder.level == 1].fill(date=words.day(reminder.pay_by))),
    )


HEADINGS = (Word("Document"), Word("Date"), Word("Due date"), Word("Days", "overdue"), Word("Open", "amount"))
INTROS: dict[bool, Sentence] = {
    True: says("The amounts below have not reached us yet. Please pay them by {date}."),
    False: says("In spite of our earlier letter, the amounts below are still open. Please pay them by {date}."),
}


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
    """The sum of the interest: each stretch of days with its principal and rate."""
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
    yield words.say(Word("If you have paid in the meantime, please ignore this letter."))


def _payment(reminder: Reminder, seller: dict[str, str], name: str, words: Wording) -> Pairs:
    if not seller.get("iban"):
        return []
    pairs = (
        (words.say(Word("Payee")), name),
        ("IBAN", grouped(seller["iban"])),
        ("BIC", seller.get("bic")),
        (words.say(Word("Bank")), seller.get("bank_name")),
        (words.say(Word("Payment reference")), reminder.number),
    )
    return [(label, text) for label, text in pairs if text]


def _qr(reminder: Reminder, seller: dict[str, str], name: str) -> str | None:
    if reminder.currency != "EUR" or not seller.get("iban"):
        return None
    amount = f"EUR{money.text(reminder.total, 'EUR')}"
    return "\n".join(["BCD", "002", "1", "SCT", "", name[:70], seller["iban"], amount, "", "", reminder.number])
