"""Files that people send are read before any lock is taken, a few at a time, and no longer than the server runs."""

import base64
import io
import json
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import xlsxwriter

from erp.app import areas
from erp.finance.output.bodies import ReceivedEInvoice
from erp.kernel.intake import budget
from erp.kernel.slots import Slots
from erp.store.router import WORKSPACE
from erp.web import endpoint
from erp.web.endpoint import contract_of
from tests.desk.files import attach
from tests.finance.bank.january import CSV, MAPPING, MT940, camt, entry, text
from tests.finance.closing.test_datev import set_up
from tests.servers import ask, running, wait_for
from tests.worst_files import pdf_with

STATEMENTS = "/finance/bank/statements/import"
CAMT = camt(entry("5.00", "Rent", ref="1"), closing="105.00")
EINVOICE = ReceivedEInvoice.EXAMPLE["file"]
DATEV = '"EXTF";700;21;"Buchungsstapel";13;20260131;;"RE";"";"";29098;55003;20260101;4;20260101;20260131;\n' + "a;" * 14
RATES = "<C><Cube time='2026-01-22'><Cube currency='USD' rate='1.1'/></Cube></C>"


def packed(name: str, content: str) -> str:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return base64.b64encode(archive.getvalue()).decode()


def workbook(*rows: list[str]) -> str:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, row)
    return base64.b64encode(file.getvalue()).decode()


class Gate(list[None]):
    """Stands where readers ask whether to go on: it notes whether a file of the books is open, and can hold them."""

    def __init__(self) -> None:
        self.are_closed: list[bool] = []
        self.is_reached, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()

    def __bool__(self) -> bool:
        self.are_closed.append(WORKSPACE.is_closed())
        self.is_reached.set()
        self.may_go_on.wait(20)
        return len(self) > 0


@pytest.fixture
def gate(monkeypatch):
    made = Gate()
    monkeypatch.setattr(budget, "_stops", made)
    yield made
    made.may_go_on.set()


def takes_file(body):
    return body is not None and (body.UPLOAD or body.FILES or "file" in body.__struct_fields__)


def test_every_endpoint_that_takes_a_file_reads_it_before_its_transaction():
    contracts = {
        f"{path} {verb}": contract
        for routes in areas()
        for path, resource in routes.items()
        for verb in ("POST", "PUT", "PATCH")
        if (contract := contract_of(resource, verb)) is not None and takes_file(contract.body)
    }
    assert len(contracts) >= 15
    assert [name for name, contract in contracts.items() if contract.prepare is None] == []


FILES = {
    "camt.053": (STATEMENTS, {"accountId": "1010", "file": CAMT}),
    "zipped camt.053": (STATEMENTS, {"accountId": "1010", "file": packed("a.xml", CAMT)}),
    "MT940": (STATEMENTS, {"accountId": "1010", "file": text(MT940)}),
    "the head of a CSV": ("/finance/bank/statements/columns", {"file": text(CSV)}),
    "contacts as CSV": ("/finance/contacts/import", {"csv": "name,kind\nGlobex,customer\n"}),
    "contacts as XLSX": ("/finance/contacts/import", {"xlsx": workbook(["name", "kind"], ["Globex", "customer"])}),
    "time": ("/tasks/time-logs/import", {"csv": "task,date,hours\nX-1,2026-01-05,1\n"}),
    "opening balances": ("/finance/opening-balances", {"date": "2025-12-31", "csv": "account,debit,credit\n1010,1,\n"}),
    "exchange rates": ("/finance/exchange-rates/import", {"file": RATES, "dateFrom": "2026-01-01"}),
    "zipped exchange rates": (
        "/finance/exchange-rates/import",
        {"file": packed("a.csv", "Date,USD\n2026-01-22,1.1\n"), "dateFrom": "2026-01-01"},
    ),
    "an e-invoice": ("/finance/invoices/from-e-invoice", {"file": EINVOICE}),
    "an e-invoice in a PDF": (
        "/finance/invoices/from-e-invoice",
        {"file": base64.b64encode(pdf_with(EINVOICE.encode())).decode()},
    ),
    "an attachment": ("/workspace/attachments", {"file": base64.b64encode(b"<order/>").decode(), "name": "a.xml"}),
}


@pytest.mark.parametrize(("path", "body"), FILES.values(), ids=FILES)
def test_no_file_of_the_books_is_open_while_one_is_read(acme, gate, path, body):
    answer = acme.call("POST", path, body)
    assert answer.status_code in (200, 201, 422)
    assert gate.are_closed
    assert all(gate.are_closed)


def test_bookings_and_statements_are_read_with_the_settings_of_the_books_but_after_them(acme, gate):
    set_up(acme)
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": MAPPING})
    gate.are_closed.clear()
    acme.call("POST", "/finance/datev/received", {"file": base64.b64encode(DATEV.encode()).decode()})
    acme.ok("POST", STATEMENTS, {"accountId": "1010", "file": text(CSV), "dryRun": True})
    assert len(gate.are_closed) > 3
    assert all(gate.are_closed)


def test_a_file_of_the_inbox_is_read_outside_of_the_books(acme, gate):
    file = attach(acme, pdf_with(EINVOICE.encode()), "e.pdf")
    gate.are_closed.clear()
    acme.call("POST", f"/workspace/attachments/{file['id']}/bill", {})
    assert gate.are_closed
    assert all(gate.are_closed)


@contextmanager
def a_file_held_at(gate, acme):
    """A running server, and the future answer to a file that it has begun to read."""
    token = b"Authorization: Bearer " + acme.token.encode()

    def send(server, verb, path, body=None):
        raw = json.dumps(body).encode() if body else b""
        host = b"Host: " + server.url.removeprefix("http://").encode()
        head = (f"{verb} /api/v1{path} HTTP/1.1".encode(), host, token, b"Connection: close")
        return b"\r\n".join([*head, b"Content-Type: application/json", b"Content-Length: %d" % len(raw), b"", raw])

    gate.may_go_on.clear()
    with (
        running(acme.installation.config, acme.installation.app) as server,
        ThreadPoolExecutor() as colleagues,
    ):
        try:
            held = colleagues.submit(
                ask, server, send(server, "POST", STATEMENTS, {"accountId": "1010", "file": text(MT940)})
            )
            assert gate.is_reached.wait(5)
            yield server, held, lambda *request: ask(server, send(server, *request))
        finally:
            gate.may_go_on.set()


def test_a_colleague_writes_while_a_file_is_read(acme, gate):
    with a_file_held_at(gate, acme) as (_, held, ask_for):
        assert ask_for("POST", "/projects", {"name": "Website"})[0] == 201
        assert ask_for("GET", "/projects")[0] == 200
        assert not held.done()
        gate.may_go_on.set()
        assert held.result(20)[0] in (200, 422)


def test_only_a_few_files_are_read_at_a_time(acme, gate, monkeypatch):
    monkeypatch.setattr(endpoint, "_READING", Slots(1, queue=0, refusal=endpoint._READING._refusal))
    with a_file_held_at(gate, acme) as (_, _, ask_for):
        status, headers, body = ask_for("POST", STATEMENTS, {"accountId": "1010", "file": text(MT940)})
        assert (status, headers["Retry-After"]) == (503, "1")
        assert json.loads(body)["error"]["message"].startswith("Several files are being read")
        assert ask_for("POST", "/projects", {"name": "Website"})[0] == 201


def test_a_stop_of_the_server_ends_the_reading(acme, gate):
    with a_file_held_at(gate, acme) as (server, held, _):
        server.stop()
        wait_for(lambda: len(gate))
        gate.may_go_on.set()
        status, _, body = held.result(20)
    assert status == 503
    assert "The server is stopping" in json.loads(body)["error"]["message"]
    assert acme.ok("GET", "/finance/bank/statements") == []


def test_a_repeated_request_is_answered_without_reading_the_file_again(acme, gate):
    headers = {"Idempotency-Key": "once"}
    body = {"accountId": "1010", "file": CAMT}
    first = acme.call("POST", STATEMENTS, body, headers=headers)
    gate.are_closed.clear()
    again = acme.call("POST", STATEMENTS, body, headers=headers)
    assert (again.text, again.headers["Idempotent-Replayed"]) == (first.text, "true")
    assert gate.are_closed == []
