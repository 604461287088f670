"""Files as banks and computers really make them."""

import base64
import io
import zipfile

import pytest

from tests.finance.bank.january import camt, entry, lines, statement

APPLE = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        " + bytes(60)
"""What a Mac keeps beside each file: AppleDouble."""


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-31T18:00:00Z")


def zipped(**files: bytes) -> str:
    """A zip file in base64."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return base64.b64encode(archive.getvalue()).decode()


def report(text: str) -> str:
    """A statement as a report within a day: camt.052."""
    text = text.replace("camt.053", "camt.052").replace("BkToCstmrStmt", "BkToCstmrAcctRpt")
    return text.replace("<Stmt>", "<Rpt>").replace("</Stmt>", "</Rpt>")


def test_what_a_mac_adds_to_a_zip_file_is_left_out(acme):
    march = camt(entry("10.00", "Rent", ref="1"), closing="110.00").encode()
    file = zipped(**{"March/1.xml": march, "__MACOSX/March/1.xml": APPLE, "March/._1.xml": APPLE})
    assert statement(acme, file, "1010")["new"] == 1


@pytest.mark.parametrize("head", ["", '<?xml version="1.0" encoding="UTF-8"?>\n'])
def test_several_documents_in_one_file_are_all_read(acme, head):
    march = camt(entry("10.00", "Rent", ref="1"), closing="110.00")
    second = entry("5.00", "Rent", day="2026-04-02", ref="2")
    april = camt(second, opening="110.00", closing="115.00", first="2026-04-01").replace("2026-03-31", "2026-04-30")
    shown = statement(acme, f"{head}{march}\n{head}{april}\n", "1010")
    assert [(each["opening"], each["closing"]) for each in shown["statements"]] == [
        ("100.00", "110.00"),
        ("110.00", "115.00"),
    ]


def test_a_report_within_the_day_is_read_and_the_statement_knows_its_lines(acme):
    booked, later = entry("10.00", "Rent", ref="1"), entry("5.00", "Fee", ref="3")
    pending = entry("7.00", "Card", ref="2").replace("BOOK", "PDNG")
    shown = statement(acme, zipped(**{"C52.xml": report(camt(booked, pending, closing="110.00")).encode()}), "1010")
    assert (shown["new"], shown["warnings"]) == (1, [])
    shown = statement(acme, camt(booked, later, closing="115.00"), "1010")
    assert (shown["new"], shown["known"]) == (1, 1)
    assert [line["amount"] for line in lines(acme, "1010")] == ["10.00", "5.00"]
