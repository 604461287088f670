"""The documents behind a box of a return, each with its part."""

from erp.finance.contacts import heads
from erp.finance.documents.posting import TITLES
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import comparison, computing, figures, queries
from erp.finance.reports.tax.computing import Computed
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
    computed = computing.compute(queries.form_of(query.form, span.last), span, query.basis)
    title, shares = _shares(computed, query.box or computed.form.payable, queries.tongue_of(query))
    first, last = span
    columns = [
        Column(key="date", label=Word("Date"), kind="date"),
        Column(key="contact", label=Word("Contact"), kind="text"),
        Column(key="what", label=Word("What"), kind="text"),
        Column(key="rate", label=Word("Tax rate"), kind="text"),
        Column(key="base", label=Word("Taxable amount"), date_from=first, date_to=last),
        Column(key="tax", label=Word("Tax"), date_from=first, date_to=last),
    ]
    tree = Tree("tax_documents", title, columns, heading=Word("Document"), since=first, until=last)
    shares = [(fact, own) for fact, own in shares if own.base or own.tax]
    shares.sort(key=lambda pair: (pair[0].day, pair[0].source.number))
    rates = computed.counting.rates
    rows = [
        tree.add(_row(fact, own, rates[fact.rate_id].name))
        for fact, own in shares
        if query.contact_id is None or heads.of(query.contact_id) == heads.of(fact.source.contact_id)
    ]
    if query.box == "cents":
        shown = {"tax": Figure(-computed.figures.payable)}
        rows.append(tree.line(comparison.label("by_return", span), {**shown}))
    tree.sum(Word("Total"), rows, key="total")
    return tree.view(query)


EC_BOXES = {
    f"ec-{tag.removeprefix('eu_')}": Box(
        f"ec-{tag.removeprefix('eu_')}", {"en": "EC sales list"}, [Source("sale", [tag])], base="exact"
    )
    for tag in ("eu_goods", "eu_services")
}


def _shares(computed: Computed, code: str, tongue: str) -> tuple[str, list[tuple[Fact, Amounts]]]:
    """The title of a box or of a step of the comparison with the books, and its facts with their parts in it."""
    if code in comparison.STEPS:
        facts = comparison.facts(computed, code)
        return comparison.label(code, computed.span), [(fact, Amounts(fact.base, fact.owed)) for fact in facts]
    form, rates = computed.form, computed.counting.rates
    box = _box(form, code)
    shares = [(fact, figures.share(form, box, fact, rates)) for fact in computed.counting.counted()]
    return _title(box, tongue), shares


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
