"""The columns of a bank's CSV are proposed, and a file with other columns than the account's asks for them."""

import pytest

from tests.finance.bank.january import COLUMNS, CSV, MAPPING, lines, refused, statement, text

PATH = "/finance/bank/statements/columns"
SPARKASSE = (
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Kundenreferenz (End-to-End)";'
    '"Lastschrift Ursprungsbetrag";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung";"Info"\n'
    '"DE89";"30.01.26";"31.01.26";"LASTSCHRIFT";"Strom Januar";"E-77";"";"Stadtwerke";"DE02";"-1.080,50";"EUR";""\n'
)
LLOYDS = (
    "Transaction Date,Transaction Type,Sort Code,Transaction Description,Debit Amount,Credit Amount,Balance\n"
    "13/02/2026,DD,'30-00-00,POWER CO,80.10,,919.90\n"
    '02/03/2026,FPI,\'30-00-00,ACME LTD,,"1,200.00",2119.90\n'
)
AMERICAN = "Date,Description,Amount,Running Bal.\n01/02/2026,Rent,-800.00,200.00\n01/25/2026,Acme,50.00,250.00\n"
NOTHING: dict[str, object] = {
    "date": None,
    "amount": None,
    "debit": None,
    "credit": None,
    "valueDate": None,
    "text": [],
    "party": None,
    "payer": None,
    "payee": None,
    "iban": None,
    "reference": None,
    "endToEnd": None,
    "balance": None,
    "currency": None,
}


def propose(office, file, **fields):
    return office.ok("POST", PATH, {"file": file, **fields})


def test_a_file_with_rows_before_its_headings(acme):
    found = propose(acme, text(CSV))
    assert found["columns"] == {**NOTHING, **COLUMNS, "reference": None}  # "Referenz" alone may be anybody's
    assert {name: found[name] for name in ("delimiter", "decimalSign", "dateFormat", "skipRows")} == {
        "delimiter": ";",
        "decimalSign": ",",
        "dateFormat": "DD.MM.YYYY",
        "skipRows": 1,
    }
    assert found["headings"][0] == "Buchungstag"
    assert found["rows"][0][5] == "-9,90"
    assert lines(acme, "1010") == []


def test_a_german_savings_bank(acme):
    found = propose(acme, SPARKASSE)
    assert found["columns"] == {
        **NOTHING,
        "date": "Buchungstag",
        "valueDate": "Valutadatum",
        "amount": "Betrag",
        "text": ["Verwendungszweck", "Buchungstext"],
        "party": "Beguenstigter/Zahlungspflichtiger",
        "iban": "Kontonummer/IBAN",
        "endToEnd": "Kundenreferenz (End-to-End)",
        "currency": "Waehrung",
    }
    assert (found["dateFormat"], found["decimalSign"], found["skipRows"]) == ("DD.MM.YY", ",", 0)


def test_two_columns_of_amounts_and_a_comma(acme):
    found = propose(acme, LLOYDS)
    assert found["columns"] == {
        **NOTHING,
        "date": "Transaction Date",
        "debit": "Debit Amount",
        "credit": "Credit Amount",
        "text": ["Transaction Description"],
        "balance": "Balance",
    }
    assert (found["delimiter"], found["decimalSign"], found["dateFormat"]) == (",", ".", "DD/MM/YYYY")


def test_a_month_that_stands_first_is_seen_where_a_day_could_not_be_one(acme):
    assert propose(acme, AMERICAN)["dateFormat"] == "MM/DD/YYYY"


PAYPAL = (
    '"Datum","Uhrzeit","Zeitzone","Beschreibung","Währung","Brutto","Entgelt","Netto","Guthaben","Transaktionscode",'
    '"Name","Umsatzsteuer","Rechnungsnummer"\r\n"01.03.2026","10:00:00","Europe/Berlin","Allgemeine Zahlung","EUR",'
    '"100,00","-3,00","97,00","97,00","8CR764191H648135P","Alster AG","0,00","R-1"\r\n'
)
DKB = (
    "Buchungsdatum;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;IBAN;Betrag (€);Gläubiger-ID\n"
    "02.03.26;Acme GmbH;Elbe GmbH;Miete;DE02120300000000202051;-1.850,00 €;\n"
)


def test_paypal_gives_the_net_amount_and_neither_a_tax_nor_a_fee(acme):
    assert propose(acme, PAYPAL)["columns"] == {
        **NOTHING,
        "date": "Datum",
        "amount": "Netto",
        "balance": "Guthaben",
        "text": ["Beschreibung"],
        "party": "Name",
        "reference": "Transaktionscode",
        "currency": "Währung",
    }


def test_payer_and_payee_in_two_columns(acme):
    found = propose(acme, DKB)
    assert found["columns"] == {
        **NOTHING,
        "date": "Buchungsdatum",
        "amount": "Betrag (€)",
        "text": ["Verwendungszweck"],
        "payer": "Zahlungspflichtige*r",
        "payee": "Zahlungsempfänger*in",
        "iban": "IBAN",
    }


@pytest.mark.parametrize(
    ("country", "days", "form", "is_guess"),
    [
        ("US", "03/02/2026 03/05/2026", "MM/DD/YYYY", True),
        ("US", "3-2-2026 3-5-2026", "MM-DD-YYYY", True),
        ("US", "13/02/2026 03/05/2026", "DD/MM/YYYY", False),
        ("GB", "03/02/2026 03/05/2026", "DD/MM/YYYY", True),
        ("GB", "03/22/2026 03/05/2026", "MM/DD/YYYY", False),
        ("US", "02.03.2026 05.03.2026", "DD.MM.YYYY", False),
    ],
)
def test_days_that_could_be_read_in_both_ways_are_a_guess_by_country(acme, country, days, form, is_guess):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"country": country})
    one, two = days.split()
    found = propose(acme, f"Transaction Date,Description,Amount\n{one},Coffee,($4.50)\n{two},Client,$100.00\n")
    assert (found["dateFormat"], found["isGuess"], found["decimalSign"]) == (form, is_guess, ".")


def test_what_somebody_says_goes_before_the_guess(acme):
    found = propose(acme, "a;b;c\n" + SPARKASSE, skipRows=1, delimiter=";")
    assert (found["skipRows"], found["columns"]["date"]) == (1, "Buchungstag")


@pytest.mark.parametrize("file", ["Dear customer, all is well.\n", "x\n1\n"])
def test_what_is_no_table_is_refused(acme, file):
    acme.refused("POST", PATH, {"file": file}, status=422, code="not_a_statement")


def test_a_proposal_as_it_is_reads_the_file(acme):
    for file, first in ((SPARKASSE, "-1080.50"), (LLOYDS, "-80.10"), (AMERICAN, "-800.00")):
        code = f"1{len(acme.ok('GET', '/finance/accounts')):03}"
        acme.ok("POST", "/finance/accounts", {"code": code, "name": code, "type": "asset", "subtype": "bank"})
        assert refused(acme, file, code)["code"] == "mapping_needed"
        found = propose(acme, file)
        mapping = {name: found[name] for name in ("columns", "delimiter", "decimalSign", "dateFormat", "skipRows")}
        acme.ok("POST", f"/finance/bank/accounts/{code}/format", {"csvMapping": mapping})
        statement(acme, file, code, openingBalance="1000")
        assert lines(acme, code)[0]["amount"] == first


def test_a_file_with_other_columns_asks_for_them(acme):
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": MAPPING})
    error = refused(acme, "x\n" + SPARKASSE.replace("Betrag", "Summe"), "1010")
    assert (error["code"], "Betrag" in error["message"]) == ("mapping_needed", True)


def test_files_without_balances_that_overlap_go_on_from_each_other(acme):
    mapping = {"columns": {"date": "Tag", "amount": "Betrag"}}
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": mapping})
    head = "Tag;Betrag\n"
    rows = [f"{day:02}.03.2026;{day},00\n" for day in range(1, 8)]
    error = refused(acme, head + "".join(rows[1:4]), "1010")
    assert [each["field"] for each in error["details"]] == ["openingBalance"]
    statement(acme, head + "".join(rows[1:4]), "1010", openingBalance="100")  # 2 + 3 + 4
    for part, opening, closing in ((rows[1:5], "100.00", "114.00"), (rows[3:7], "105.00", "127.00")):
        (shown,) = statement(acme, head + "".join(part), "1010")["statements"]
        assert (shown["opening"], shown["closing"]) == (opening, closing)
    assert acme.ok("GET", "/finance/bank/accounts/1010")["statementBalance"] == "127.00"
    assert refused(acme, head + "".join(rows[:3]), "1010")["code"] == "validation_failed"  # the 1st is before all
