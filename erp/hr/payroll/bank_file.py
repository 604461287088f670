"""Bank files: the net pay of a payroll run as the bank takes it, ISO 20022 pain.001 or CSV."""

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from erp.kernel import money
from erp.web.csv_list import cell

NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
WITHOUT_ACCENT = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "&": "+"}
)
"""Letters that Unicode does not take apart into a plain one and its accent."""

NOT_OF_SEPA = re.compile(r"[^A-Za-z0-9/?:().,'+ -]")


@dataclass(frozen=True, slots=True)
class Transfer:
    """What one person gets, in minor units."""

    reference: str
    holder: str
    iban: str | None
    amount: int


@dataclass(frozen=True, slots=True)
class Batch:
    """The transfers of a run, out of one account, on a day; `made_at` is when the file was made."""

    number: str
    payer: str
    iban: str
    currency: str
    day: date
    made_at: str
    transfers: Sequence[Transfer]

    @property
    def total(self) -> str:
        """What leaves the account."""
        return money.text(sum(transfer.amount for transfer in self.transfers), self.currency)


def pain001(batch: Batch) -> bytes:
    """Spell a credit transfer initiation; every transfer has an IBAN and more than nothing.

    Source: ISO 20022 pain.001.001.09; EPC132-08, SEPA Credit Transfer Customer-to-PSP Implementation Guidelines 2023.
    """
    document = Element("Document", xmlns=NAMESPACE)
    initiation = SubElement(document, "CstmrCdtTrfInitn")
    header = SubElement(initiation, "GrpHdr")
    _say(header, "MsgId", _within(batch.number, 35, batch))
    _say(header, "CreDtTm", batch.made_at)
    _count(header, batch)
    _say(SubElement(header, "InitgPty"), "Nm", _within(batch.payer, 70, batch))
    _payment(SubElement(initiation, "PmtInf"), batch)
    indent(document)
    spelt: bytes = tostring(document, encoding="utf-8", xml_declaration=True)
    return spelt


def as_csv(batch: Batch) -> bytes:
    """Spell a table of the transfers, for a bank that takes no XML."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["name", "iban", "amount", "currency", "date", "reference"])
    for each in batch.transfers:
        amount = money.text(each.amount, batch.currency)
        row = [each.holder, each.iban, amount, batch.currency, batch.day, each.reference]
        writer.writerow([cell(value) for value in row])
    return text.getvalue().encode()


def _payment(info: Element, batch: Batch) -> None:
    _say(info, "PmtInfId", _within(batch.number, 35, batch))
    _say(info, "PmtMtd", "TRF")
    _count(info, batch)
    kind = SubElement(info, "PmtTpInf")
    if batch.currency == "EUR":
        _say(SubElement(kind, "SvcLvl"), "Cd", "SEPA")
    _say(SubElement(kind, "CtgyPurp"), "Cd", "SALA")
    _say(SubElement(info, "ReqdExctnDt"), "Dt", batch.day.isoformat())
    _say(SubElement(info, "Dbtr"), "Nm", _within(batch.payer, 70, batch))
    _say(SubElement(SubElement(info, "DbtrAcct"), "Id"), "IBAN", batch.iban)
    agent = SubElement(SubElement(info, "DbtrAgt"), "FinInstnId")
    _say(SubElement(agent, "Othr"), "Id", "NOTPROVIDED")  # the IBAN says which bank it is: IBAN only, since 2016
    if batch.currency == "EUR":
        _say(info, "ChrgBr", "SLEV")
    for transfer in batch.transfers:
        _transfer(SubElement(info, "CdtTrfTxInf"), transfer, batch)


def _transfer(info: Element, transfer: Transfer, batch: Batch) -> None:
    assert transfer.iban is not None
    _say(SubElement(info, "PmtId"), "EndToEndId", _within(transfer.reference, 35, batch))
    amount = SubElement(SubElement(info, "Amt"), "InstdAmt", Ccy=batch.currency)
    amount.text = money.text(transfer.amount, batch.currency)
    _say(SubElement(info, "Cdtr"), "Nm", _within(transfer.holder, 70, batch))
    _say(SubElement(SubElement(info, "CdtrAcct"), "Id"), "IBAN", transfer.iban)
    _say(SubElement(info, "RmtInf"), "Ustrd", _within(transfer.reference, 140, batch))


def _count(parent: Element, batch: Batch) -> None:
    _say(parent, "NbOfTxs", str(len(batch.transfers)))
    _say(parent, "CtrlSum", batch.total)


def _say(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = text


def _within(text: str, length: int, batch: Batch) -> str:
    """The text as long as its field takes it; in euro with the characters alone that every bank of SEPA takes."""
    if batch.currency == "EUR":
        plain = unicodedata.normalize("NFKD", text.translate(WITHOUT_ACCENT))
        text = NOT_OF_SEPA.sub(" ", plain.encode("ascii", "ignore").decode())
    return " ".join(text.split())[:length].strip() or "NOTPROVIDED"
