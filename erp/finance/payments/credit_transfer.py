"""Credit transfers as ISO 20022 pain.001: to suppliers, and the net pay of employees."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from erp.kernel import money
from erp.kernel.errors import Refusal

Remittance = Literal["split", "shorten"]
"""The way of a payment run with more numbers than a payment reference takes."""
REMITTANCE = 140
"""The most characters of a payment reference."""
NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
UMLAUT = re.compile("[äöüÄÖÜ]")
NOT_OF_SEPA = re.compile(r"[^A-Za-z0-9/?:().,'+ -]")


class WorkspaceIbanMissing(Refusal):
    """The workspace has no IBAN. Enter it in the workspace settings."""


class Transfer(msgspec.Struct, frozen=True):
    """A payment to one payee, in minor units; the payee sees `remittance`, or the reference where there is none.

    `account` is the bank and the number of an account without an IBAN.
    """

    reference: str
    holder: str
    iban: str | None
    amount: int
    bic: str | None = None
    remittance: str | None = None
    account: tuple[str, str] | None = None


class Batch(msgspec.Struct, frozen=True):
    """The transfers of a run from one account on one day; `made_at` is when the file was created.

    `purpose` is a code such as SALA for pay, which banks show only to authorised users. `account_currency` tells
    apart accounts with the same IBAN.
    """

    number: str
    payer: str
    iban: str
    currency: str
    day: date
    made_at: str
    transfers: Sequence[Transfer]
    purpose: str | None = None
    account_currency: str | None = None

    @property
    def total(self) -> str:
        """The sum of the transfers."""
        return money.text(sum(transfer.amount for transfer in self.transfers), self.currency)


def pain001(batch: Batch) -> bytes:
    """Write a credit transfer initiation; every transfer must have an IBAN and an amount above zero.

    Source: ISO 20022 pain.001.001.09; EPC132-08, SEPA Credit Transfer Customer-to-PSP Implementation Guidelines 2023.
    """
    document = Element("Document", xmlns=NAMESPACE)
    initiation = SubElement(document, "CstmrCdtTrfInitn")
    header = SubElement(initiation, "GrpHdr")
    _add(header, "MsgId", _within(batch.number, 35, batch))
    _add(header, "CreDtTm", batch.made_at)
    _count(header, batch)
    _add(SubElement(header, "InitgPty"), "Nm", _within(batch.payer, 70, batch))
    _payment(SubElement(initiation, "PmtInf"), batch)
    indent(document)
    content: bytes = tostring(document, encoding="utf-8", xml_declaration=True)
    return content


def _payment(info: Element, batch: Batch) -> None:
    _add(info, "PmtInfId", _within(batch.number, 35, batch))
    _add(info, "PmtMtd", "TRF")
    _count(info, batch)
    if batch.currency == "EUR" or batch.purpose is not None:
        _kind(SubElement(info, "PmtTpInf"), batch)
    _add(SubElement(info, "ReqdExctnDt"), "Dt", batch.day.isoformat())
    _add(SubElement(info, "Dbtr"), "Nm", _within(batch.payer, 70, batch))
    account = SubElement(info, "DbtrAcct")
    _add(SubElement(account, "Id"), "IBAN", batch.iban)
    if batch.account_currency is not None:
        _add(account, "Ccy", batch.account_currency)
    agent = SubElement(SubElement(info, "DbtrAgt"), "FinInstnId")
    _add(SubElement(agent, "Othr"), "Id", "NOTPROVIDED")  # the IBAN identifies the bank: IBAN only since 2016
    if batch.currency == "EUR":
        _add(info, "ChrgBr", "SLEV")
    for transfer in batch.transfers:
        _transfer(SubElement(info, "CdtTrfTxInf"), transfer, batch)


def _kind(kind: Element, batch: Batch) -> None:
    if batch.currency == "EUR":
        _add(SubElement(kind, "SvcLvl"), "Cd", "SEPA")
    if batch.purpose is not None:
        _add(SubElement(kind, "CtgyPurp"), "Cd", batch.purpose)


def _transfer(info: Element, transfer: Transfer, batch: Batch) -> None:
    assert transfer.iban is not None
    _add(SubElement(info, "PmtId"), "EndToEndId", _within(transfer.reference, 35, batch))
    amount = SubElement(SubElement(info, "Amt"), "InstdAmt", Ccy=batch.currency)
    amount.text = money.text(transfer.amount, batch.currency)
    if transfer.bic is not None:
        _add(SubElement(SubElement(info, "CdtrAgt"), "FinInstnId"), "BICFI", transfer.bic)
    _add(SubElement(info, "Cdtr"), "Nm", _within(transfer.holder, 70, batch))
    _add(SubElement(SubElement(info, "CdtrAcct"), "Id"), "IBAN", transfer.iban)
    remittance = _within(transfer.remittance or transfer.reference, None, batch)
    _add(SubElement(info, "RmtInf"), "Ustrd", _shortened(remittance))


def _count(parent: Element, batch: Batch) -> None:
    _add(parent, "NbOfTxs", str(len(batch.transfers)))
    _add(parent, "CtrlSum", batch.total)


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = text


def _plain_umlauts(text: str) -> str:
    """German umlauts as two letters, as banks write them: Jörg as Joerg, Österreich as Oesterreich, ÖBB as OEBB."""
    composed = unicodedata.normalize("NFC", text)
    return UMLAUT.sub(_two_letters, composed)


def _two_letters(umlaut: re.Match[str]) -> str:
    letters = f"{unicodedata.normalize('NFD', umlaut[0])[0]}e"
    before, after = umlaut.string[: umlaut.start()][-1:], umlaut.string[umlaut.end() :][:1]
    return letters.upper() if umlaut[0].isupper() and (after.isupper() or before.isupper()) else letters


def fits(remittance: str) -> bool:
    """Whether a payment reference has room in its field, in the characters of SEPA too."""
    return max(len(remittance), len(_of_sepa(remittance))) <= REMITTANCE


def _shortened(remittance: str) -> str:
    """A payment reference without the last of its numbers where it is too long, so that none is cut."""
    numbers = remittance.split(", ")
    shown, count = remittance, len(numbers)
    while len(shown) > REMITTANCE and count > 1:
        count -= 1
        shown = f"{', '.join(numbers[:count])} + {len(numbers) - count} more"
    return shown[:REMITTANCE].strip()


def _of_sepa(text: str) -> str:
    """The text in the characters that every SEPA bank accepts; of any other script, in its Latin letters."""
    return NOT_OF_SEPA.sub(" ", latin(text.replace("&", "+")))


def latin(text: str) -> str:
    """The text in Latin letters without accents, umlauts as two."""
    plain = _plain_umlauts(text)
    if plain.isascii():
        return plain
    from anyascii import anyascii  # its tables are read as they are needed

    return anyascii(plain)


def _within(text: str, length: int | None, batch: Batch) -> str:
    """The text cut to the length of its field; in euro, reduced to the characters that every SEPA bank accepts."""
    if batch.currency == "EUR":
        text = _of_sepa(text)
    return " ".join(text.split())[:length].strip() or "NOTPROVIDED"
