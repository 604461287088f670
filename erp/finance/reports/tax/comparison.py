"""The way from a return to the accounts of tax: each step is a sum over documents, which its address lists."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from erp.finance.books import default_accounts
from erp.finance.reports.period import Span
from erp.finance.reports.table import links
from erp.finance.reports.table.tree import Cell, Figure, Row, Tree
from erp.finance.reports.tax import figures
from erp.finance.reports.tax.computing import Computed
from erp.finance.reports.tax.counting.facts import Fact, Rate
from erp.kernel.language import Word, says
from erp.store import sql
from erp.store.router import WORKSPACE

STEPS = ("cents", "in_no_box", "unpaid_end", "unpaid_start", "other_days")
"""The steps whose documents can be listed like the documents of a box."""


def label(key: str, span: Span) -> str:
    """The name of a step."""
    return {
        "by_return": Word("By the VAT return"),
        "cents": Word("Tax on the cents that the form cuts"),
        "in_no_box": Word("In no box of the form"),
        "unpaid_end": says("Unpaid at the end of {day}", day=span.last),
        "unpaid_start": says("Less: unpaid at the end of {day}", day=_day_before(span)),
        "other_days": Word("Posted in this period, but counted in another"),
    }[key]


def facts(computed: Computed, key: str) -> Iterator[Fact]:
    """The facts of a step, each with the tax that counts in it; of the cents, before the return takes its own off."""
    form, span, counting = computed.form, computed.span, computed.counting
    if key == "cents":
        for fact in counting.counted():
            yield fact._replace(base=0, tax=fact.owed - figures.beyond(form, fact, counting.rates), input=0)
    elif key == "in_no_box":
        for fact in counting.counted():
            if tax := figures.beyond(form, fact, counting.rates):
                yield fact._replace(tax=tax, input=0)
    elif key == "unpaid_end":
        yield from counting.unpaid(str(span.last))
    elif key == "unpaid_start":
        yield from counting.unpaid(str(_day_before(span)))
    else:
        yield from counting.on_other_days()


def add(tree: Tree, computed: Computed, link: Callable[[str], str]) -> None:
    """Add the comparison of a return with the books; `link` is the address of the documents of a box."""
    shown, form = computed.figures, computed.form
    amounts = {"by_return": shown.payable, "cents": shown.cents, "in_no_box": shown.in_no_box}
    keys = [key for key in STEPS if computed.counting.is_ever_cash or not key.startswith("unpaid")]
    amounts |= {key: sum(fact.owed for fact in facts(computed, key)) for key in keys if key not in amounts}
    tree.section(Word("Compared with the books"))
    rows = {
        key: tree.line(
            label(key, computed.span),
            {"tax": Figure(amount, link(form.payable if key == "by_return" else key))},
            key=key,
        )
        for key, amount in amounts.items()
    }
    takes = [row for key, row in rows.items() if key == "unpaid_start"]
    adds = [row for row in rows.values() if row not in takes]
    by_documents = tree.sum(Word("By the documents"), adds, takes, key="by_documents", only="tax", level=1)
    posted = tree.sum(Word("By the ledger"), [*_accounts(tree, computed)], key="ledger", only="tax", level=1)
    tree.sum(Word("Difference to the ledger"), [posted], [by_documents], key="difference", only="tax")


def _day_before(span: Span) -> date:
    return span.first - timedelta(days=1)


def _accounts(tree: Tree, computed: Computed) -> Iterator[Row]:
    first, last = computed.span
    for account in _tax_accounts(computed.span, computed.counting.rates):
        cell: Mapping[str, Cell] = {
            "tax": Figure(account.amount, links.ledger(account.id, date_from=first, date_to=last))
        }
        link = links.to(f"/accounts/{account.id}")
        yield tree.line(account.name, {**cell}, code=account.code, link=link)


class _TaxAccount(NamedTuple):
    """An account of tax, and what was posted to it: above zero what is owed."""

    id: str
    code: str
    name: str
    amount: int


def _tax_accounts(span: Span, rates: Mapping[str, Rate]) -> list[_TaxAccount]:
    """The accounts of tax with what was posted in some days, but for what was taken over or settled with returns."""
    ids = {default_accounts.of("tax"), default_accounts.of("input_tax")}
    ids |= {id for rate in rates.values() for id in (rate.output_account_id, rate.input_account_id)}
    days = {"first": str(span.first), "last": str(span.last), "ids": sql.array(sorted(ids))}
    return [_TaxAccount(*row) for row in WORKSPACE.rows(_POSTED, days)]


_POSTED = """
SELECT a.id, a.code, a.name, -sum(p.amount) FROM posting AS p JOIN account AS a ON a.id = p.account_id
JOIN journal_entry AS e ON e.id = p.entry_id LEFT JOIN journal_entry AS o ON o.id = e.reverses_id
WHERE p.account_id IN (SELECT value FROM json_each(:ids)) AND p.date BETWEEN :first AND :last
    AND coalesce(o.kind, e.kind) NOT IN ('opening', 'tax_settlement')
GROUP BY a.id, a.code, a.name HAVING sum(p.amount) <> 0 ORDER BY a.code
"""
