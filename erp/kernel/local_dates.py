"""Dates on paper, as the country of the office writes them."""

from datetime import date

_COUNTRIES = {
    "%d.%m.%Y": "AL AM AT AZ BA BG BY CH CZ DE DK EE FI GE HR IL IS KZ LI LV MD ME MK NO PL RO RS RU SI SK TR UA",
    "%d/%m/%Y": (
        "AE AR AU BE BO BR CL CO CR CY DZ EC EG ES FR GB GR HK ID IE IN IT JO KE KW LB LU MA MT MX MY NG NZ OM PE PK PT"
        " PY QA SA SG TH TN UY VE VN"
    ),
    "%d-%m-%Y": "NL",
    "%m/%d/%Y": "AS GU PH PR US VI",
    "%Y/%m/%d": "CN JP TW ZA",
    "%Y. %m. %d.": "HU KR",
}
"""Source: Unicode CLDR 44, the short date of each country's main language, with four digits of the year."""

_FORMATS = {country: pattern for pattern, countries in _COUNTRIES.items() for country in countries.split()}


def text(day: date, country: str | None) -> str:
    """A day as its country writes it: `31.01.2026` in Germany; ISO 8601 where no country is known."""
    return day.strftime(_FORMATS.get(country or "", "%Y-%m-%d"))
