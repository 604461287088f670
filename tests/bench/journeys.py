"""How many files of `erp/` a request passes: those whose functions one warm request calls, in process.

Run `python -m tests.bench.journeys`; with `--files` it names them.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from tests.conftest import Installation, Office
from tests.finance.bank.january import camt, confirm, entry, lines, statement
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line
from tests.finance.payments.payments import payment
from tests.hr.payroll.payrolls import FEBRUARY, JANUARY, act, add_components, paid_employee, payroll_run
from tests.paths import ROOT

ERP = f"{ROOT / 'erp'}/"

Act = Callable[[], object]


@contextmanager
def passed() -> Iterator[set[str]]:
    """The files of `erp/` that are passed within the block."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (file := frame.f_code.co_filename).startswith(ERP):
            files.add(file.removeprefix(ERP))

    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(None)


def sold(office: Office) -> Iterator[Act]:
    """An invoice of two lines at one tax rate, to a customer of the office, issued."""
    body: dict[str, Any] = {"customerId": customer(office)["id"], "issueDate": "2026-03-02"}
    each = line(taxRateId=tax_rate(office, "19")["id"])
    while True:
        yield partial(invoice, office, each, each, **body)


def paid(office: Office) -> Iterator[Act]:
    """A payment of a part of an invoice."""
    while True:
        due = invoice(office)
        yield partial(payment, office, "10.00", invoiceId=due["id"])


def matched(office: Office) -> Iterator[Act]:
    """A bank transaction that names an invoice, matched with its first suggestion."""
    due = [invoice(office, "70.00", issueDate="2026-03-01") for _ in range(2)]
    entries = [entry("70.00", f"Invoice {each['number']}", ref=each["number"]) for each in due]
    statement(office, camt(*entries, closing="240.00"), "1010")
    for transaction in lines(office, "1010"):
        yield partial(confirm, office, transaction)


def approved(office: Office) -> Iterator[Act]:
    """A payroll run of one employee with three components, approved."""
    add_components(office)
    paid_employee(office)
    for month in (JANUARY, FEBRUARY):
        made = payroll_run(office, month)
        yield partial(act, office, made, "approve")


JOURNEYS = {"an invoice": sold, "a payment": paid, "a bank transaction": matched, "an approved payroll run": approved}


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory() as folder:
        for number, (name, journey) in enumerate(JOURNEYS.items()):
            office = Installation(Path(folder) / str(number)).office("Olga")
            steps = journey(office)
            next(steps)()
            warm = next(steps)
            with passed() as files:
                warm()
            print(f"{name}: {len(files)}")  # noqa: T201
            if "--files" in sys.argv:
                print(*sorted(files), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
