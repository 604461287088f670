"""The documents behind a box of a return, each with its part."""

from erp.finance.documents.posting import TITLES
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import figures, queries, returns
from erp.finance.reports.tax.counting.facts import Fact
from erp.finance.reports.tax.figures import Amounts
from erp.finance.reports.tax.forms import Box, Form, Source, in_language
from erp.finance.reports.tax.queries import TaxDocumentsQuery
from erp.kernel.errors import BadParameter
from erp.kernel.language import Word, says

KINDS = TITLES | {
    "deposit_invoice": Word("Deposit received"),
    "cash_discount": Word("Cash discount"),
    "uncollectable": Word("Write-off"),
    "small_difference": Word("Small difference"),
    "recovery": Word("Recovery of a write-off"),
}


def of(query: TaxDocumentsQuery) -> ReportTree:
    """The documents of a box.

    Raises:
        BadParameter: the days end before they begin, or there is no such form or box.
    """
    span = queries.span_of(query)
    computed = returns.compute(queries.form_of(query.form, span.last), span, query.basis)
    form, rates = computed.form, computed.counting.rates
    box = _box(form, query.box or form.payable)
    first, last = span
    columns = [
        Column(key="date", label=Word("Date"), kind="date"),
        Column(key="contact", label=Word("Contact"), kind="text"),
        Column(key="what", label=Word("What"), kind="text"),
        Column(key="rate", label=Word("Tax rate"), kind="text"),
        Column(key="base", label=Word("Taxable amount"), date_from=first, date_to=last),
        Column(key="tax", label=Word("Tax"), date_from=first, date_to=last),
    ]
    title = _title(box, queries.tongue_of(query))
    tree = Tree("tax_documents", title, columns, heading=Word("Document"), since=first, until=last)
    counted = (fact for fact in computed.counting.counted() if query.contact_id in (None, fact.source.contact_id))
    shares = [(fact, figures.share(form, box, fact, rates)) for fact in counted]
    shares.sort(key=lambda pair: (pair[0].day, pair[0].source.number))
    rows = [tree.add(_row(fact, own, rates[fact.rate_id].name)) for fact, own in shares if own.base or own.tax]
    tree.sum(Word("Total"), rows, key="total")
    return tree.view(query)


EC_BOXES = {
    f"ec-{tag.removeprefix('eu_')}": Box(
        f"ec-{tag.removeprefix('eu_')}", {"en": "EC sales list"}, [Source("sale", [tag])], base="exact"
    )
    for tag in ("eu_goods", "eu_services")
}


def _box(form: Form, code: str) -> Box:
    box = next((box for box in form.boxes() if box.code == code), EC_BOXES.get(code))
    if box is None:
        raise BadParameter(says("box: The form has no box {box}.", box=code))
    return box


def _title(box: Box, tongue: str) -> str:
    """The official code of a box, if any, and its label."""
    if box.code in EC_BOXES:
        return Word("EC sales list")
    label = in_language(box.label, tongue)
    return label if any(source.rate_id for source in box.sources) else f"{box.code} {label}"


def _row(fact: Fact, share: Amounts, rate: str) -> Row:
    link = links.document(fact.source.type, fact.source.id)
    cells: dict[str, Cell] = {
        "date": fact.day,
        "contact": fact.source.contact,
        "what": KINDS[fact.kind],
        "rate": rate,
    }
    pairs = (("base", share.base), ("tax", share.tax))
    cells |= {key: Figure(amount, link) for key, amount in pairs if amount}
    return Row(kind="line", label=fact.source.number, level=1, link=link, cells=cells)
