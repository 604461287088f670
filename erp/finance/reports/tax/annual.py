"""The returns of a year beside the year as it is now: what an annual return has to explain."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Annotated

from msgspec import Meta

from erp.finance.reports.period import FileQuery, Span
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Tree
from erp.finance.reports.tax import computing, filed, queries
from erp.finance.reports.tax.figures import BoxFigures
from erp.finance.reports.tax.forms import Box, in_language
from erp.finance.reports.tax.models import TaxReturn
from erp.kernel.language import Word, says
from erp.store import workspace_settings


class AnnualQuery(FileQuery):
    """The calendar year and the form to compare."""

    year: Annotated[int, Meta(ge=1970, le=2199, description="When absent, the year before this one.")] | None = None
    form: Annotated[str, Meta(max_length=50, description="By default the one in the settings.")] | None = None


def of(query: AnnualQuery) -> ReportTree:
    """The comparison of a year.

    Raises:
        BadParameter: there is no such form.
    """
    year = query.year or workspace_settings.today().year - 1
    span = Span(date(year, 1, 1), date(year, 12, 31))
    computed = computing.compute(queries.form_of(query.form, span.last), span)
    before, tongue = _filed(computed.form.code, span), queries.tongue_of(query)
    title = says(
        "{form}: {year} as filed and as it is now", form=in_language(computed.form.name, tongue), year=str(year)
    )
    tree = Tree("annual_tax", title, _columns(span), heading=Word("Box"), since=span.first, until=span.last)
    for section in computed.form.sections:
        if section.boxes:
            tree.section(in_language(section.label, tongue))
        for box in section.boxes:
            key = "payable" if box.code == computed.form.payable else box.code
            _add(tree, key, box, before[box.code], computed.figures.boxes[box.code], tongue)
    return tree.view(query, {"year": str(year)})


def _columns(span: Span) -> list[Column]:
    first, last = span
    labels = {
        "filed_base": Word("Taxable amount as filed"),
        "filed_tax": Word("Tax as filed"),
        "base": Word("Taxable amount"),
        "tax": Word("Tax"),
        "base_change": Word("Change of taxable amount"),
        "tax_change": Word("Change of tax"),
    }
    return [Column(key=key, label=label, date_from=first, date_to=last) for key, label in labels.items()]


def _add(tree: Tree, key: str, box: Box, before: BoxFigures, now: BoxFigures, tongue: str) -> None:
    cells: dict[str, Cell] = {}
    for name, own, then in (("base", now.base, before.base or 0), ("tax", now.tax, before.tax or 0)):
        if own is not None:
            cells |= {f"filed_{name}": Figure(then), name: Figure(own), f"{name}_change": Figure(own - then)}
    is_official = not any(source.rate_id for source in box.sources)
    tree.line(in_language(box.label, tongue), cells, key=key, code=box.code if is_official else None)


def _filed(form: str, span: Span) -> Mapping[str, BoxFigures]:
    """The sums of the filed returns by box; of the returns of the same days, the last correction counts."""
    latest: dict[tuple[date, date], TaxReturn] = {}
    for own in filed.overlapping(form, span):
        days = own.date_from, own.date_to
        if span.first <= own.date_from and own.date_to <= span.last:
            latest[days] = max(own, latest.get(days, own), key=lambda each: each.correction)
    sums: defaultdict[str, BoxFigures] = defaultdict(lambda: BoxFigures(0, 0))
    for own in latest.values():
        for code, figures in filed.figures_of(own).items():
            base, tax, _ = sums[code]
            sums[code] = BoxFigures((base or 0) + (figures.base or 0), (tax or 0) + (figures.tax or 0))
    return sums
