"""Units of lines: their codes in e-invoices, and their words on paper in both languages."""

from typing import NamedTuple

from erp.kernel.money import MICRO


class Unit(NamedTuple):
    """A unit: the words for one of it and for others, and the words that people type for it."""

    code: str
    english: tuple[str, str]
    german: tuple[str, str]
    aliases: str


def _same(code: str, sign: str, aliases: str) -> Unit:
    """A unit that both languages write with the same sign, for one and for more."""
    return Unit(code, (sign, sign), (sign, sign), aliases)


TABLE = (
    Unit("HUR", ("hour", "hours"), ("Stunde", "Stunden"), "hour hours hr hrs h std std. stunde stunden"),
    Unit("DAY", ("day", "days"), ("Tag", "Tage"), "day days d tag tage"),
    Unit("WEE", ("week", "weeks"), ("Woche", "Wochen"), "week weeks woche wochen"),
    Unit("MON", ("month", "months"), ("Monat", "Monate"), "month months monat monate"),
    Unit("ANN", ("year", "years"), ("Jahr", "Jahre"), "year years jahr jahre"),
    Unit("MIN", ("minute", "minutes"), ("Minute", "Minuten"), "minute minutes min min. minuten"),
    Unit("H87", ("piece", "pieces"), ("Stück", "Stück"), "piece pieces pc pcs stück stück. stk stk. st st."),
    _same("KGM", "kg", "kg kilogram kilograms kilogramm"),
    _same("GRM", "g", "g gram grams gramm"),
    _same("TNE", "t", "t tonne tonnes tonnen"),
    _same("KMT", "km", "km kilometre kilometres kilometer"),
    _same("MTR", "m", "m metre metres meter"),
    _same("CMT", "cm", "cm"),
    _same("MMT", "mm", "mm"),
    _same("MTK", "m²", "m² m2 sqm qm"),
    _same("MTQ", "m³", "m³ m3 cbm"),
    Unit("LTR", ("litre", "litres"), ("Liter", "Liter"), "l litre litres liter"),
    _same("KWH", "kWh", "kwh"),
    Unit(
        "LS",
        ("lump sum", "lump sums"),
        ("Pauschale", "Pauschalen"),
        "flat lump lumpsum pauschal pauschale psch. ps.",
    ),
    Unit("SET", ("set", "sets"), ("Satz", "Sätze"), "set sets satz"),
    Unit("PR", ("pair", "pairs"), ("Paar", "Paar"), "pair pairs paar"),
    _same("P1", "%", "% percent prozent"),
    Unit("XPK", ("package", "packages"), ("Packung", "Packungen"), "package packages packung packungen paket pakete"),
    Unit("XBX", ("box", "boxes"), ("Karton", "Kartons"), "box boxes karton kartons"),
)
ONE = "C62"
"""The code of a count without a unit."""

_BY_CODE = {unit.code: unit for unit in TABLE}
_CODES = {word: unit.code for unit in TABLE for word in unit.aliases.split()}


def code_of(unit: str | None) -> str:
    """The code of a unit that a line names (BT-130). Source: UN/ECE Recommendation 20 and 21."""
    if unit is None:
        return ONE
    return unit if unit in _BY_CODE or unit == ONE else _CODES.get(unit.strip().lower(), ONE)


def word_of(code: str) -> str | None:
    """The word for the unit of a code, None for a count without a unit; an unknown code stays as it is."""
    if code == ONE:
        return None
    return _BY_CODE[code].aliases.split()[0] if code in _BY_CODE else code


def printed(unit: str, quantity: int, language: str) -> str:
    """A unit as a paper prints it: "one" for exactly 1 or −1; an unknown one as it was typed.

    Args:
        quantity: in millionths.
    """
    known = _BY_CODE.get(code_of(unit))
    if known is None:
        return unit
    one, other = known.german if language == "de" else known.english
    return one if abs(quantity) == MICRO else other
