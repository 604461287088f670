"""NACHA files, by which banks in the United States pay many people at once: credits of the class PPD.

Source: NACHA Operating Rules, appendix three: records of 94 columns in blocks of ten.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from erp.finance.payments.credit_transfer import latin

_WIDTH, _BLOCK = 94, 10
_CREDITS = "220"
_CODES = {"checking": "22", "savings": "32"}
MOST = 10**10 - 1
"""The largest amount of an entry, in cents."""


class Originator(msgspec.Struct, frozen=True):
    """The office as its bank knows it."""

    name: str
    company_id: str
    routing: str


class Credit(msgspec.Struct, frozen=True):
    """A payment to one person, in cents."""

    number: str
    name: str
    routing: str
    account: str
    type: str
    amount: int


def file(originator: Originator, credits: Sequence[Credit], effective: datetime, made_at: datetime) -> bytes:
    """Write the file of one batch of credits.

    Args:
        effective: the day on which the bank is to pay.
    """
    lines = list(_records(originator, credits, effective, made_at))
    lines += ["9" * _WIDTH] * (-len(lines) % _BLOCK)
    assert all(len(line) == _WIDTH for line in lines)
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _records(
    originator: Originator, credits: Sequence[Credit], effective: datetime, made_at: datetime
) -> Iterator[str]:
    bank, company = originator.routing[:8], originator.company_id.ljust(10)
    yield (
        f"101 {originator.routing}{originator.company_id:>10}{made_at:%y%m%d%H%M}A094101"
        f"{'':23}{_text(originator.name, 23)}{'':8}"
    )
    yield (
        f"5{_CREDITS}{_text(originator.name, 16)}{'':20}{company}PPD{'PAYROLL':10}"
        f"{effective:%y%m%d}{effective:%y%m%d}   1{bank}{1:07}"
    )
    for index, credit in enumerate(credits, start=1):
        yield (
            f"6{_CODES[credit.type]}{credit.routing}{_text(credit.account, 17)}{credit.amount:010}"
            f"{_text(credit.number, 15)}{_text(credit.name, 22)}  0{bank}{index:07}"
        )
    hashed = sum(int(credit.routing[:8]) for credit in credits) % 10**10
    total = sum(credit.amount for credit in credits)
    sums = f"{hashed:010}{0:012}{total:012}"
    yield f"8{_CREDITS}{len(credits):06}{sums}{company}{'':25}{bank}{1:07}"
    blocks = -(-(len(credits) + 4) // _BLOCK)
    yield f"9{1:06}{blocks:06}{len(credits):08}{sums}{'':39}"


def _text(text: str, width: int) -> str:
    return latin(text)[:width].ljust(width)
