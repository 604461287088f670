"""Views of filed returns: the figures as filed, and as they are now."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.reports.period import Span
from erp.finance.reports.tax import computing, filed, queries, settling
from erp.finance.reports.tax.bodies import TaxReturnFilter
from erp.finance.reports.tax.counting.counted import Basis
from erp.finance.reports.tax.figures import BoxFigures, Figures
from erp.finance.reports.tax.forms import in_language
from erp.finance.reports.tax.models import TaxReturn
from erp.kernel import caller, language, money
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.paging import page, within
from erp.web.scalars import Money
from erp.web.schema import Page, RecordView, View, show

Can = Literal["settle", "undo_settlement"]


class FiledBoxView(View):
    """A box as filed, with its present figures; null without a base or a tax."""

    code: str
    label: str
    base: Money | None
    tax: Money | None
    base_now: Money | None
    tax_now: Money | None


class TaxReturnPreview(View):
    """A return as it would be filed: nothing is stored."""

    form: str
    date_from: str
    date_to: str
    basis: Basis
    correction: Annotated[int, Meta(description="0 for the first return of its days, then counted up.")]
    boxes: list[FiledBoxView]
    payable: Annotated[Money, Meta(description="Below zero for a refund.")]
    is_locked: Annotated[bool, Meta(description="Whether the books are locked through its last day.")]

    @classmethod
    def of(cls, tax_return: TaxReturn) -> "TaxReturnPreview":
        """The view of a return that is not stored."""
        return show(cls, tax_return, **_figures(tax_return, _now(tax_return)))


class TaxReturnView(RecordView):
    """A filed return, with its figures as filed and as they are now."""

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
    can: Annotated[list[Can], Meta(description="Actions on the return open to you now.")]

    @classmethod
    def of(cls, tax_return: TaxReturn) -> "TaxReturnView":
        return _shown(tax_return, _names([tax_return]))

    @classmethod
    def of_many(cls, tax_returns: Sequence[TaxReturn]) -> "list[TaxReturnView]":
        """The views of returns; each is computed as it would be now."""
        named = _names(tax_returns)
        return [_shown(tax_return, named) for tax_return in tax_returns]


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


def _names(tax_returns: Sequence[TaxReturn]) -> Names:
    return names.of(journal_entry=[tax_return.journal_entry_id for tax_return in tax_returns])


def _now(tax_return: TaxReturn) -> Figures:
    """The present figures of the days of a return."""
    span = Span(tax_return.date_from, tax_return.date_to)
    return computing.compute(queries.form_of(tax_return.form, span.last), span, None).figures


def _figures(tax_return: TaxReturn, now: Figures) -> dict[str, Any]:
    base = workspace_settings.current().base_currency
    return {
        "date_from": str(tax_return.date_from),
        "date_to": str(tax_return.date_to),
        "boxes": [_box(box, now.boxes.get(box["code"]), base) for box in tax_return.boxes],
        "payable": money.text(tax_return.payable, base),
        "is_locked": is_locked(tax_return),
    }


def _shown(tax_return: TaxReturn, named: Names) -> TaxReturnView:
    now = _now(tax_return)
    can: dict[Can, Callable[[], object]] = {
        "settle": lambda: settling.check_settleable(tax_return),
        "undo_settlement": lambda: settling.check_undoable(tax_return),
    }
    return show(
        TaxReturnView,
        tax_return,
        **_figures(tax_return, now),
        payable_now=money.text(now.payable, workspace_settings.current().base_currency),
        is_changed=bool(filed.changed(filed.figures_of(tax_return), now.boxes)),
        journal_entry_number=named.code(tax_return.journal_entry_id),
        can=caller.allowed("finance.write", can),
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
