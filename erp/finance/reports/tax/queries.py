"""Queries of tax reports: the days, the form and the basis."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated

from msgspec import Meta

from erp.finance.reports.period import FileQuery, Span, plain, reversed_days
from erp.finance.reports.tax import forms
from erp.finance.reports.tax.counting.counted import Basis
from erp.finance.reports.tax.forms import FORMS, Form
from erp.kernel import caller, language
from erp.kernel.days import month_end
from erp.kernel.errors import BadParameter, Complaint
from erp.kernel.language import Listed, Sentence, says
from erp.store import workspace_settings
from erp.web.scalars import Day, Id


class TaxDaysQuery(FileQuery):
    """The days of a return, both included."""

    date_from: (
        Annotated[Day, Meta(description="The first day; by default the first of the last day's month.")] | None
    ) = None
    date_to: Annotated[Day, Meta(description="The last day; by default the last of the month.")] | None = None

    def check(self) -> Iterator[Complaint]:
        return reversed_days(self.date_from, self.date_to)


class TaxReturnQuery(TaxDaysQuery):
    """The days and the form to show."""

    form: (
        Annotated[
            str,
            Meta(
                max_length=50,
                description="Such as `de-ustva`, `at-u30`, `ch-mwst`, `ch-mwst-net`, `fr-ca3`, `nl-ob`, `uk-vat100` or"
                " `generic`; by default the one in the settings.",
            ),
        ]
        | None
    ) = None
    basis: Annotated[Basis, Meta(description="Instead of the basis in the settings, for comparison.")] | None = None


class TaxDocumentsQuery(TaxReturnQuery):
    """The box of a return whose documents to show."""

    box: (
        Annotated[
            str,
            Meta(
                max_length=100,
                description="A box of the form, `ec-goods` or `ec-services`, or a step of the comparison with the"
                " books, such as `unpaid_end`; by default the VAT payable.",
            ),
        ]
        | None
    ) = None
    contact_id: Annotated[Id, Meta(description="A contact's id: only its documents.")] | None = None


def span_of(query: TaxDaysQuery) -> Span:
    """The days that a query asks for."""
    last = plain(query.date_to or month_end(plain(query.date_from or workspace_settings.today())))
    first = plain(query.date_from or last.replace(day=1))
    return Span(first, last)


def form_of(code: str | None, day: date) -> Form:
    """The form with a code, or the workspace's, as it is on a day.

    Raises:
        BadParameter: there is no such form.
    """
    settings = workspace_settings.current()
    chosen = code or settings.tax_form or forms.of_country(settings.country, settings.tax_method)
    if chosen not in FORMS:
        raise BadParameter(says("form: {problem}", problem=no_such_form()))
    return FORMS[chosen].on(day)


def no_such_form() -> Sentence:
    """The message about a form that is not known."""
    return says("There is no such form. Choose {codes}.", codes=Listed.of(sorted(FORMS), "or"))


def tongue_of(query: FileQuery) -> str:
    """The language of labels."""
    return query.language or language.spoken(caller.current().locale) or language.ENGLISH
