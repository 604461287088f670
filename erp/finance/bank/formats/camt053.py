"""Statements as ISO 20022 camt.053, of any version: no DTD, no entity."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from erp.finance.bank.formats import model
from erp.finance.bank.formats.model import ReadLine, ReadStatement, unreadable
from erp.kernel import ibans
from erp.kernel.language import says

_OPENING, _CLOSING = ("OPBD", "PRCD"), ("CLBD",)


class _Builder(TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Refuse before any entity could be expanded."""
        raise unreadable(says("The file has a document type declaration, which a bank statement never has."))


def read(text: str) -> list[ReadStatement]:
    """The statements of a file.

    Raises:
        NotAStatement: it is cut off, or something else than camt.053.
    """
    parser = XMLParser(target=_Builder())
    try:
        parser.feed(text)
        root: Element = parser.close()
    except (ParseError, LookupError, ValueError) as problem:
        raise unreadable(says("The XML cannot be read: {problem}.", problem=problem)) from None
    statements = root.findall("{*}BkToCstmrStmt/{*}Stmt")
    if not statements:
        raise unreadable(says("The XML is no camt.053: it has no statement."))
    return [_statement(element) for element in statements]


def _statement(element: Element) -> ReadStatement:
    currency = _text(element, "Acct/Ccy") or _currency_of(element.find("{*}Bal/{*}Amt"))
    opening, first = _balance(element, _OPENING)
    closing, last = _balance(element, _CLOSING)
    booked = [entry for entry in element.findall("{*}Ntry") if _status(entry) == "BOOK"]
    for entry in booked:
        other = _currency_of(entry.find("{*}Amt"))
        if currency and other and other != currency:
            message = says(
                "The account is kept in {currency}, but a transaction is in {other}.", currency=currency, other=other
            )
            raise unreadable(message)
    return ReadStatement(
        lines=[line for entry in booked for line in _lines(entry)],
        account=_iban(element) or _text(element, "Acct/Id/Othr/Id"),
        currency=currency,
        number=_text(element, "ElctrncSeqNb") or _text(element, "Id"),
        opening=opening,
        closing=closing,
        first=first,
        last=last,
    )


def _iban(element: Element) -> str | None:
    text = _text(element, "Acct/Id/IBAN")
    if text and ibans.found(text) is None:
        raise unreadable(says("The account of the statement, {iban}, is not a valid IBAN.", iban=text[:40]))
    return text


def _status(entry: Element) -> str:
    return _text(entry, "Sts/Cd") or _text(entry, "Sts") or "BOOK"


def _balance(element: Element, codes: tuple[str, ...]) -> tuple[Decimal | None, date | None]:
    for code in codes:
        for balance in element.findall("{*}Bal"):
            if _text(balance, "Tp/CdOrPrtry/Cd") == code:
                return _amount(balance), _day(balance, "Dt")
    return None, None


def _lines(entry: Element) -> Iterator[ReadLine]:
    """The line of an entry; of a batch, one for each of its transactions, if they add up to it."""
    details = entry.findall("{*}NtryDtls/{*}TxDtls")
    parts = [_amount_of(detail, entry) for detail in details]
    whole = _amount(entry)
    if len(details) > 1 and None not in parts and sum(part for part in parts if part is not None) == whole:
        for detail, part in zip(details, parts, strict=True):
            yield _line(entry, detail, part or Decimal(0))
    else:
        yield _line(entry, details[0] if len(details) == 1 else None, whole)


def _line(entry: Element, detail: Element | None, amount: Decimal) -> ReadLine:
    booked = _day(entry, "BookgDt") or _day(entry, "ValDt")
    if booked is None:
        raise unreadable(says("A transaction has no date."))
    other = "Dbtr" if amount > 0 else "Cdtr"
    source = entry if detail is None else detail
    remittance = [*source.findall("{*}RmtInf/{*}Ustrd"), *source.findall("{*}RmtInf/{*}Strd/{*}CdtrRefInf/{*}Ref")]
    texts = [" ".join((element.text or "").split()) for element in remittance]
    own = _text(source, "Refs/AcctSvcrRef") if detail is not None else None
    extra = _text(source, "AddtlTxInf") or _text(entry, "AddtlNtryInf")
    return ReadLine(
        day=booked,
        value_day=_day(entry, "ValDt"),
        amount=amount,
        text=" ".join(text for text in texts if text) or extra or "",
        party=_text(source, f"RltdPties/{other}/Nm") or _text(source, f"RltdPties/{other}/Pty/Nm"),
        iban=ibans.found(_text(source, f"RltdPties/{other}Acct/Id/IBAN")),
        reference=model.known(own or _text(entry, "AcctSvcrRef")),
        end_to_end=model.known(_text(source, "Refs/EndToEndId")),
    )


def _amount_of(detail: Element, entry: Element) -> Decimal | None:
    """The amount of a transaction, with the sign of its entry where it has none of its own."""
    text = _text(detail, "Amt") or _text(detail, "AmtDtls/TxAmt/Amt")
    if text is None:
        return None
    direction = _text(detail, "CdtDbtInd") or _text(entry, "CdtDbtInd")
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
    child = element.find("/".join(f"{{*}}{step}" for step in path.split("/")))
    return None if child is None else (child.text or "").strip() or None
