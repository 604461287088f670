"""The identifiers of specifications and of the business process, and the chosen codes."""

from erp.finance.output.einvoice.model import Profile
from erp.kernel.language import Word

EN16931 = "urn:cen.eu:en16931:2017"
SPECIFICATION: dict[Profile, str] = {
    "en16931": EN16931,
    "factur_x": EN16931,
    "xrechnung": f"{EN16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
}
PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"

REASON_CODES = {"AE": "VATEX-EU-AE", "K": "VATEX-EU-IC", "G": "VATEX-EU-G", "O": "VATEX-EU-O"}
"""Reasons why no tax is charged. Source: code list VATEX of EN 16931."""
REASONS = {
    "AE": Word("Reverse charge"),
    "K": Word("Intra-Community supply"),
    "G": Word("Export outside the EU"),
    "O": Word("Not subject to VAT"),
}

_UNITS = {
    "HUR": "hour hours hr hrs h std std. stunde stunden",
    "DAY": "day days d tag tage",
    "WEE": "week weeks woche wochen",
    "MON": "month months monat monate",
    "ANN": "year years jahr jahre",
    "MIN": "minute minutes min min. minuten",
    "H87": "piece pieces pc pcs stück stück. stk stk. st st.",
    "KGM": "kg kilogram kilograms kilogramm",
    "GRM": "g gram grams gramm",
    "TNE": "t tonne tonnes tonnen",
    "KMT": "km kilometre kilometres kilometer",
    "MTR": "m metre metres meter",
    "CMT": "cm",
    "MMT": "mm",
    "MTK": "m² m2 sqm qm",
    "MTQ": "m³ m3 cbm",
    "LTR": "l litre litres liter",
    "KWH": "kwh",
    "LS": "flat lump lumpsum pauschal pauschale psch. ps.",
    "SET": "set sets satz",
    "PR": "pair pairs paar",
    "P1": "% percent prozent",
    "XPK": "package packages packung packungen paket pakete",
    "XBX": "box boxes karton kartons",
}
ONE = "C62"
"""The code of a count without a unit."""
_CODES = {word: code for code, words in _UNITS.items() for word in words.split()}


def unit_code(unit: str | None) -> str:
    """The code of a unit that a line names. Source: UN/ECE Recommendation 20 and 21."""
    if unit is None:
        return ONE
    return unit if unit in _UNITS or unit == ONE else _CODES.get(unit.strip().lower(), ONE)


def unit_word(code: str) -> str | None:
    """The word for the unit of a code, None for a count without a unit; an unknown code stays as it is."""
    if code == ONE:
        return None
    return _UNITS[code].split()[0] if code in _UNITS else code
