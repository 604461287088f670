"""The VAT return of some days: the boxes of a form, the filed figures, and the books beside them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from erp.finance.books import ledger
from erp.finance.reports.period import Span
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Column, Figure, ReportTree, Row, Tree
from erp.finance.reports.tax import figures, filed, queries
from erp.finance.reports.tax.counting.counted import Basis, Counting
from erp.finance.reports.tax.counting.facts import Fact, Rate
from erp.finance.reports.tax.figures import BoxFigures, Figures
from erp.finance.reports.tax.forms import Box, Form, in_language
from erp.finance.reports.tax.models import TaxReturn
from erp.finance.reports.tax.queries import TaxReturnQuery
from erp.kernel.currencies import DIGITS
from erp.kernel.language import Word, says
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE

BASES = {"accrual": Word("accrual basis"), "cash": Word("cash basis")}


class Computed(NamedTuple):
    """The return of some days from the present books."""

    form: Form
    span: Span
    basis: Basis
    figures: Figures
    counting: Counting


def compute(form: Form, span: Span, basis: Basis | None = None) -> Computed:
    """The figures of a form for some days, by the basis of the settings unless another one is given."""
    counting = Counting(form, span, basis)
    unit = 10 ** DIGITS[workspace_settings.current().base_currency]
    shown = figures.of(form, counting.counted(), counting.rates, unit)
    return Computed(shown.form, span, counting.shown_basis, shown, counting)


def of(query: TaxReturnQuery) -> ReportTree:
    """The return that a query asks for.

    Raises:
        BadParameter: the days end before they begin, or there is no such form.
    """
    span = queries.span_of(query)
    computed = compute(queries.form_of(query.form, span.last), span, query.basis)
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
        self._compare(tree)
        return tree

    def _told(self, filed_return: TaxReturn) -> str:
        day = filed_return.created_at[:10]
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

    def _compare(self, tree: Tree) -> None:
        """The way from the return to the accounts of tax: cut cents, other days, and the remaining difference."""
        computed, shown = self.computed, self.computed.figures
        counting, missed = computed.counting, shown.missed
        by_facts = shown.by_documents + missed.tax - missed.input
        by_documents = _posted(counting.accrued(), computed.span)
        tree.section(Word("Compared with the books"))
        owed = tree.line(Word("By the VAT return"), _tax(shown.payable), key="by_return")
        rest = tree.line(Word("Rounding, and amounts in no box"), _tax(by_facts - shown.payable))
        later = tree.line(Word("Posted in this period, but counted in another"), _tax(by_documents - by_facts))
        documents = tree.sum(Word("By the documents"), [owed, rest, later], key="by_documents", only="tax", level=1)
        rows = [*self._accounts(tree)]
        ledger = tree.sum(Word("By the ledger"), rows, key="ledger", only="tax", level=1)
        tree.sum(Word("Difference to the ledger"), [ledger], [documents], key="difference", only="tax")

    def _accounts(self, tree: Tree) -> Iterator[Row]:
        first, last = self.computed.span
        for account in _tax_accounts(self.computed.span, self.computed.counting.rates):
            cell: Mapping[str, Cell] = {
                "tax": Figure(account.amount, links.ledger(account.id, date_from=first, date_to=last))
            }
            link = links.to(f"/accounts/{account.id}")
            yield tree.line(account.name, {**cell}, code=account.code, link=link)


def _tax(amount: int) -> dict[str, Cell]:
    return {"tax": Figure(amount)}


def _cells(form: str, shown: BoxFigures, link: str | None = None) -> dict[str, Cell]:
    """The base and the tax of a box, under keys of a form."""
    pairs = (("base", shown.base), ("tax", shown.tax))
    return {form.format(key): Figure(amount, link) for key, amount in pairs if amount is not None}


def _less(now: int | None, then: int | None) -> int | None:
    return None if now is None and then is None else (now or 0) - (then or 0)


class _TaxAccount(NamedTuple):
    """An account of tax, and what was posted to it: above zero what is owed."""

    id: str
    code: str
    name: str
    amount: int


def _tax_accounts(span: Span, rates: Mapping[str, Rate]) -> list[_TaxAccount]:
    """The accounts of tax with what was posted in some days, but for what was taken over or settled with returns."""
    ids = {ledger.default_account("tax"), ledger.default_account("input_tax")}
    ids |= {id for rate in rates.values() for id in (rate.output_account_id, rate.input_account_id)}
    days = {"first": str(span.first), "last": str(span.last), "ids": sql.array(sorted(ids))}
    return [_TaxAccount(*row) for row in WORKSPACE.rows(_POSTED, days)]


def _posted(facts: Iterable[Fact], span: Span) -> int:
    """The amounts that documents have posted in some days of tax, above zero for tax that is owed."""
    first, last = map(str, span)
    return sum(fact.tax - fact.input for fact in facts if first <= fact.posted <= last)


_POSTED = """
SELECT a.id, a.code, a.name, -sum(p.amount) FROM posting AS p JOIN account AS a ON a.id = p.account_id
JOIN journal_entry AS e ON e.id = p.entry_id LEFT JOIN journal_entry AS o ON o.id = e.reverses_id
WHERE p.account_id IN (SELECT value FROM json_each(:ids)) AND p.date BETWEEN :first AND :last
    AND coalesce(o.kind, e.kind) NOT IN ('opening', 'tax_settlement')
GROUP BY a.id, a.code, a.name HAVING sum(p.amount) <> 0 ORDER BY a.code
"""
