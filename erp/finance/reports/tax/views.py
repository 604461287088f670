"""Views of filed returns: the figures as filed, and as they are now."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.reports.period import Span
from erp.finance.reports.tax import filed, queries, returns, settling
from erp.finance.reports.tax.bodies import TaxReturnFilter
from erp.finance.reports.tax.counting.counted import Basis
from erp.finance.reports.tax.figures import BoxFigures
from erp.finance.reports.tax.forms import in_language
from erp.finance.reports.tax.models import TaxReturn
from erp.kernel import caller, language, money
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.paging import page, within
from erp.web.scalars import Money
from erp.web.schema import Page, View, show

Can = Literal["settle", "undo_settlement"]


class FiledBoxView(View):
    """A box as filed, with its present figures; null without a base or a tax."""

    code: str
    label: str
    base: Money | None
    tax: Money | None
    base_now: Money | None
    tax_now: Money | None


class TaxReturnView(View):
    """A filed return. In a dry run nothing is written, and it has no id."""

    id: str | None
    version: int | None
    created_at: Annotated[str | None, Meta(description="Time of filing.")]
    updated_at: str | None
    created_by: str | None
    created_by_name: str | None
    form: str
    date_from: str
    date_to: str
    basis: Basis
    correction: Annotated[int, Meta(description="0 for the first return of its days, then counted up.")]
    boxes: list[FiledBoxView]
    payable: Annotated[Money, Meta(description="As filed; below zero for a refund.")]
    payable_now: Money
    is_changed: Annotated[bool, Meta(description="Whether its figures have changed since.")]
    reference: str | None
    note: str | None
    journal_entry_id: Annotated[str | None, Meta(description="The VAT payable entry.")]
    journal_entry_number: str | None
    is_locked: Annotated[bool, Meta(description="Whether the books are locked through its last day.")]
    dry_run: bool
    can: Annotated[list[Can], Meta(description="Actions on the return open to you now.")]

    @classmethod
    def of(cls, tax_return: TaxReturn, *, dry_run: bool = False) -> "TaxReturnView":
        """The view of a return, stored or not."""
        return _shown(tax_return, _names([tax_return]), dry_run=dry_run)

    @classmethod
    def of_many(cls, tax_returns: Sequence[TaxReturn]) -> "list[TaxReturnView]":
        """The views of returns; each is computed as it would be now."""
        named = _names(tax_returns)
        return [_shown(tax_return, named, dry_run=False) for tax_return in tax_returns]


def search(query: TaxReturnFilter) -> Page[TaxReturnView]:
    select = TaxReturn.select()
    if query.form is not None:
        select = select.where(TaxReturn.form == query.form)
    select = within(select, query, TaxReturn.date_from, TaxReturn.date_to)
    sortable = {"dateFrom": TaxReturn.date_from}
    return page(select, query, views=TaxReturnView.of_many, sort=query.sort, sortable=sortable)


def is_locked(tax_return: TaxReturn) -> bool:
    """Whether the books are locked through the last day of a return."""
    lock_date = workspace_settings.current().lock_date
    return lock_date is not None and tax_return.date_to <= lock_date


_OF_RECORD = ("id", "version", "created_at", "updated_at", "created_by", "created_by_name")


def _names(tax_returns: Sequence[TaxReturn]) -> Names:
    return names.of(journal_entry=[tax_return.journal_entry_id for tax_return in tax_returns])


def _shown(tax_return: TaxReturn, named: Names, *, dry_run: bool) -> TaxReturnView:
    span = Span(tax_return.date_from, tax_return.date_to)
    form = queries.form_of(tax_return.form, span.last)
    now = returns.compute(form, span, None).figures
    before = filed.figures_of(tax_return)
    base = workspace_settings.current().base_currency
    can: dict[Can, Callable[[], object]] = {
        "settle": lambda: settling.check_settleable(tax_return),
        "undo_settlement": lambda: settling.check_undoable(tax_return),
    }
    fields = {name: None if dry_run else getattr(tax_return, name) for name in _OF_RECORD}
    return show(
        TaxReturnView,
        tax_return,
        **fields,
        date_from=str(span.first),
        date_to=str(span.last),
        boxes=[_box(box, now.boxes.get(box["code"]), base) for box in tax_return.boxes],
        payable=money.text(tax_return.payable, base),
        payable_now=money.text(now.payable, base),
        is_changed=bool(filed.changed(before, now.boxes)),
        journal_entry_number=named.code(tax_return.journal_entry_id),
        is_locked=is_locked(tax_return),
        dry_run=dry_run,
        can=caller.allowed("finance.write", {} if dry_run else can),
    )


def _box(box: dict[str, object], now: BoxFigures | None, base: str) -> FiledBoxView:
    tongue = language.spoken(caller.current().locale) or language.ENGLISH
    label, own, tax = box["label"], box["base"], box["tax"]
    assert isinstance(label, dict)
    return FiledBoxView(
        code=str(box["code"]),
        label=in_language(label, tongue),
        base=_text(own, base),
        tax=_text(tax, base),
        base_now=_text(None if own is None else (now and now.base) or 0, base),
        tax_now=_text(None if tax is None else (now and now.tax) or 0, base),
    )


def _text(amount: object, currency: str) -> str | None:
    return money.text(amount, currency) if isinstance(amount, int) else None
