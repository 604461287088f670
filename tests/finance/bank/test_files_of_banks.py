"""Files as banks and computers really make them."""

import base64
import io
import zipfile

import pytest

from tests.finance.bank.january import camt, entry, lines, refused, state, statement
from tests.refusals import complaints

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


OURS, OTHER = "DE89370400440532013000", "DE02120300000000202051"
IMPORT = "/finance/bank/statements/import"


def of_both() -> str:
    """A zip file of the same line of two accounts."""
    ours = camt(entry("10.00", "Rent", ref="1"), closing="110.00", iban=OURS)
    other = camt(entry("10.00", "Rent", ref="1"), opening="500.00", closing="510.00", iban=OTHER)
    return zipped(**{"1.xml": ours.encode(), "2.xml": other.encode()})


def open_savings(office):
    account = {"code": "1015", "name": "Savings", "type": "asset", "subtype": "bank"}
    office.ok("POST", "/finance/accounts", account)
    office.ok("POST", "/finance/bank/accounts/1015/format", {"iban": OTHER})


def test_each_of_two_accounts_in_a_file_gets_its_own_lines(acme):
    open_savings(acme)
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"iban": OURS})
    for new, known in ((2, 0), (0, 2)):
        shown = acme.ok("POST", IMPORT, {"file": of_both()})
        assert [each["accountCode"] for each in shown["statements"]] == ["1010", "1015"]
        assert (shown["new"], shown["known"], shown["warnings"]) == (new, known, [])
    assert [state(acme, code)["statementBalance"] for code in ("1010", "1015")] == ["110.00", "510.00"]
    alone = camt(entry("10.00", "Rent", ref="1"), opening="500.00", closing="510.00", iban=OTHER)
    assert acme.ok("POST", IMPORT, {"file": alone})["known"] == 1


@pytest.mark.parametrize("given", [{}, {"accountId": "1010"}])
def test_of_several_accounts_none_is_kept_where_one_is_unknown(acme, given):
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"iban": OURS})
    error = acme.refused("POST", IMPORT, {"file": of_both(), **given}, status=422, code="several_accounts")
    assert OTHER in error["message"]
    assert OURS not in error["message"]
    assert lines(acme, "1010") == []


def test_a_file_that_does_not_tell_its_account_asks_for_it(acme):
    for file in (camt(iban=OTHER), "Day;Sum\n05.03.2026;1,00\n"):
        error = acme.refused("POST", IMPORT, {"file": file}, status=422)
        assert complaints(error) == {"accountId": "required"}


def read_table(office, columns, file, *, sign=".", form="DD.MM.YYYY", delimiter=";", **fields):
    """What an import of a table comes to, and its lines."""
    mapping = {"columns": columns, "decimalSign": sign, "dateFormat": form, "delimiter": delimiter}
    office.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": mapping})
    shown = statement(office, file, "1010", **{"openingBalance": "0", **fields})
    return shown, lines(office, "1010")


@pytest.mark.parametrize(
    ("written", "sign", "amount"),
    [
        ("$1,400.00", ".", "1400.00"),
        ("($30.00)", ".", "-30.00"),
        ("(1'030.00)", ".", "-1030.00"),
        ("-$5.00", ".", "-5.00"),
        ("1.400,00-", ",", "-1400.00"),
        ("1\u00a0400,00 €", ",", "1400.00"),
        ("\u22121\u202f400,00", ",", "-1400.00"),
    ],
)
def test_amounts_as_banks_write_them(acme, written, sign, amount):
    table = f"Day;Sum\n05.03.2026;{written}\n"
    _, (line,) = read_table(acme, {"date": "Day", "amount": "Sum"}, table, sign=sign)
    assert line["amount"] == amount


FOOTER = "Kontostand;05.03.2026;;;{};EUR\n"
DEUTSCHE = (
    "Buchungstag;Wert;Umsatzart;Begünstigter;Verwendungszweck;Betrag;Währung\n"
    "02.03.2026;02.03.2026;SEPA;Elbe;Miete;-850,00;EUR\n"
)
OF_DEUTSCHE = {"date": "Buchungstag", "amount": "Betrag", "text": ["Verwendungszweck"]}


def test_a_row_below_the_lines_has_the_closing_balance(acme):
    table = DEUTSCHE + FOOTER.format("150,00")
    shown, (line,) = read_table(acme, OF_DEUTSCHE, table, sign=",", openingBalance="1000")
    assert (line["amount"], shown["statements"][0]["closing"], shown["skipped"]) == ("-850.00", "150.00", [])
    error = refused(acme, DEUTSCHE + FOOTER.format("151,00"), "1010", openingBalance="1000")
    assert error["code"] == "balances_differ"


def test_rows_that_are_no_transactions_are_left_out_and_counted(acme):
    table = (
        "Day;Sum;Currency;State;Text\n05.03.2026;5,00;EUR;Completed;Vorgemerkt\n06.03.2026;7,00;USD;Completed;a\n"
        "07.03.2026;0,00;EUR;Completed;b\n08.03.2026;9,00;EUR;Pending;c\n08.03.2026;9,00;EUR;vorgemerkt;d\n"
        ";9,00;EUR;Completed;e\nTotal;30,00\n"
    )
    columns = {"date": "Day", "amount": "Sum", "currency": "Currency", "text": ["Text"]}
    shown, (line,) = read_table(acme, columns, table, sign=",")
    assert line["amount"] == "5.00"
    counted = {each["reason"]: each["count"] for each in shown["skipped"]}
    assert counted == {"other_currency": 1, "zero": 1, "pending": 2, "no_day": 2}


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("05.03.2026;5,00;USD\n", "wrong_currency"),
        ("05.03.2026;5,00;EUR\n06.03.20", "not_a_statement"),
        ("Rent;5,00;EUR\n", "not_a_statement"),
    ],
)
def test_a_table_of_which_nothing_is_left_or_that_is_cut_off_is_refused(acme, rows, code):
    columns = {"date": "Day", "amount": "Sum", "currency": "Currency"}
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": {"columns": columns}})
    error = refused(acme, "Day;Sum;Currency\n" + rows, "1010", openingBalance="0")
    assert error["details"][0]["code"] == code


def test_of_two_columns_the_other_side_is_taken(acme):
    table = "Day;Sum;From;To\n05.03.2026;5,00;Alster AG;Acme\n06.03.2026;-7,00;Acme;Elbe GmbH\n"
    columns = {"date": "Day", "amount": "Sum", "payer": "From", "payee": "To"}
    _, found = read_table(acme, columns, table, sign=",")
    assert [line["party"] for line in found] == ["Alster AG", "Elbe GmbH"]
