"""Statements as ISO 20022 camt.053, or reports within a day as camt.052, of any version: no DTD, no entity."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from xml.etree.ElementTree import Element

from erp.finance.bank.formats import model
from erp.finance.bank.formats.model import Lines, ReadLine, ReadStatement, unreadable
from erp.kernel import ibans
from erp.kernel.intake import xml
from erp.kernel.intake.budget import Budget
from erp.kernel.language import says

_OPENING, _CLOSING = ("OPBD", "PRCD"), ("CLBD",)
_STATEMENTS = ("BkToCstmrStmt/Stmt", "BkToCstmrAcctRpt/Rpt")
_NEXT_DOCUMENT = re.compile(r"(?<=Document>)\s*(?=<\?xml\s|<(?:\w+:)?Document\b)")
"""Where a document follows another in the same file."""


def read(text: str, budget: Budget, counted: Lines) -> list[ReadStatement]:
    """The statements of a file, which may have several documents after each other.

    Raises:
        NotAStatement: it is cut off, or something else than camt.053 or camt.052.
        Invalid: it is too large.
    """
    return [
        statement for part in _NEXT_DOCUMENT.split(text) for statement in _of_document(part.strip(), budget, counted)
    ]


def _of_document(text: str, budget: Budget, counted: Lines) -> list[ReadStatement]:
    try:
        root = xml.root_of(text, budget)
    except xml.HasDoctype:
        message = says("The file has a document type declaration, which a bank statement never has.")
        raise unreadable(message) from None
    except xml.UNREAD as problem:
        raise unreadable(says("The XML cannot be read: {problem}.", problem=problem)) from None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]  # every version has a namespace of its own
    statements = [element for path in _STATEMENTS for element in root.findall(path)]
    if not statements:
        raise unreadable(says("The XML is no camt.053 or camt.052: it has no statement."))
    return [_statement(element, counted) for element in statements]


def _statement(element: Element, counted: Lines) -> ReadStatement:
    counted.add_statement()
    currency = _text(element, "Acct/Ccy") or _currency_of(element.find("Bal/Amt"))
    opening, first = _balance(element, _OPENING)
    closing, last = _balance(element, _CLOSING)
    booked = [entry for entry in element.findall("Ntry") if _status(entry) == "BOOK"]
    for entry in booked:
        other = _currency_of(entry.find("Amt"))
        if currency and other and other != currency:
            message = says(
                "The account is kept in {currency}, but a transaction is in {other}.", currency=currency, other=other
            )
            raise unreadable(message)
    return ReadStatement(
        lines=_counted(booked, counted),
        account=_iban(element) or _text(element, "Acct/Id/Othr/Id"),
        currency=currency,
        number=_text(element, "ElctrncSeqNb") or _text(element, "Id"),
        opening=opening,
        closing=closing,
        first=first,
        last=last,
    )


def _counted(entries: Sequence[Element], counted: Lines) -> list[ReadLine]:
    lines = []
    for entry in entries:
        for line in _lines(entry):
            counted.add_line()
            lines.append(line)
    return lines


def _iban(element: Element) -> str | None:
    text = _text(element, "Acct/Id/IBAN")
    if text and ibans.found(text) is None:
        raise unreadable(says("The account of the statement, {iban}, is not a valid IBAN.", iban=text[:40]))
    return text


def _status(entry: Element) -> str:
    return _text(entry, "Sts/Cd") or _text(entry, "Sts") or "BOOK"


def _balance(element: Element, codes: tuple[str, ...]) -> tuple[Decimal | None, date | None]:
    for code in codes:
        for balance in element.findall("Bal"):
            if _text(balance, "Tp/CdOrPrtry/Cd") == code:
                return _amount(balance), _day(balance, "Dt")
    return None, None


class _Entry:
    """The values that all lines of an entry share, looked up once: a batch may have thousands of lines."""

    def __init__(self, element: Element) -> None:
        self.element = element
        self.amount = _amount(element)
        self.direction = _text(element, "CdtDbtInd")
        self.value_day = _day(element, "ValDt")
        self.booked = _day(element, "BookgDt") or self.value_day
        self.reference = _text(element, "AcctSvcrRef")
        self.text = _text(element, "AddtlNtryInf")


def _lines(element: Element) -> Iterator[ReadLine]:
    """The line of an entry; of a batch, one for each of its transactions, if they add up to it."""
    entry = _Entry(element)
    details = element.findall("NtryDtls/TxDtls")
    parts = [_amount_of(detail, entry) for detail in details]
    if len(details) > 1 and None not in parts and sum(part for part in parts if part is not None) == entry.amount:
        for detail, part in zip(details, parts, strict=True):
            yield _line(entry, detail, part or Decimal(0))
    else:
        yield _line(entry, details[0] if len(details) == 1 else None, entry.amount)


def _line(entry: _Entry, detail: Element | None, amount: Decimal) -> ReadLine:
    if entry.booked is None:
        raise unreadable(says("A transaction has no date."))
    other = "Dbtr" if amount > 0 else "Cdtr"
    source = entry.element if detail is None else detail
    remittance = [*source.findall("RmtInf/Ustrd"), *source.findall("RmtInf/Strd/CdtrRefInf/Ref")]
    texts = [" ".join((element.text or "").split()) for element in remittance]
    own = _text(source, "Refs/AcctSvcrRef") if detail is not None else None
    extra = _text(source, "AddtlTxInf") or entry.text
    return ReadLine(
        day=entry.booked,
        value_day=entry.value_day,
        amount=amount,
        text=" ".join(text for text in texts if text) or extra or "",
        party=_text(source, f"RltdPties/{other}/Nm") or _text(source, f"RltdPties/{other}/Pty/Nm"),
        iban=ibans.found(_text(source, f"RltdPties/{other}Acct/Id/IBAN")),
        reference=model.known(own or entry.reference),
        end_to_end=model.known(_text(source, "Refs/EndToEndId")),
    )


def _amount_of(detail: Element, entry: _Entry) -> Decimal | None:
    """The amount of a transaction, with the sign of its entry where it has none of its own."""
    text = _text(detail, "Amt") or _text(detail, "AmtDtls/TxAmt/Amt")
    if text is None:
        return None
    direction = _text(detail, "CdtDbtInd") or entry.direction
    return model.number(text) * (-1 if direction == "DBIT" else 1)


def _amount(element: Element) -> Decimal:
    sign = {"CRDT": 1, "DBIT": -1}.get(_text(element, "CdtDbtInd") or "")
    if sign is None:
        raise unreadable(says("An amount is marked neither as credit nor as debit."))
    return sign * model.number(_text(element, "Amt") or "")


def _day(element: Element, path: str) -> date | None:
    text = _text(element, f"{path}/Dt") or _text(element, f"{path}/DtTm")
    return None if text is None else model.day(text[:10], "%Y-%m-%d")


def _currency_of(element: Element | None) -> str | None:
    return None if element is None else element.get("Ccy")


def _text(element: Element, path: str) -> str | None:
    """The text at a path of which no version repeats an element."""
    place: Element | None = element
    for step in path.split("/"):
        place = place.find(step) if place is not None else None
    return None if place is None else (place.text or "").strip() or None
