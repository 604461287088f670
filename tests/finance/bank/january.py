"""Bank statements for tests: January of the worked month in three formats."""

from pathlib import Path
from typing import Any

from tests.conftest import Office

FOLDER = Path(__file__).parents[2] / "data" / "bank"
CAMT, MT940, CSV = (f"january.{suffix}" for suffix in ("xml", "sta", "csv"))
COLUMNS = {
    "date": "Buchungstag",
    "valueDate": "Wertstellung",
    "amount": "Betrag",
    "text": ["Verwendungszweck"],
    "party": "Empfänger",
    "iban": "IBAN",
    "reference": "Referenz",
    "balance": "Saldo",
    "currency": "Währung",
}
MAPPING = {"columns": COLUMNS, "skipRows": 1}


def text(name: str = CAMT) -> str:
    """The text of a file."""
    return (FOLDER / name).read_text(encoding="utf-8")


def statement(office: Office, file: str | None = None, account: str = "1800", **fields: Any) -> dict[str, Any]:
    """What an import of a file comes to."""
    body = {"accountId": account, "file": file or text(), **fields}
    shown: dict[str, Any] = office.ok("POST", "/finance/bank/statements/import", body)
    return shown


def refused(office: Office, file: str, account: str = "1800", status: int = 422, **fields: Any) -> dict[str, Any]:
    """The error of an import that is refused."""
    body = {"accountId": account, "file": file, **fields}
    error: dict[str, Any] = office.refused("POST", "/finance/bank/statements/import", body, status=status)
    return error


def lines(office: Office, account: str = "1800", **params: str) -> list[dict[str, Any]]:
    """The lines of an account, the earliest first."""
    query = {"accountId": account, "sort": "date", **params}
    found: list[dict[str, Any]] = office.ok("GET", "/finance/bank/lines", params=query)
    return found


def confirm(office: Office, line: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Confirm a line: its first suggestion, unless more is said."""
    shown: dict[str, Any] = office.ok("POST", f"/finance/bank/lines/{line['id']}/confirm", body)
    return shown


def undo(office: Office, line: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Take back what a line was said to be."""
    shown: dict[str, Any] = office.ok("POST", f"/finance/bank/lines/{line['id']}/undo", body)
    return shown


def state(office: Office, account: str = "1800", **params: str) -> dict[str, Any]:
    """Where an account stands."""
    shown: dict[str, Any] = office.ok("GET", f"/finance/bank/accounts/{account}", params=params)
    return shown


def camt(
    *entries: str, opening: str = "100.00", closing: str = "100.00", iban: str = "", first: str = "2026-03-01"
) -> str:
    """A statement of March as camt.053."""
    account = f"<Acct><Id><IBAN>{iban}</IBAN></Id></Acct>" if iban else ""
    balances = "".join(
        f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>{amount}</Amt>"
        f"<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
        for code, amount, day in (("OPBD", opening, first), ("CLBD", closing, "2026-03-31"))
    )
    return (
        "<Document xmlns='urn:iso:std:iso:20022:tech:xsd:camt.053.001.02'><BkToCstmrStmt>"
        f"<Stmt><Id>3</Id>{account}{balances}{''.join(entries)}</Stmt></BkToCstmrStmt></Document>"
    )


def entry(amount: str, words: str = "", day: str = "2026-03-10", name: str = "", iban: str = "", ref: str = "") -> str:
    """An entry of a statement; below zero for what went out."""
    side, other = ("DBIT", "Cdtr") if amount.startswith("-") else ("CRDT", "Dbtr")
    party = f"<{other}><Nm>{name}</Nm></{other}>" if name else ""
    party += f"<{other}Acct><Id><IBAN>{iban}</IBAN></Id></{other}Acct>" if iban else ""
    return (
        f"<Ntry><Amt Ccy='EUR'>{amount.lstrip('-')}</Amt><CdtDbtInd>{side}</CdtDbtInd><Sts>BOOK</Sts>"
        f"<BookgDt><Dt>{day}</Dt></BookgDt><AcctSvcrRef>{ref}</AcctSvcrRef><NtryDtls><TxDtls>"
        f"<RltdPties>{party}</RltdPties><RmtInf><Ustrd>{words}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>"
    )
