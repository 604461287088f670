"""The VAT return of some days: the boxes of a form, the filed figures, and the books beside them."""

from collections.abc import Iterator
from datetime import date

from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import comparison, computing, filed, queries
from erp.finance.reports.tax.computing import Computed
from erp.finance.reports.tax.figures import BoxFigures
from erp.finance.reports.tax.forms import Box, in_language
from erp.finance.reports.tax.models import TaxReturn
from erp.finance.reports.tax.queries import TaxReturnQuery
from erp.kernel.language import Word, says

BASES = {"accrual": Word("accrual basis"), "cash": Word("cash basis")}


def of(query: TaxReturnQuery) -> ReportTree:
    """The return that a query asks for.

    Raises:
        BadParameter: the days end before they begin, or there is no such form.
    """
    span = queries.span_of(query)
    computed = computing.compute(queries.form_of(query.form, span.last), span, query.basis)
    return _Return(computed, query).tree().view(query)


class _Return:
    """A return while it is shown."""

    def __init__(self, computed: Computed, query: TaxReturnQuery) -> None:
        self.computed, self.query = computed, query
        self.tongue = queries.tongue_of(query)
        self.filed = filed.latest(computed.form.code, computed.span)
        self.before = {} if self.filed is None else filed.figures_of(self.filed)
        self.rows: dict[str, Row] = {}

    def tree(self) -> Tree:
        form, (first, last) = self.computed.form, self.computed.span
        name = in_language(form.name, self.tongue)
        title = says("{form}, {basis}", form=name, basis=BASES[self.computed.basis])
        tree = Tree("tax_return", title, [*self._columns()], heading=Word("Box"), since=first, until=last)
        if self.filed is not None:
            tree.section(self._told(self.filed), key="filed", link=links.to(f"/tax-returns/{self.filed.id}"))
        for section in form.sections:
            rows = [self._row(box) for box in section.boxes]
            if rows:
                tree.section(in_language(section.label, self.tongue))
            for row in rows:
                tree.add(row)
        self._missed(tree)
        comparison.add(tree, self.computed, self._link)
        return tree

    def _told(self, filed_return: TaxReturn) -> str:
        day = date.fromisoformat(filed_return.created_at[:10])
        count = len(filed.changed(self.before, self.computed.figures.boxes))
        if not count:
            return says("Filed on {day}, and unchanged since", day=day)
        return says("Filed on {day}. Boxes that have changed since: {count}", day=day, count=count)

    def _columns(self) -> Iterator[Column]:
        first, last = self.computed.span
        labels = {"base": Word("Taxable amount"), "tax": Word("Tax")}
        if self.filed is not None:
            labels |= {"filed_base": Word("Taxable amount as filed"), "filed_tax": Word("Tax as filed")}
            labels |= {"base_change": Word("Change of taxable amount"), "tax_change": Word("Change of tax")}
        for key, label in labels.items():
            yield Column(key=key, label=label, date_from=first, date_to=last)

    def _row(self, box: Box) -> Row:
        shown = self.computed.figures.boxes[box.code]
        cells = {**_cells("{}", shown, self._link(box.code))}
        if box.code in self.before:
            before = self.before[box.code]
            change = BoxFigures(_less(shown.base, before.base), _less(shown.tax, before.tax))
            cells |= _cells("filed_{}", before) | _cells("{}_change", change)
        official = not any(source.rate_id for source in box.sources) and box.code != "payable"
        row = Row(
            kind="sum" if box.is_sum else "line",
            label=in_language(box.label, self.tongue),
            level=0 if box.is_sum else 1,
            key="payable" if box.code == self.computed.form.payable else box.code,
            code=box.code if official else None,
            cells=cells,
        )
        signed = ((1, box.adds), (-1, box.takes))
        row.terms = [(sign, self.rows[code]) for sign, codes in signed for code in codes if code in self.rows]
        self.rows[box.code] = row
        return row

    def _link(self, code: str) -> str:
        first, last = self.computed.span
        query = {"form": self.computed.form.code, "basis": self.query.basis, "box": code}
        return links.to("/reports/tax-documents", date_from=first, date_to=last, **query)

    def _missed(self, tree: Tree) -> None:
        """The amounts in no box, so that the form is not taken for complete."""
        missed = self.computed.figures.missed
        if any(missed):
            label = Word("In no box of the form")
            cells: dict[str, Cell] = {"base": Figure(missed.base), "tax": Figure(missed.tax - missed.input)}
            tree.line(label, cells, key="missed", level=0)


def _cells(form: str, shown: BoxFigures, link: str | None = None) -> dict[str, Cell]:
    """The base and the tax of a box, under keys of a form."""
    pairs = (("base", shown.base), ("tax", shown.tax))
    return {form.format(key): Figure(amount, link) for key, amount in pairs if amount is not None}


def _less(now: int | None, then: int | None) -> int | None:
    return None if now is None and then is None else (now or 0) - (then or 0)
