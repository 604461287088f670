"""The charts of accounts for new workspaces: the generic one and countries' own, as files of `sets`.

Numbers and titles are facts of the national charts; the choice of accounts is our own. A chart also has its default
accounts and its first tax rates.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from erp.finance.books.chart import STANDARD, SUBTYPES, AccountType

TemplateCode = Literal["standard", "de-skr04", "de-skr03", "at", "ch", "fr", "gb", "us"]
"""The first chart with a country is the usual one there."""

CODES: tuple[TemplateCode, ...] = ("standard", "de-skr04", "de-skr03", "at", "ch", "fr", "gb", "us")


class TemplateAccount(msgspec.Struct, frozen=True):
    """An account of a chart."""

    code: str
    name: str
    subtype: str

    @property
    def type(self) -> AccountType:
        """Its side in the balance sheet or the result."""
        return SUBTYPES[self.subtype]


class TemplateTaxRate(msgspec.Struct, frozen=True, rename="camel"):
    """A tax rate of a chart; accounts by their codes, None for the default ones."""

    name: str
    rate: str
    category: str
    tax_tag: str | None = None
    exemption_reason: str | None = None
    output_tax_account: str | None = None
    input_tax_account: str | None = None
    income_account: str | None = None
    expense_account: str | None = None
    discounts_given_account: str | None = None
    discounts_received_account: str | None = None


class TemplateDepreciation(msgspec.Struct, frozen=True):
    """The accounts of depreciation of an account for fixed assets; without `accumulated`, that account itself."""

    asset: str
    expense: str
    accumulated: str | None = None


class ChartTemplate(msgspec.Struct, frozen=True, rename="camel"):
    """A chart; without tax rates, a workspace starts with the percentages of its country."""

    code: str
    name: str
    countries: tuple[str, ...]
    language: str
    accounts: tuple[TemplateAccount, ...]
    default_accounts: Mapping[str, str]
    tax_rates: tuple[TemplateTaxRate, ...] = ()
    depreciation: tuple[TemplateDepreciation, ...] = ()

    def is_for(self, country: str | None) -> bool:
        """Whether its tax rates are the country's; a chart without a country fits any."""
        return bool(self.tax_rates) and (country is None or country in self.countries)


_DECODER = msgspec.json.Decoder(ChartTemplate)
_RATES = msgspec.json.Decoder(tuple[TemplateTaxRate, ...])

GENERIC = ChartTemplate(
    code="standard",
    name="Generic",
    countries=(),
    language="en",
    accounts=tuple(TemplateAccount(seed.code, seed.name, seed.subtype) for seed in STANDARD),
    default_accounts={seed.system_key: seed.code for seed in STANDARD if seed.system_key},
)
"""The chart of any country."""


@cache
def template(code: str) -> ChartTemplate:
    """A chart by its code; its file is read at its first use."""
    if code == GENERIC.code:
        return GENERIC
    return _DECODER.decode((files("erp.finance.books.charts") / "sets" / f"{code}.json").read_bytes())


@cache
def rates_of(country: str | None) -> tuple[TemplateTaxRate, ...]:
    """The tax rates of a country on the generic chart; none for a country that has only percentages."""
    file = files("erp.finance.books.charts") / "rates" / f"{(country or '').lower()}.json"
    return _RATES.decode(file.read_bytes()) if file.is_file() else ()


def every() -> list[ChartTemplate]:
    """All charts, the generic one first."""
    return [template(code) for code in CODES]


def usual(country: str | None) -> ChartTemplate:
    """The chart that a country's offices commonly use; else the generic one."""
    return next((chart for chart in every() if country in chart.countries), GENERIC)
