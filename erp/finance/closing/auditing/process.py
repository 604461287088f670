"""The description of the office's processes for an auditor, from its settings and its log.

Source: GoBD, paragraphs 151 to 155 (Verfahrensdokumentation).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

import erp
from erp.finance.closing.auditing import chapters as own_chapters
from erp.finance.closing.auditing.models import ProcessWording
from erp.finance.closing.fiscal_years import FiscalYearView
from erp.finance.reports import number_gaps
from erp.kernel import caller, clock, roles
from erp.kernel.days import ONE_DAY
from erp.kernel.language import Sentence, Word, says, translated
from erp.kernel.paper.pdf import Paper
from erp.store import control, events, workspace_settings
from erp.store.router import WORKSPACE

HEAD_SIZE = 12
"""The size of a chapter's title on paper."""


class Chapter(NamedTuple):
    """A title and its paragraphs; a paragraph of a list begins with a dash."""

    title: str
    paragraphs: Sequence[str]


def markdown(year: FiscalYearView, tongue: str) -> bytes:
    """The description as Markdown."""
    parts = [f"# {_title(year, tongue)}", *(_markdown(chapter) for chapter in chapters(year, tongue))]
    return ("\n\n".join(parts) + "\n").encode()


def _markdown(chapter: Chapter) -> str:
    text = f"## {chapter.title}"
    for before, paragraph in pairwise(("", *chapter.paragraphs)):
        is_list = before.startswith("- ") and paragraph.startswith("- ")
        text += ("\n" if is_list else "\n\n") + _escaped(paragraph)
    return text


def _escaped(paragraph: str) -> str:
    """A paragraph that is not a heading, as one with # in front would be."""
    return f"\\{paragraph}" if paragraph.startswith("#") else paragraph


def pdf(year: FiscalYearView, tongue: str) -> bytes:
    """The description on paper."""
    paper = Paper(_title(year, tongue), clock.now())
    for chapter in chapters(year, tongue):
        paper.line(chapter.title, HEAD_SIZE)
        for text in chapter.paragraphs:
            paper.line(text)
        paper.gap()
    return paper.finish()


def _title(year: FiscalYearView, tongue: str) -> str:
    title = says("Process description {year}: {office}", year=str(year.year), office=workspace_settings.office_name())
    return translated(title, tongue)


def chapters(year: FiscalYearView, tongue: str) -> list[Chapter]:
    """The chapters in a language, and then the chapters of the office as it wrote them."""
    own = own_chapters.in_force(year.start_date, year.end_date)
    return [
        *(
            Chapter(translated(title, tongue), [translated(text, tongue) for text in paragraphs(year)])
            for title, paragraphs in _CHAPTERS.items()
        ),
        *(Chapter(wordings[-1].title, [*_worded(wordings, tongue)]) for wordings in own),
    ]


def _worded(wordings: Sequence[ProcessWording], tongue: str) -> Iterator[str]:
    """The wordings of a chapter that were in force in the year, each with its days."""
    for wording, later in zip_longest(wordings, wordings[1:]):
        if later is None:
            yield translated(says("In force from {first}:", first=wording.valid_from), tongue)
        else:
            last = later.valid_from - ONE_DAY
            yield translated(says("In force from {first} to {last}:", first=wording.valid_from, last=last), tongue)
        yield from (line.strip() for line in wording.text.splitlines() if line.strip())


def _office(year: FiscalYearView) -> Iterator[Sentence]:
    settings = workspace_settings.current()
    yield says(
        "Books of {office} in {currency}, fiscal year from {first} to {last}, with erp {version}.",
        office=workspace_settings.office_name(),
        currency=settings.base_currency,
        first=year.start_date,
        last=year.end_date,
        version=erp.__version__,
    )
    yield says("Journal entries posted in this year: {count}.", count=year.entry_count)


def _people(year: FiscalYearView) -> Iterator[Sentence]:
    yield says("Everyone signs in with their own password. A person's rights follow from their role.")
    with control.read():
        members = control.Member.select(control.Member.role).where(
            control.Member.workspace_id == caller.current().workspace_id, control.Member.has_access()
        )
        counts = Counter(member.role for member in members)
    for role in roles.ROLES:
        if counts[role]:
            yield says("- {role}: {count}", role=roles._TITLES[role], count=counts[role])


def _numbers(year: FiscalYearView) -> Iterator[Sentence]:
    yield says(
        "Each document takes the next number of its series in the transaction that posts it, so no number is given out "
        "twice or left out. The report of numbering gaps shows it."
    )
    labels = {series.name: series.label for series in number_gaps.SERIES} | _OTHER_SERIES
    for series, pattern in {**workspace_settings.current().number_formats, **workspace_settings.FIXED_FORMATS}.items():
        yield says("- {series}: {pattern}", series=labels[series], pattern=pattern)


_OTHER_SERIES = {
    "payrollRun": Word("Payroll runs"),
    "expenseClaim": Word("Expense claims"),
    "employee": Word("Employees"),
    "asset": Word("Fixed assets"),
    "quote": Word("Quotes"),
}


def _bills(year: FiscalYearView) -> Iterator[Sentence]:
    yield says(
        "A bill arrives as a file in the inbox, as an e-invoice or on paper. It becomes a draft, is checked, and is "
        "posted with its lines, its tax and its number. The file that arrived stays with it, byte for byte."
    )
    if workspace_settings.current().bill_approval:
        yield says("Payment runs pay only bills that someone with the right to approve bills has approved.")
    else:
        yield says("Bills need no approval before they are paid.")


def _invoices(year: FiscalYearView) -> Iterator[Sentence]:
    yield says(
        "An invoice is drafted, issued and sent. With the issue it gets its number and is posted; its particulars, its "
        "paper and its e-invoice are stored as issued. It is corrected by a credit note or voided, never changed."
    )


def _letters(year: FiscalYearView) -> Iterator[Sentence]:
    yield says(
        "A quote posts nothing. It is issued, then revised as a new version, accepted or declined; each version is "
        "kept as issued, with its paper."
    )
    yield says(
        "A reminder posts nothing. Its claims are stored as of its day; it can be undone, never changed. Interest, "
        "fees and lump sums are posted when an invoice charges them."
    )


def _tax(year: FiscalYearView) -> Iterator[Sentence]:
    settings = workspace_settings.current()
    if settings.tax_rounding == "line":
        yield says("Tax is rounded on each line.")
    else:
        yield says("Tax is rounded on each document, per rate.")
    yield says("Sales are taxed by accrual, except as listed here.")
    for change in settings.tax_basis:
        if change["basis"] == "cash":
            yield says("- From {day}: when payment is received", day=change["since"])
        else:
            yield says("- From {day}: by accrual", day=change["since"])


def _unchanged(year: FiscalYearView) -> Iterator[Sentence]:
    seq, head = events.tip()
    yield says(
        "Posted entries are never changed or deleted; the file refuses it. A correction is an entry of its own that "
        "mirrors the first one."
    )
    yield says(
        "Every change is an event with its time and its author, and each event has the hash of the one before. The "
        "last is event {seq} with the hash {head}. Every report shows the event that it was made from.",
        seq=str(seq),
        head=head,
    )


def _locks(year: FiscalYearView) -> Iterator[Sentence]:
    locked = workspace_settings.current().lock_date
    if locked is None:
        yield says("The books are not locked.")
    else:
        yield says("The books are locked through {day}: nothing can be posted there.", day=locked)
    yield says(
        "The number of times that the lock was moved in this year: {count}.", count=_count(year, "period.%locked")
    )


def _imports(year: FiscalYearView) -> Iterator[Sentence]:
    yield says("Imported files are checked row by row and taken in whole or not at all.")
    yield says("The number of imports in this year: {count}.", count=_count(year, "%.imported"))


def _storage(year: FiscalYearView) -> Iterator[Sentence]:
    yield says(
        "The books are one file on the office's own computer. Each day a backup of it is made, opened and checked; a "
        "backup can be restored. Files of documents are stored by their SHA-256."
    )
    yield says(
        "The auditor's export of a fiscal year has all tables with their description, and the files of the documents."
    )


_CHAPTERS: dict[str, Callable[[FiscalYearView], Iterator[Sentence]]] = {
    Word("Office and books"): _office,
    Word("Users and roles"): _people,
    Word("Number series"): _numbers,
    Word("Bills"): _bills,
    Word("Invoices"): _invoices,
    Word("Quotes and reminders"): _letters,
    Word("Tax"): _tax,
    Word("Protection against changes"): _unchanged,
    Word("Locks"): _locks,
    Word("Imports"): _imports,
    Word("Backups and storage"): _storage,
}
_COUNT = "SELECT count(*) FROM event WHERE type LIKE ? AND substr(occurred_at, 1, 10) BETWEEN ? AND ?"


def _count(year: FiscalYearView, types: str) -> int:
    ((count,),) = WORKSPACE.rows(_COUNT, (types, str(year.start_date), str(year.end_date)))
    return int(count)
