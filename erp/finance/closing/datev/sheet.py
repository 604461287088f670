"""DATEV's text files: a header, the names of the columns, and a row for each record, in Windows-1252.

Source: DATEV's description of its EXTF format, version 700, as its users quote it: bookings are category 21 in version
13 with 125 columns, master data of customers and suppliers category 16 in version 5.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec

Field = str | int | None
"""Text has quotes, a number has none, and nothing is empty."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The receiver of a file, and the days that it covers; master data covers none."""

    advisor: int
    client: int
    chart: str
    year_start: date
    account_length: int
    made_at: str
    currency: str = ""
    first: date | None = None
    last: date | None = None
    is_final: bool = False


OURS = "ER"
"""The mark of files made by this program, in the header."""
_FIRST_COLUMNS = (
    "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;"
    "Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;"
    "Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink"
)
_COST_COLUMNS = (
    "KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID;EU-Steuersatz;Abw. Versteuerungsart;"
    "Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung"
)
_LAST_COLUMNS = (
    "Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;"
    "Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);"
    "EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;"
    "Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis;"
    "Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;"
    "Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);"
    "EU-Steuersatz (Ursprung);Abw. Skontokonto"
)
_BOOKING_COLUMNS = [
    *_FIRST_COLUMNS.split(";"),
    *(f"Beleginfo - {part} {i}" for i in range(1, 9) for part in ("Art", "Inhalt")),
    *_COST_COLUMNS.split(";"),
    *(f"Zusatzinformation{part} {i}" for i in range(1, 21) for part in (" - Art", "- Inhalt")),
    *_LAST_COLUMNS.split(";"),
]
PLACES = {name: place for place, name in enumerate(_BOOKING_COLUMNS)}
_OF_CONTACTS = (
    "Konto;Name (Adressattyp Unternehmen);Unternehmensgegenstand;Name (Adressattyp natürl. Person);"
    "Vorname (Adressattyp natürl. Person);Name (Adressattyp keine Angabe);Adressattyp;Kurzbezeichnung;EU-Land;"
    "EU-UStID;Anrede;Titel/Akad. Grad;Adelstitel;Namensvorsatz;Adressart;Straße;Postfach;Postleitzahl;Ort;Land;"
    "Versandzusatz;Adresszusatz;Abweichende Anrede;Abw. Zustellbezeichnung 1;Abw. Zustellbezeichnung 2;"
    "Kennz. Korrespondenzadresse;Adresse Gültig von;Adresse Gültig bis;Telefon;Bemerkung (Telefon);Telefon GL;"
    "Bemerkung (Telefon GL);E-Mail;Bemerkung (E-Mail)"
)
_CONTACT_COLUMNS = _OF_CONTACTS.split(";")


class BookingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A booking in the file; the amount in hundredths."""

    amount: int
    is_debit: bool
    account: str
    contra: str
    key: str
    day: date
    number: str
    own_number: str | None = None
    service_day: date | None = None
    tax_day: date | None = None
    due: date | None
    text: str
    cost_centres: tuple[str, str]


def bookings(header: Header, rows: Iterable[BookingRow]) -> bytes:
    """A file of bookings."""
    shown = (_of_booking(row, header) for row in rows)
    return _file(_header(header, 21, "Buchungsstapel", 13), _BOOKING_COLUMNS, shown)


def contacts(header: Header, rows: Iterable[Mapping[str, str]]) -> bytes:
    """A file of customers and suppliers; each row by the names of its columns."""
    shown = ([row.get(name) or None for name in _CONTACT_COLUMNS] for row in rows)
    return _file(_header(header, 16, "Debitoren/Kreditoren", 5), _CONTACT_COLUMNS, shown)


def _header(header: Header, category: int, name: str, version: int) -> list[Field]:
    made_at = re.sub(r"\D", "", header.made_at).ljust(17, "0")[:17]
    is_bookings = header.first is not None
    return [
        *("EXTF", 700, category, name, version, int(made_at), None, OURS, "", ""),
        *(header.advisor, header.client, int(f"{header.year_start:%Y%m%d}"), header.account_length),
        *(int(f"{day:%Y%m%d}") if day else None for day in (header.first, header.last)),
        *("Journal" if is_bookings else "", "", 1 if is_bookings else None, 0 if is_bookings else None),
        *(int(header.is_final) if is_bookings else None, header.currency, None, "", None, None),
        *(header.chart, None, None, "", ""),
    ]


def _of_booking(row: BookingRow, header: Header) -> list[Field]:
    """A row; accounts, the amount and the date are numbers, and never in quotes."""
    values: dict[str, Field] = {
        "Umsatz (ohne Soll/Haben-Kz)": _Bare(f"{row.amount // 100},{row.amount % 100:02}"),
        "Soll/Haben-Kennzeichen": "S" if row.is_debit else "H",
        "WKZ Umsatz": header.currency,
        "Konto": _Bare(row.account),
        "Gegenkonto (ohne BU-Schlüssel)": _Bare(row.contra),
        "BU-Schlüssel": row.key,
        "Belegdatum": _Bare(f"{row.day:%d%m}"),
        "Belegfeld 1": re.sub(r"[^A-Za-z0-9$&%*+/-]", "-", row.number)[:36],
        "Belegfeld 2": f"{row.due:%d%m%y}" if row.due else "",
        "Buchungstext": row.text[:60],
        "Zusatzinformation - Art 1": "Belegnummer" if row.own_number else None,
        "Zusatzinformation- Inhalt 1": row.own_number,
        "KOST1 - Kostenstelle": row.cost_centres[0][:36] or None,
        "KOST2 - Kostenstelle": row.cost_centres[1] or None,
        "Festschreibung": int(header.is_final),
        "Leistungsdatum": _day(row.service_day),
        "Datum Zuord. Steuerperiode": _day(row.tax_day),
        "Fälligkeit": _day(row.due),
    }
    cells: list[Field] = [None] * len(_BOOKING_COLUMNS)
    for name, value in values.items():
        cells[PLACES[name]] = value
    return cells


class _Bare(str):
    """Digits without quotes."""


def _day(day: date | None) -> _Bare | None:
    return None if day is None else _Bare(f"{day:%d%m%Y}")


def _file(header: Sequence[Field], columns: Sequence[str], rows: Iterable[Sequence[Field]]) -> bytes:
    lines = [_line(header), ";".join(columns), *map(_line, rows)]
    return "".join(f"{line}\r\n" for line in lines).encode("cp1252", errors="replace")


def _line(cells: Sequence[Field]) -> str:
    return ";".join(map(_cell, cells))


def _cell(value: Field) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, _Bare)):
        return str(value)
    flat = " ".join(value.split()).replace('"', '""')
    return f'"{flat}"'
