"""Files that are changed at random are read or refused, in time and in little memory, and nothing else.

Ordinary runs try a few for each reader. `TRY_FILES=3`, as in `.ci/run`, tries for so many seconds, and `.ci/run
thorough` for a minute.
"""

import base64
import io
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.attachments import media_types
from erp.finance.bank import statements
from erp.finance.bank.formats import csv_proposed, reading
from erp.finance.bank.formats.csv_mapped import Columns
from erp.finance.books.exchange_rates import ecb
from erp.finance.closing.datev import reading as datev
from erp.finance.contacts.bodies import NewContact
from erp.finance.output.einvoice import reading as einvoices
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.intake import text
from erp.tasks.time import sheet
from erp.web import spreadsheets, strict_json
from erp.web.transport import sheets
from erp.web.transport.sheets import SheetImport
from erp.workspace import logo
from tests import worst_files
from tests.conftest import Installation, Office
from tests.finance.bank.january import CAMT, CSV, FOLDER, MAPPING, MT940
from tests.finance.closing.test_datev import set_up
from tests.finance.closing.test_datev_received import booking, file_of
from tests.finance.column_mappings import test_xero
from tests.finance.output.test_incoming import FULL, WRITERS
from tests.finance.output.test_papers import image, photograph
from tests.mutations import changed

pytestmark = pytest.mark.thorough

SECONDS = float(os.environ.get("TRY_FILES", "0"))
EXAMPLES = 200 if SECONDS else 20
LONGEST = 5.0
"""How many seconds of a processor the reading of a file may take."""
LARGEST = 200 << 10
"""How many KiB the process may grow by at its peak."""


def peak() -> int:
    """The most memory that this process has used, in KiB; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def try_out(samples: Sequence[bytes], check: Callable[[bytes], object]) -> None:
    """Check changed samples; a number from which each is made is named where it fails."""

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 1 << 48))
    def some(seed: int) -> None:
        content = changed(Random(seed), samples)
        start = time.thread_time()
        check(content)
        assert time.thread_time() - start < LONGEST

    before, until = peak(), time.monotonic() + SECONDS
    some()
    while time.monotonic() < until:
        some()
    assert peak() - before < LARGEST


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def text_of(content: bytes) -> str:
    """The text of a body in JSON, in which NUL is refused."""
    return content.decode("utf-8", errors="replace").replace("\0", "") or " "


def workbook() -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["name", "kind", "paymentTermsDays", "address.city"])
        sheet.write_row(1, 0, ["Globex", "customer", 14, "Köln"])
        sheet.write_row(2, 0, ["Meyer", "supplier", 1.5])
        sheet.write_datetime(3, 1, FULL.issue_date, book.add_format({"num_format": "yyyy-mm-dd"}))
        sheet.write_formula(3, 2, "=1+1", None, 2)
        sheet.write_boolean(3, 0, True)
    return file.getvalue()


BANK = [(FOLDER / name).read_bytes() for name in (CAMT, MT940, CSV)]
COLUMNS = Columns(
    {
        "date": "Buchungstag",
        "value_date": "Wertstellung",
        "amount": "Betrag",
        "text": ["Verwendungszweck"],
        "party": "Empfänger",
        "iban": "IBAN",
        "reference": "Referenz",
        "balance": "Saldo",
        "currency": "Währung",
    },
    skip_rows=1,
)
EINVOICES = [write(FULL, "en16931") for write in WRITERS.values()]
PDFS = [worst_files.pdf_with(content) for content in EINVOICES]
IMAGES = [base64.b64decode(made) for made in (image("PNG"), image("JPEG"), photograph())]
DATEV = [file_of(booking("119,00", "S", "6300", "1800"), booking("100,00", "H", "4400", "1200", day="1502"))]
CONTACTS = ["name,kind,address.city\nGlobex,customer,Köln\n".encode(), b'"name";"kind"\n"Mey""er";"supplier"\n']
TIME = [
    b"task,date,hours,start,end,note,billable,user\nX-1,2026-01-05,1.5,,,Sketches,yes,\nX-1,2026-01-05,,09:30,23:10,,,\n"
]
OPENING = [b"account,debit,credit,contact,number,dueDate,month\n1010,1.50,,,,,\n1200,5,,Globex,R-1,2026-02-01,\n"]
ECB = [
    b"<C><Cube time='2026-01-22'><Cube currency='USD' rate='1.0870'/><Cube currency='CHF' rate='0.94'/></Cube></C>",
    b"Date, USD, JPY, CHF, \n22 January 2026, 1.0870, 169.00, 0.9400, \n",
]
ZIPPED_ECB = [worst_files.zipped(ECB[1]).replace(b".xml", b".csv")]
JSON = [
    b'{"a": [1, 2.50, -3e2, null, true, "x\\u00fc\\n"], "b": {"c": "D", "e": [{"f": {}}]}}',
    b'{"name": "Zoe\\u0308", "lines": [{"quantity": "1", "unitPrice": "9.99"}, {"quantity": 2}]}',
]
XML_AND_OTHERS = [*EINVOICES, *PDFS, *IMAGES]


def read_bank(content: bytes) -> None:
    for statement in reading.read(content, COLUMNS, "EUR").statements:
        list(statements._lines(statement, "EUR", Counter()))


def read_time(content: bytes) -> None:
    for row in sheet.rows(sheets.of_csv(text_of(content)), "csv"):
        complaints = Complaints()
        sheet.time(row, "Europe/Berlin", complaints)
        sheet.billable(row, complaints)


def read_rates(file: str) -> None:
    for units in ecb.read(file).values():
        ecb.in_base(units, "EUR")


READERS: dict[str, tuple[Sequence[bytes], Callable[[bytes], object]]] = {
    "camt.053": (BANK[:1], read_bank),
    "MT940": (BANK[1:2], read_bank),
    "a bank's CSV": (BANK[2:], read_bank),
    "zipped camt.053": ([worst_files.zipped(BANK[0], worst_files.camt(3))], read_bank),
    "the columns of a CSV": (BANK[::-1], lambda content: csv_proposed.propose(text.lines(content))),
    "XLSX": ([workbook()], lambda content: spreadsheets.read(base64_of(content), "xlsx")),
    "contacts": (CONTACTS, lambda content: sheets.read(SheetImport(csv=text_of(content)), NewContact)),
    "time": (TIME, read_time),
    "e-invoice": (EINVOICES, einvoices.read),
    "e-invoice in a PDF": (PDFS, einvoices.read),
    "DATEV": (DATEV, lambda content: datev.read(content, "EUR", Complaints())),
    "exchange rates": (ECB, lambda content: read_rates(text_of(content))),
    "zipped exchange rates": (ZIPPED_ECB, lambda content: read_rates(base64_of(content))),
    "logo": (IMAGES, lambda content: logo.read(logo.NewLogo(file=base64_of(content)))),
    "media types": (XML_AND_OTHERS, lambda content: media_types.of(io.BytesIO(content), "a.xml")),
    "JSON": (JSON, strict_json.read),
}


@pytest.mark.parametrize(("samples", "read"), READERS.values(), ids=READERS)
def test_a_reader_reads_or_refuses(samples, read):
    def check(content: bytes) -> None:
        with suppress(Refusal):
            read(content)

    read(samples[0])
    try_out(samples, check)


@pytest.fixture(scope="module")
def olga(tmp_path_factory: pytest.TempPathFactory) -> Office:
    office = Installation(tmp_path_factory.mktemp("files")).office("Olga", country="DE", chartTemplate="de-skr04")
    set_up(office)
    office.ok("POST", "/finance/bank/accounts/1800/format", {"csvMapping": MAPPING})
    return office


def sent(**fields: Any) -> Callable[[bytes], dict[str, Any]]:
    """A body with the file in base64."""
    return lambda content: {"file": base64_of(content), **fields}


def as_csv(**fields: Any) -> Callable[[bytes], dict[str, Any]]:
    return lambda content: {"csv": text_of(content), **fields}


STATEMENTS = sent(accountId="1800", dryRun=True)
ENDPOINTS: dict[str, tuple[str, Sequence[bytes], Callable[[bytes], dict[str, Any]]]] = {
    "statements": ("/finance/bank/statements/import", [*BANK, worst_files.zipped(BANK[0])], STATEMENTS),
    "e-invoices": ("/finance/invoices/from-e-invoice", [*EINVOICES, *PDFS], sent(force=True)),
    "contacts": ("/finance/contacts/import", CONTACTS, as_csv(dryRun=True)),
    "contacts as XLSX": (
        "/finance/contacts/import",
        [workbook()],
        lambda content: {"xlsx": base64_of(content), "dryRun": True},
    ),
    "contacts of Xero": ("/finance/contacts/import", [test_xero.PEOPLE.encode()], as_csv(source="xero", dryRun=True)),
    "accounts of Xero": ("/finance/accounts/import", [test_xero.CHART.encode()], as_csv(source="xero", dryRun=True)),
    "open items of Xero": (
        "/finance/opening-balances",
        [test_xero.INVOICES.encode()],
        as_csv(source="xero", date="2025-12-31", dryRun=True),
    ),
    "opening balances": ("/finance/opening-balances", OPENING, as_csv(date="2025-12-31", dryRun=True)),
    "DATEV": ("/finance/datev/received", DATEV, sent(dryRun=True)),
    "exchange rates": (
        "/finance/exchange-rates/import",
        ECB,
        lambda content: {"file": text_of(content), "dateFrom": "1999-01-01", "dryRun": True},
    ),
    "time": ("/tasks/time-logs/import", TIME, as_csv(dryRun=True)),
    "attachments": ("/workspace/attachments", XML_AND_OTHERS, sent(name="a.xml")),
    "logos": ("/workspace/logo", IMAGES, sent()),
}


@pytest.mark.parametrize(("path", "samples", "body_of"), ENDPOINTS.values(), ids=ENDPOINTS)
def test_an_endpoint_answers_as_it_is_documented(olga, path, samples, body_of):
    def check(content: bytes) -> None:
        assert olga.call("POST", path, body_of(content)).status_code < 500

    try_out(samples, check)
