"""The figures of a form for some days."""

from typing import NamedTuple

from erp.finance.reports.period import Span
from erp.finance.reports.tax import figures
from erp.finance.reports.tax.counting.counted import Basis, Counting
from erp.finance.reports.tax.figures import Figures
from erp.finance.reports.tax.forms import Form
from erp.kernel.currencies import DIGITS
from erp.store import workspace_settings


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
