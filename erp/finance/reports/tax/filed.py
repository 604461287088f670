"""Filed returns of some days, and their changes since."""

from collections.abc import Mapping, Sequence

from erp.finance.reports.period import Span
from erp.finance.reports.tax.figures import BoxFigures
from erp.finance.reports.tax.models import TaxReturn


def latest(form: str, span: Span) -> TaxReturn | None:
    """The last filed return of some days, a correction if there is one."""
    returns = TaxReturn.fetch(_OF_DAYS, form, str(span.first), str(span.last))
    return returns[0] if returns else None


def overlapping(form: str, span: Span) -> Sequence[TaxReturn]:
    """The returns whose days are among some days."""
    return TaxReturn.fetch(_OVERLAPPING, form, str(span.last), str(span.first))


def figures_of(filed: TaxReturn) -> dict[str, BoxFigures]:
    """The figures of a return by the codes of its boxes."""
    return {box["code"]: BoxFigures(box["base"], box["tax"]) for box in filed.boxes}


def changed(before: Mapping[str, BoxFigures], now: Mapping[str, BoxFigures]) -> list[str]:
    """The codes of the boxes whose figures have changed since filing."""
    codes = [*before, *(code for code in now if code not in before)]
    return [code for code in codes if _shown(before.get(code)) != _shown(now.get(code))]


def _shown(figures: BoxFigures | None) -> tuple[int, int]:
    return (0, 0) if figures is None else (figures.base or 0, figures.tax or 0)


_OF_DAYS = "SELECT * FROM tax_return WHERE form = ? AND date_from = ? AND date_to = ? ORDER BY correction DESC LIMIT 1"
_OVERLAPPING = "SELECT * FROM tax_return WHERE form = ? AND date_from <= ? AND date_to >= ? ORDER BY date_from, id"
