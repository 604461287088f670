"""Files of wage data for DATEV LODAS and DATEV Lohn und Gehalt, and a plain table.

Source: DATEV's description of the interfaces of its payroll programs (LODAS, 94th edition), as their users quote it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from erp.hr.payroll.wages.models import WageExport
from erp.kernel import money
from erp.store import workspace_settings
from erp.web.csv_list import quoted
from erp.web.schema import File

_LODAS = """\
[Allgemein]
Ziel=LODAS
Version_SST=1.0
BeraterNr={advisor}
MandantenNr={client}
Datumsformat=TT/MM/JJJJ
Feldtrennzeichen=;
Zahlenkomma=,
[Satzbeschreibung]
1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;pnr#bwd;la_eigene#bwd;bs_nr#bwd;bs_wert_butab#bwd;kostenstelle#bwd;
[Bewegungsdaten]
"""
_LOHN_UND_GEHALT = (
    "Personalnummer;Kalendertag;Ausfallschlüssel;Lohnart;Stunden;Tage;Wert;Faktor;Lohnveränderung;Kostenstelle;"
    "Kostenträger"
)
_TABLE = "month,personnelNumber,employeeName,source,wageType,unit,quantity,processingKey"


def file(export: WageExport) -> File:
    """The file of an export in its format."""
    name = f"wages-{export.month}-{export.number}"
    if export.format == "csv":
        lines = [_TABLE, *(",".join(map(quoted, _cells(row))) for row in export.rows)]
        return File(_joined(lines).encode(), f"{name}.csv", "text/csv; charset=utf-8")
    if export.format == "lodas":
        settings = workspace_settings.current()
        head = _LODAS.format(advisor=settings.datev_advisor, client=settings.datev_client)
        lines, suffix = [*head.splitlines(), *map(_lodas, export.rows)], "txt"
    else:
        lines, suffix = [_LOHN_UND_GEHALT, *map(_lohn_und_gehalt, export.rows)], "csv"
    content = _joined(lines).encode("cp1252", errors="replace")
    return File(content, f"{name}.{suffix}", "text/plain; charset=windows-1252")


def text(row: Mapping[str, Any]) -> str:
    """The quantity of a row with two decimals; an amount has the decimals of its currency."""
    currency = workspace_settings.current().base_currency
    if row["unit"] == "amount":
        return money.text(row["quantity"], currency)
    whole, rest = divmod(abs(row["quantity"]), 100)
    return f"{'-' if row['quantity'] < 0 else ''}{whole}.{rest:02}"


def _cells(row: Mapping[str, Any]) -> list[object]:
    names = ("month", "personnelNumber", "employeeName", "source", "wageType", "unit")
    return [*(row[name] for name in names), text(row), row["processingKey"]]


def _lodas(row: Mapping[str, Any]) -> str:
    year, month = row["month"].split("-")
    key = row["processingKey"] or ""
    return f"1;01/{month}/{year};{row['personnelNumber']};{row['wageType']};{key};{_comma(row)};;"


def _lohn_und_gehalt(row: Mapping[str, Any]) -> str:
    year, month = row["month"].split("-")
    hours, days, amount = (_comma(row) if row["unit"] == unit else "" for unit in ("hours", "days", "amount"))
    return f"{row['personnelNumber']};01.{month}.{year};;{row['wageType']};{hours};{days};{amount};;;;"


def _comma(row: Mapping[str, Any]) -> str:
    return text(row).replace(".", ",")


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\r\n" for line in lines)
