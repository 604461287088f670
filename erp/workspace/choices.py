"""The charts of accounts and the countries that the form of a new workspace has to choose from."""

from typing import Annotated

import msgspec

from erp.finance.books.charts import templates
from erp.finance.books.charts.templates import TemplateCode
from erp.kernel.countries import COUNTRIES, time_zone_of
from erp.web.endpoint import endpoint
from erp.web.schema import View


class ChartTemplateView(View):
    """A chart of accounts."""

    code: TemplateCode
    name: str
    countries: Annotated[list[str], msgspec.Meta(description="The countries where it is used; none: any country.")]
    language: Annotated[str, msgspec.Meta(description="The language of its account names.")]
    account_count: int
    tax_rate_count: int


class Charts:
    @endpoint(access="user")
    def on_get(self) -> list[ChartTemplateView]:
        """List the charts of accounts for a new workspace.

        The first one that names a country is the usual one there, which `chartTemplate` `country` chooses. Tax rates of
        a chart are for its countries; in any other country, the workspace starts with the usual percentages there.
        """
        return [
            ChartTemplateView(
                code=code,
                name=chart.name,
                countries=list(chart.countries),
                language=chart.language,
                account_count=len(chart.accounts),
                tax_rate_count=len(chart.tax_rates),
            )
            for code in templates.CODES
            for chart in [templates.template(code)]
        ]


class CountryView(View):
    """A country, with the currency and time zone that a workspace there starts with."""

    code: str
    currency: str
    time_zone: str | None


class Countries:
    @endpoint(access="user")
    def on_get(self) -> list[CountryView]:
        """List the countries by their ISO 3166-1 codes, each with its currency and usual time zone.

        `timeZone` is the one in which most of its people live; null where no one lives.
        """
        return [
            CountryView(code=code, currency=currency, time_zone=time_zone_of(code))
            for code, currency in sorted(COUNTRIES.items())
        ]
