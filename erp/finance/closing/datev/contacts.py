"""The master data of customers and suppliers for DATEV."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from erp.finance.closing.datev import personal, settings, sheet, store
from erp.kernel import clock
from erp.store import workspace_settings
from erp.store.router import WORKSPACE
from erp.web.schema import File


def file() -> File:
    """The contacts that have an account in DATEV, because an entry of theirs is in a batch.

    Raises:
        DatevNotSetUp: the settings lack a required field of the file.
    """
    settings.check()
    header = settings.header(workspace_settings.fiscal_year_start(workspace_settings.today()), clock.stamp())
    return File(sheet.contacts(header, _rows(header.account_length)), "EXTF_Debitoren_Kreditoren.csv")


def _rows(length: int) -> Iterator[dict[str, str]]:
    for number, name, legal_name, vat_id, email, phone, address in WORKSPACE.rows(store.CONTACTS):
        text = {
            "Konto": personal.written(number, length),
            "Name (Adressattyp Unternehmen)": (legal_name or name)[:50],
            "Adressattyp": "2",
            "Kurzbezeichnung": name[:15],
            "EU-Land": (vat_id or "")[:2],
            "EU-UStID": (vat_id or "")[2:15],
            "Telefon": (phone or "")[:60],
            "E-Mail": (email or "")[:60],
        }
        yield text | _address(json.loads(address) if address else {})


def _address(address: Mapping[str, Any]) -> dict[str, str]:
    if not address:
        return {}
    return {
        "Adressart": "STR",
        "Straße": (address.get("line1") or "")[:36],
        "Adresszusatz": (address.get("line2") or "")[:36],
        "Postleitzahl": (address.get("postal_code") or "")[:10],
        "Ort": (address.get("city") or "")[:30],
        "Land": (address.get("country") or "")[:2],
    }
