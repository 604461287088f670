"""The largest files that the program still reads, and larger ones that are small when packed."""

import io
import zipfile
import zlib

import xlsxwriter

from erp.finance.output.einvoice.ubl import OASIS
from erp.kernel.intake.budget import ELEMENTS

ENTRY = (
    "<Ntry><Amt>1</Amt><CdtDbtInd>CRDT</CdtDbtInd><ValDt><Dt>2026-01-05</Dt></ValDt>"
    "<AddtlNtryInf>{n}</AddtlNtryInf></Ntry>"
)
OF_ENTRY = 6
"""The elements of an entry."""


def mt940(lines: int) -> bytes:
    """A statement of lines as a bank writes them."""
    info = "?00GUTSCHRIFT?20EREF+R-{n}?21SVWZ+Invoice R-{n} of January?31DE89370400440532013000?32Meyer KG"
    line = ":61:2601050105CR1,00NTRFR{n}//B{n}\n:86:" + info + "\n"
    body = "".join(line.format(n=n) for n in range(lines))
    return f":20:S\n:25:1/2\n:28C:1\n:60F:C260101EUR0,00\n{body}:62F:C260131EUR{lines},00\n-\n".encode()


def camt(entries: int, first: int = 0) -> bytes:
    """A statement of entries that are as short as they can be."""
    balances = "".join(
        f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>{amount}</Amt>"
        "<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-05</Dt></Dt></Bal>"
        for code, amount in (("OPBD", first), ("CLBD", first + entries))
    )
    body = "".join(ENTRY.format(n=n) for n in range(first, first + entries))
    start = "<Document xmlns='urn:iso:std:iso:20022:tech:xsd:camt.053.001.02'><BkToCstmrStmt><Stmt>"
    return f"{start}<Id>{first}</Id>{balances}{body}</Stmt></BkToCstmrStmt></Document>".encode()


LARGEST_CAMT = (ELEMENTS - 100) // OF_ENTRY
"""The most such entries of a file."""


def zipped(*files: bytes) -> bytes:
    """A zip file of XML files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for n, content in enumerate(files):
            packed.writestr(f"{n:03}.xml", content)
    return archive.getvalue()


def csv(lines: int) -> bytes:
    """A bank's table with wide rows."""
    row = "05.01.2026;1,00;{n} " + "Invoice of January " * 20 + "\n"
    return ("Day;Sum;Text\n" + "".join(row.format(n=n) for n in range(lines))).encode()


def einvoice(elements: int, size: int = 0) -> bytes:
    """An e-invoice of 500 lines, with elements that are not looked at, and text up to a size."""
    head = f"<Invoice xmlns='{OASIS}Invoice-2' xmlns:cac='{OASIS}CommonAggregateComponents-2'"
    head += f" xmlns:cbc='{OASIS}CommonBasicComponents-2'><cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-05</cbc:IssueDate>"
    head += "<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>"
    body = "<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>" * 500 + "<cbc:X/>" * (elements - 1_005)
    rest = max(0, size - len(head) - len(body) - 64)
    return f"{head}<cbc:Note>{'A' * rest}</cbc:Note>{body}</Invoice>".encode()


def pdf_with(*files: bytes) -> bytes:
    """A PDF with files packed in it."""
    head = b"1 0 obj\n<</Type/EmbeddedFile/Filter/FlateDecode>>\nstream\n"
    streams = [head + zlib.compress(file, 9) + b"\nendstream\nendobj\n" for file in files]
    return b"%PDF-1.7\n" + b"".join(streams) + b"%%EOF"


def sheet(rows: int, columns: int = 50) -> bytes:
    """A workbook of products, with blanks in all other columns."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"constant_memory": True}) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, ["name", "description", "unit", "unitPrice"])
        for row in range(1, rows + 1):
            page.write_row(row, 0, [f"Thing {row}", " ", " ", "1.50", *[" "] * (columns - 4)])
    return file.getvalue()
