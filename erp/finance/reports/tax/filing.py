"""Filing a return: its figures are stored for good. Days are filed again only when something has changed."""

from typing import Any

from erp.finance.reports.period import Span, plain
from erp.finance.reports.tax import computing, filed, queries
from erp.finance.reports.tax.bodies import NewTaxReturn
from erp.finance.reports.tax.computing import Computed
from erp.finance.reports.tax.models import TaxReturn
from erp.kernel import money
from erp.kernel.errors import AlreadyExists, BadParameter, Invalid
from erp.kernel.language import says
from erp.store import events, workspace_settings


def file(body: NewTaxReturn) -> TaxReturn:
    """Store the figures of some days as filed; in a dry run, nothing is written.

    Raises:
        Invalid: the days are not over, or there is no such form.
        AlreadyExists: a return of other days overlaps them, or they were filed and nothing has changed.
    """
    span = _span(body)
    try:
        form = queries.form_of(body.form, span.last)
    except BadParameter:
        raise Invalid.one("form", "unknown_form", queries.no_such_form()) from None
    computed = computing.compute(form, span)
    previous = _previous(computed)
    values = {
        "form": computed.form.code,
        "date_from": span.first,
        "date_to": span.last,
        "basis": computed.basis,
        "correction": 0 if previous is None else previous.correction + 1,
        "boxes": _boxes(computed),
        "payable": computed.figures.payable,
        "reference": body.reference,
        "note": body.note,
    }
    if body.dry_run:
        return TaxReturn(id="", version=1, **values)
    tax_return = TaxReturn.add(**values)
    events.write("tax_return.filed", "tax_return", tax_return.id, event_data(tax_return))
    return tax_return


def event_data(tax_return: TaxReturn) -> dict[str, Any]:
    return {
        "form": tax_return.form,
        "dateFrom": str(tax_return.date_from),
        "dateTo": str(tax_return.date_to),
        "correction": tax_return.correction,
        "payable": money.text(tax_return.payable, workspace_settings.current().base_currency),
    }


def _span(body: NewTaxReturn) -> Span:
    if body.date_to > workspace_settings.today():
        raise Invalid.one("dateTo", "not_over", says("This period is not over yet."))
    return Span(plain(body.date_from), plain(body.date_to))


def _previous(computed: Computed) -> TaxReturn | None:
    """The return that a new one corrects."""
    for other in filed.overlapping(computed.form.code, computed.span):
        if (other.date_from, other.date_to) != tuple(computed.span):
            message = says(
                "A VAT return from {first} to {last} has been filed. Choose a period that does not overlap it.",
                first=other.date_from,
                last=other.date_to,
            )
            raise AlreadyExists(message, field="dateFrom")
    previous = filed.latest(computed.form.code, computed.span)
    if previous is not None and not filed.changed(filed.figures_of(previous), computed.figures.boxes):
        raise AlreadyExists(
            says("This period has been filed, and the figures have not changed since."), field="dateFrom"
        )
    return previous


def _boxes(computed: Computed) -> list[dict[str, Any]]:
    shown = computed.figures.boxes
    return [
        {"code": box.code, "label": box.label, "base": shown[box.code].base, "tax": shown[box.code].tax}
        for box in computed.form.boxes()
    ]
