"""How long colleagues wait while the largest file is read that the program takes, or a larger one is refused."""

import base64
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from erp.kernel.intake.budget import ELEMENTS, INVOICE_XML
from erp.web.transport.uploads import XLSX
from tests import worst_files
from tests.bench.figures import Figures
from tests.bench.offices import Books, Desk
from tests.documented import PREFIX

READ_LIMIT, WRITE_LIMIT = 1000, 2000
"""How many milliseconds a colleague may wait to read and to write."""
PAUSE = 0.05
STATEMENT = "/finance/bank/statements/import?accountId=1010"
EINVOICE = "/finance/invoices/from-e-invoice"
"""This path takes files in JSON, and no others."""
FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "MT940 of 50,000 lines": (STATEMENT, lambda: worst_files.mt940(50_000)),
    "MT940 of 400,000 lines": (STATEMENT, lambda: worst_files.mt940(150_000)),
    "camt.053 of 200,000 elements": (STATEMENT, lambda: worst_files.camt(worst_files.LARGEST_CAMT)),
    "zip of 300 camt.053": (
        STATEMENT,
        lambda: worst_files.zipped(*(worst_files.camt(100, first=100 * n) for n in range(300))),
    ),
    "CSV of 50,000 lines": (f"{STATEMENT}&openingBalance=0", lambda: worst_files.csv(50_000)),
    "XML of 200,000 elements": (
        "/workspace/attachments?name=a.xml",
        lambda: worst_files.einvoice(ELEMENTS, INVOICE_XML),
    ),
    "e-invoice of 200,000 elements in a PDF": (
        EINVOICE,
        lambda: worst_files.pdf_with(worst_files.einvoice(ELEMENTS, INVOICE_XML)),
    ),
    "five packed XML in a PDF": (EINVOICE, lambda: worst_files.pdf_with(*[worst_files.einvoice(ELEMENTS)] * 5)),
    "XLSX of 10,000 rows": ("/finance/products/import?dryRun=true", lambda: worst_files.sheet(10_000, columns=30)),
    "XML of 24 MiB": ("/workspace/attachments?name=b.xml", lambda: b"<a><!--" + b"x" * (24 << 20) + b"--></a>"),
}


class Colleague(threading.Thread):
    """Sends the same request again and again; the longest wait for an answer, and the statuses of refusals."""

    def __init__(self, books: Books, verb: str, body: dict[str, str] | None) -> None:
        super().__init__()
        self._request = lambda: books.desk.call(verb, "/projects", body, books.id)
        self._has_ended = threading.Event()
        self.longest, self.refused = 0.0, list[int]()

    def run(self) -> None:
        while not self._has_ended.wait(PAUSE):
            start = time.perf_counter()
            try:
                self._request()
            except urllib.error.HTTPError as refusal:
                self.refused.append(refusal.code)
            self.longest = max(self.longest, 1000 * (time.perf_counter() - start))

    def end(self) -> None:
        self._has_ended.set()
        self.join()


@contextmanager
def colleagues(books: Books) -> Iterator[tuple[Colleague, Colleague]]:
    """One who reads and one who writes during the block."""
    both = Colleague(books, "GET", None), Colleague(books, "POST", {"name": "Website"})
    for colleague in both:
        colleague.start()
    try:
        yield both
    finally:
        for colleague in both:
            colleague.end()


def sent(books: Books, path: str, content: bytes) -> int:
    """The status of the answer to a file that is the body of its request."""
    kind = "application/octet-stream"
    if path == EINVOICE:
        kind, content = "application/json", json.dumps({"file": base64.b64encode(content).decode()}).encode()
    elif "products" in path:
        kind = XLSX
    headers = {**books.desk._headers(books.id), "Content-Type": kind}
    request = urllib.request.Request(books.desk.server.url + PREFIX + path, content, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        json.load(refusal)
        return refusal.code


@pytest.mark.bench("worst files")
@pytest.mark.parametrize("name", FILES)
def test_colleagues_work_while_the_largest_files_are_read(figures: Figures, desk: Desk, name: str):
    path, make = FILES[name]
    books, content = desk.workspace(name), make()
    mapping = {"columns": {"date": "Day", "amount": "Sum", "text": ["Text"]}}
    desk.call("POST", "/finance/bank/accounts/1010/format", {"csvMapping": mapping}, books.id)
    before = desk.server.peak_memory()
    start = time.perf_counter()
    with colleagues(books) as (reader, writer):
        status = sent(books, path, content)
        taken = time.perf_counter() - start
    told = f"{name} ({len(content) >> 10:,} KiB, answered {status} after {taken:.1f} s)"
    figures.within("worst files", reader.longest, READ_LIMIT, f"the slowest read during {told}")
    figures.within("worst files", writer.longest, WRITE_LIMIT, f"the slowest write during {told}")
    figures.tell("worst files", f"MiB more at the peak than before {name}", desk.server.peak_memory() - before)
    assert reader.refused == writer.refused == []
