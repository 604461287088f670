"""Whether a tax rate fits the other party of a document: by the place of its VAT number, else of its address.

The answers are advice: the law knows exceptions to each of these rules, so nothing is refused.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from erp.finance.contacts.tax_rates import TAXED, UNSORTED, TaxRateRef, tag_of
from erp.kernel.countries import IN_ADDRESSES, is_in_eu
from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, Sentence, says
from erp.store import workspace_settings

NORTHERN_IRELAND = "XI"
"""Part of the EU for goods alone."""
FIRMS = ("eu_goods", "eu_services")
"""Tags of sales to firms in other countries of the EU."""


class OtherParty(NamedTuple):
    """The customer or supplier: the prefix of its VAT number as a country, and the country of its address."""

    vat_country: str | None
    address_country: str | None

    @classmethod
    def of(cls, vat_id: str | None, address: Mapping[str, Any] | None) -> "OtherParty":
        prefix = (vat_id or "")[:2].replace("EL", "GR")
        return cls(prefix if prefix in IN_ADDRESSES else None, (address or {}).get("country"))

    @property
    def country(self) -> str | None:
        return self.vat_country or self.address_country


def misfit(rate: TaxRateRef, party: OtherParty, home: str, *, is_purchase: bool) -> Sentence | None:
    """The reason why a rate hardly fits a document of a party; None if it fits, or if the party has no country."""
    if tag_of(rate.category, rate.tax_tag) == UNSORTED:
        return _NO_KIND.fill(name=rate.name)
    message = _of_purchase(rate, party, home) if is_purchase else _of_sale(rate, party, home)
    return message and message.fill(name=rate.name, country=Digits(party.country or ""))


def warnings(rates: Mapping[str, TaxRateRef | None], party: OtherParty, *, is_purchase: bool) -> list[Complaint]:
    """The misfits of a document by the fields that name its rates; none in a workspace without a country."""
    home = workspace_settings.current().country
    if home is None:
        return []
    return [
        Complaint(field, "rate_does_not_fit", message)
        for field, rate in rates.items()
        if rate is not None and (message := misfit(rate, party, home, is_purchase=is_purchase))
    ]


_NO_KIND = says("{name} counts in no box of tax returns. Choose its kind in the tax rate.")
_NO_VAT_ID = says("{name} is for firms with a VAT number. Enter the customer's, or choose another tax rate.")
_NOT_EU = says("{name} is for other countries of the EU, but the country here is {country}. Choose another tax rate.")
_NOT_HOME = says("{name} is for customers at home, but the country here is {country}. Choose another tax rate.")
_NOT_ABROAD = says("{name} is for countries abroad, but the country here is {country}. Choose another tax rate.")
_FIRM_ABROAD = says("The customer has a VAT number of {country}. Check whether {name} applies.")


def _of_sale(rate: TaxRateRef, party: OtherParty, home: str) -> Sentence | None:
    tag, country = tag_of(rate.category, rate.tax_tag), party.country
    if tag in FIRMS and party.vat_country is None:
        return _NO_VAT_ID
    if country is None:
        return None
    if tag in FIRMS and not _is_other_eu(country, home, tag):
        return _NOT_EU
    if tag == "reverse_charge" and country != home:
        return _NOT_HOME
    if tag == "export" and _is_inside(country, home, is_goods=True):
        return _NOT_ABROAD
    is_own = rate.category == TAXED and rate.rate and rate.country in (None, home)
    is_firm_abroad = party.vat_country is not None and _is_other_eu(party.vat_country, home, "eu_services")
    return _FIRM_ABROAD if is_own and tag != "oss" and is_firm_abroad else None


def _of_purchase(rate: TaxRateRef, party: OtherParty, home: str) -> Sentence | None:
    tag, country = tag_of(rate.category, rate.tax_tag), party.country
    if country is None:
        return None
    if tag in FIRMS and not _is_other_eu(country, home, tag):
        return _NOT_EU
    return _NOT_ABROAD if tag == "third_country_services" and _is_inside(country, home, is_goods=False) else None


def _is_other_eu(country: str, home: str, tag: str) -> bool:
    return country != home and _is_eu(country, is_goods=tag == "eu_goods")


def _is_inside(country: str, home: str, *, is_goods: bool) -> bool:
    """Whether a country is the own one, or in the EU as the own one is."""
    return country == home or (is_in_eu(home) and _is_eu(country, is_goods=is_goods))


def _is_eu(country: str, *, is_goods: bool) -> bool:
    return is_in_eu(country) or (is_goods and country == NORTHERN_IRELAND)
