"""Defaults by country: currency, date format, and the tax percentages of a new workspace.

As of 2026-01-01, and only a proposal: an office changes its rates as its law changes.
"""

from datetime import date
from importlib.resources import files

# Source: ISO 3166-1 and ISO 4217 with amendments up to 2026-01-01 (Bulgaria has the euro from that day).
# Of several currencies in a country, its own; Antarctica, which has none, gets the US dollar.
_BY_CURRENCY = {
    "EUR": (
        "AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT"
    ),
    "USD": "AQ AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI",
    "AUD": "AU CC CX HM KI NF NR TV",
    "XCD": "AG AI DM GD KN LC MS VC",
    "XOF": "BF BJ CI GW ML NE SN TG",
    "XAF": "CF CG CM GA GQ TD",
    "GBP": "GB GG GS IM JE",
    "NZD": "CK NU NZ PN TK",
    "NOK": "BV NO SJ",
    "XPF": "NC PF WF",
    "CHF": "CH LI",
    "DKK": "DK FO GL",
    "ILS": "IL PS",
    "MAD": "EH MA",
    "XCG": "CW SX",
}

_OF_ONE_COUNTRY = (
    "AE:AED AF:AFN AL:ALL AM:AMD AO:AOA AR:ARS AW:AWG AZ:AZN BA:BAM BB:BBD BD:BDT BH:BHD BI:BIF BM:BMD BN:BND BO:BOB "
    "BR:BRL BS:BSD BT:BTN BW:BWP BY:BYN BZ:BZD CA:CAD CD:CDF CL:CLP CN:CNY CO:COP CR:CRC CU:CUP CV:CVE CZ:CZK DJ:DJF "
    "DO:DOP DZ:DZD EG:EGP ER:ERN ET:ETB FJ:FJD FK:FKP GE:GEL GH:GHS GI:GIP GM:GMD GN:GNF GT:GTQ GY:GYD HK:HKD HN:HNL "
    "HT:HTG HU:HUF ID:IDR IN:INR IQ:IQD IR:IRR IS:ISK JM:JMD JO:JOD JP:JPY KE:KES KG:KGS KH:KHR KM:KMF KP:KPW KR:KRW "
    "KW:KWD KY:KYD KZ:KZT LA:LAK LB:LBP LK:LKR LR:LRD LS:LSL LY:LYD MD:MDL MG:MGA MK:MKD MM:MMK MN:MNT MO:MOP MR:MRU "
    "MU:MUR MV:MVR MW:MWK MX:MXN MY:MYR MZ:MZN NA:NAD NG:NGN NI:NIO NP:NPR OM:OMR PA:PAB PE:PEN PG:PGK PH:PHP PK:PKR "
    "PL:PLN PY:PYG QA:QAR RO:RON RS:RSD RU:RUB RW:RWF SA:SAR SB:SBD SC:SCR SD:SDG SE:SEK SG:SGD SH:SHP SL:SLE SO:SOS "
    "SR:SRD SS:SSP ST:STN SY:SYP SZ:SZL TH:THB TJ:TJS TM:TMT TN:TND TO:TOP TR:TRY TT:TTD TW:TWD TZ:TZS UA:UAH UG:UGX "
    "UY:UYU UZ:UZS VE:VES VN:VND VU:VUV WS:WST YE:YER ZA:ZAR ZM:ZMW ZW:ZWG"
)

COUNTRIES: dict[str, str] = {
    country: currency for currency, countries in _BY_CURRENCY.items() for country in countries.split()
} | dict(pair.split(":") for pair in _OF_ONE_COUNTRY.split())
"""Currency by country (ISO 3166-1 alpha-2)."""

_MEMBERS = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
_EU = frozenset(_MEMBERS.split())
"""The member states of the European Union."""

_BY_CUSTOM = ("XI", "XK")
"""Northern Ireland, as the EU's rules on VAT call it, and Kosovo: in use, although ISO 3166-1 does not list them."""

IN_ADDRESSES = frozenset(COUNTRIES).union(_BY_CUSTOM)
"""The codes that an address can have; others, such as XX or ZZ, mean no country."""

BY_NAME: dict[str, str] = {
    name.strip(): country
    for country, names in {
        "AT": "austria, österreich",
        "AU": "australia, australien",
        "BE": "belgium, belgien",
        "CA": "canada, kanada",
        "CH": "switzerland, schweiz",
        "CZ": "czech republic, czechia, tschechien",
        "DE": "germany, deutschland, d",
        "DK": "denmark, dänemark",
        "ES": "spain, spanien",
        "FI": "finland, finnland",
        "FR": "france, frankreich",
        "GB": "united kingdom, great britain, england, vereinigtes königreich, großbritannien, uk",
        "HU": "hungary, ungarn",
        "IE": "ireland, irland",
        "IT": "italy, italien",
        "LI": "liechtenstein",
        "LU": "luxembourg, luxemburg",
        "NL": "netherlands, niederlande, the netherlands",
        "NO": "norway, norwegen",
        "NZ": "new zealand, neuseeland",
        "PL": "poland, polen",
        "PT": "portugal",
        "SE": "sweden, schweden",
        "US": "united states, united states of america, vereinigte staaten, usa",
    }.items()
    for name in names.split(",")
}
"""Countries by their names in English and German, in small letters, as other programs write them."""

# The standard rate of VAT, GST or sales tax, then the other common ones. A country that is missing has no rate that
# applies in all of it (the United States, Brazil), or no such tax. India after its reform of 2025-09-22; Canada by
# province; Finland, Kazakhstan, Lithuania, Russia and Zimbabwe with the rates that changed on 2026-01-01.
_TAX_PERCENTAGES = {
    # European Union
    "AT": "20 13 10",
    "BE": "21 12 6",
    "BG": "20 9",
    "CY": "19 9 5 3",
    "CZ": "21 12",
    "DE": "19 7",
    "DK": "25",
    "EE": "24 13 9",
    "ES": "21 10 4",
    "FI": "25.5 13.5 10",
    "FR": "20 10 5.5 2.1",
    "GR": "24 13 6",
    "HR": "25 13 5",
    "HU": "27 18 5",
    "IE": "23 13.5 9",
    "IT": "22 10 5 4",
    "LT": "21 12 5",
    "LU": "17 14 8 3",
    "LV": "21 12 5",
    "MT": "18 12 7 5",
    "NL": "21 9",
    "PL": "23 8 5",
    "PT": "23 13 6",
    "RO": "21 11",
    "SE": "25 12 6",
    "SI": "22 9.5 5",
    "SK": "23 19 5",
    # Rest of Europe
    "AD": "4.5 1",
    "AL": "20 10 6",
    "BA": "17",
    "BY": "20 10",
    "CH": "8.1 3.8 2.6",
    "FO": "25",
    "GB": "20 5",
    "IM": "20 5",
    "IS": "24 11",
    "JE": "5",
    "LI": "8.1 3.8 2.6",
    "MC": "20 10 5.5 2.1",
    "MD": "20 8",
    "ME": "21 15 7",
    "MK": "18 10 5",
    "NO": "25 15 12",
    "RS": "20 10",
    "RU": "22 10",
    "TR": "20 10 1",
    "UA": "20 14 7",
    # Asia
    "AE": "5",
    "AM": "20",
    "AZ": "18",
    "BD": "15 10 7.5 5",
    "BH": "10",
    "CN": "13 9 6 3",
    "GE": "18",
    "ID": "12 11",
    "IL": "18",
    "IN": "18 5 40",
    "JO": "16",
    "JP": "10 8",
    "KG": "12",
    "KH": "10",
    "KR": "10",
    "KZ": "16",
    "LA": "10",
    "LB": "11",
    "LK": "18",
    "MN": "10",
    "MY": "8 6 10 5",
    "NP": "13",
    "OM": "5",
    "PH": "12",
    "PK": "18",
    "PS": "16",
    "SA": "15",
    "SG": "9",
    "TH": "7",
    "TW": "5",
    "UZ": "12",
    "VN": "10 8 5",
    # Africa
    "AO": "14 7 5",
    "BW": "14",
    "CI": "18 9",
    "CM": "19.25",
    "DZ": "19 9",
    "EG": "14",
    "ET": "15",
    "GH": "15",
    "KE": "16",
    "MA": "20 10",
    "MG": "20",
    "MU": "15",
    "MZ": "16",
    "NA": "15",
    "NG": "7.5",
    "RW": "18",
    "SN": "18 10",
    "TN": "19 13 7",
    "TZ": "18",
    "UG": "18",
    "ZA": "15",
    "ZM": "16",
    "ZW": "15.5",
    # America
    "AR": "21 10.5 27",
    "BB": "17.5",
    "BO": "13",
    "BS": "10",
    "CA": "5 13 14 15",
    "CL": "19",
    "CO": "19 5",
    "CR": "13 4 2 1",
    "DO": "18 16",
    "EC": "15 5",
    "GT": "12",
    "HN": "15 18",
    "JM": "15",
    "MX": "16 8",
    "NI": "15",
    "PA": "7 10 15",
    "PE": "18",
    "PY": "10 5",
    "SV": "13",
    "TT": "12.5",
    "UY": "22 10",
    "VE": "16 8",
    # Oceania
    "AU": "10",
    "FJ": "12.5",
    "NZ": "15",
    "PG": "10",
    "WS": "15",
}


def currency_of(country: str) -> str:
    """The currency of a country, which must be one of `COUNTRIES`."""
    return COUNTRIES[country]


def is_in_eu(country: str | None) -> bool:
    """Whether a country is a member state of the European Union; Northern Ireland (XI) is not."""
    return country in _EU


def tax_percentages(country: str) -> tuple[str, ...]:
    """A country's common tax percentages as decimal strings, the standard one first; `()` if it has none."""
    return tuple(_TAX_PERCENTAGES.get(country, "").split())


_MOST_PEOPLE = {
    "AU": "Australia/Sydney",
    "BR": "America/Sao_Paulo",
    "CA": "America/Toronto",
    "RU": "Europe/Moscow",
    "UA": "Europe/Kyiv",
    "UZ": "Asia/Tashkent",
}
"""Countries where most people do not live in the first zone of the list."""


def _zones() -> dict[str, str]:
    """The first time zone of each country that has any. Source: zone.tab of the IANA time zone database."""
    zones: dict[str, str] = {}
    for line in files("tzdata").joinpath("zoneinfo/zone.tab").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            country, _, zone, *_ = line.split("\t")
            zones.setdefault(country, zone)
    return zones | _MOST_PEOPLE


_TIME_ZONES = _zones()


def time_zone_of(country: str) -> str | None:
    """The time zone in which most people of a country live; None if it has no zone."""
    return _TIME_ZONES.get(country)


_BY_DATE_FORMAT = {
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

_DATE_FORMATS = {country: pattern for pattern, countries in _BY_DATE_FORMAT.items() for country in countries.split()}


def date_text(day: date, country: str | None) -> str:
    """A day as its country writes it: `31.01.2026` in Germany; ISO 8601 where no country is known."""
    return day.strftime(_DATE_FORMATS.get(country or "", "%Y-%m-%d"))
