"""Bookings that come back from the tax advisor: posted with their tax, once, or refused by row."""

import pytest

from tests.finance.books.balances import trial_balance
from tests.finance.books.dimensions import dimension
from tests.finance.closing.test_datev import JANUARY, set_up, text_of
from tests.finance.journals.journals import entry_count
from tests.finance.test_month import account_ids, month  # noqa: F401 - a fixture

PATH = "/finance/datev/received"
HEADER = (
    '"EXTF";700;21;"Buchungsstapel";13;20260331101500000;;"RE";"";"";29098;55003;20260101;4;20260101;20260331;'
    '"Abschluss";"";1;0;0;"EUR";;"";;;"04";;;"";""'
)
COLUMNS = 125


@pytest.fixture
def office(acme, month, clock_at):  # noqa: F811
    clock_at("2026-04-10T09:00:00Z")
    set_up(acme)
    return acme


def booking(amount, side, account, contra, key="", day="3101", number="AB-1", text="Abschluss", **others):
    cells = [""] * COLUMNS
    cells[:2] = amount, f'"{side}"'
    cells[2] = others.get("currency", '"EUR"')
    cells[6:11] = account, contra, f'"{key}"', day, f'"{number}"'
    cells[13] = f'"{text}"'
    cells[36] = f'"{others.get("project", "")}"'
    cells[117] = others.get("reversal", "")
    return ";".join(cells)


def file_of(*rows, header=HEADER):
    return "\r\n".join([header, ";".join(["x"] * COLUMNS), *rows, ""]).encode("cp1252")


def receive(office, *rows, header=HEADER, **params):
    headers = {"Content-Type": "text/csv"}
    params = {"name": "EXTF_Abschluss.csv", **params}
    return office.call("POST", PATH, raw=file_of(*rows, header=header), params=params, headers=headers)


def received(office, *rows, **params):
    answer = receive(office, *rows, **params)
    assert answer.status_code == 200, answer.text
    return answer.json["data"]


def complaints(office, *rows):
    answer = receive(office, *rows)
    assert answer.status_code == 422, answer.text
    return {(each["field"], each["code"]) for each in answer.json["error"]["details"]}


def moved(office, before, day="2026-03-31"):
    after = trial_balance(office, day)
    codes = {*before, *after}
    return {
        code: str(after.get(code, 0) - before.get(code, 0))
        for code in sorted(codes)
        if after.get(code, 0) != before.get(code, 0)
    }


def test_a_year_end_entry_is_posted_by_hand_and_does_not_go_back(office):
    before, count = trial_balance(office, "2026-03-31"), entry_count(office)
    shown = received(office, booking("41,67", "S", "6220", "650", day="3103", text="Abschreibung März"))
    assert (shown["bookings"], shown["total"], shown["dryRun"]) == (1, "41.67", False)
    stack = shown["stack"]
    assert (stack["receivedAs"], stack["entries"]) == ("EXTF_Abschluss.csv", 1)
    assert (stack["dateFrom"], stack["dateTo"]) == ("2026-03-31", "2026-03-31")
    assert entry_count(office) == count + 1
    assert moved(office, before) == {"0650": "-41.67", "6220": "41.67"}
    (made,) = office.ok("GET", "/finance/journals", params={"q": "Abschreibung März"})
    assert (made["kind"], made["reference"], made["date"]) == ("manual", "AB-1", "2026-03-31")
    office.refused("POST", "/finance/datev/stacks", {"dateFrom": "2026-03-31", "dateTo": "2026-03-31"}, status=409)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (booking("119,00", "S", "1800", "4400"), {"1800": "119.00", "3806": "-19.00", "4400": "-100.00"}),
        (booking("119,00", "S", "1800", "4400", "40"), {"1800": "119.00", "4400": "-119.00"}),
        (booking("119,00", "H", "1800", "6300", "9"), {"1406": "19.00", "1800": "-119.00", "6300": "100.00"}),
        (booking("119,00", "H", "1800", "6300", "09"), {"1406": "19.00", "1800": "-119.00", "6300": "100.00"}),
        (
            booking("119,00", "S", "1800", "4400", reversal='"G"'),
            {"1800": "-119.00", "3806": "19.00", "4400": "100.00"},
        ),
    ],
)
def test_tax_is_posted_apart_where_datev_finds_it_in_the_amount(office, row, expected):
    before = trial_balance(office, "2026-03-31")
    received(office, row)
    assert moved(office, before) == expected


def test_a_contact_has_the_account_of_the_stacks(office):
    office.ok("POST", "/finance/datev/stacks", JANUARY)
    file = text_of(office, "/finance/datev/contacts")
    account, name = next(line.replace('"', "").split(";")[:2] for line in file.split("\r\n")[2:] if line)
    received(office, booking("10,00", "S", "1800", account, text="Eingang"))
    (made,) = office.ok("GET", "/finance/journals", params={"q": "Eingang", "kind": "manual"})
    lines = office.ok("GET", f"/finance/journals/{made['id']}")["lines"]
    assert {(each["accountCode"], each["contactName"]) for each in lines} == {
        ("1800", None),
        ("1200" if account[0] == "1" else "3300", name),
    }


def test_a_dry_run_posts_nothing(office):
    before = entry_count(office)
    shown = received(office, booking("10,00", "S", "1800", "6300"), dryRun="true")
    assert (shown["dryRun"], shown["stack"], shown["bookings"]) == (True, None, 1)
    (entry,) = shown["entries"]
    assert (entry["debit"], entry["credit"], entry["amount"], entry["date"]) == ("1800", "6300", "10.00", "2026-01-31")
    (entry,) = received(office, booking("10,00", "H", "1800", "6300", text="Back"), dryRun="true")["entries"]
    assert (entry["debit"], entry["credit"], entry["amount"], entry["text"]) == ("6300", "1800", "10.00", "Back")
    assert entry_count(office) == before
    assert office.ok("GET", "/finance/datev/stacks") == []


def test_everything_that_is_wrong_is_said_by_row_and_nothing_is_posted(office):
    before = entry_count(office)
    found = complaints(
        office,
        booking("10,00", "S", "1800", "6300"),
        booking("ten", "S", "1800", "6300"),
        booking("10,00", "S", "1800", "6300", day="3113"),
        booking("10,00", "S", "4711", "10999"),
        booking("10,00", "S", "1800", "6300", "77"),
        booking("10,00", "S", "1800", "6300", currency='"USD"'),
        booking("10,00", "S", "1800", "6300", project="NOWHERE"),
        booking("10,00", "S", "4300", "4400"),
        "1,00;S",
    )
    assert found == {
        ("rows[4].Umsatz", "wrong_amount"),
        ("rows[5].Belegdatum", "wrong_day"),
        ("rows[6].Konto", "unknown_reference"),
        ("rows[6].Gegenkonto", "unknown_reference"),
        ("rows[7].BU-Schlüssel", "unknown_key"),
        ("rows[8].WKZ Umsatz", "wrong_currency"),
        ("rows[9].KOST1", "unknown_reference"),
        ("rows[10].Gegenkonto", "two_automatic_accounts"),
        ("rows[11]", "cut_off"),
    }
    assert entry_count(office) == before


def test_a_cost_centre_is_a_value_of_the_dimension_that_claims_it(office):
    dimension(office, "100", datev="kost1")
    received(office, booking("10,00", "S", "6300", "1800", project="100"))
    entry = office.ok("GET", "/finance/journals", params={"include": "lines"})[0]
    assert [(each["accountCode"], each["dimensions"], each["projectId"]) for each in entry["lines"]] == [
        ("6300", {"cc": "100"}, None),
        ("1800", {}, None),
    ]
    wrong = booking("10,00", "S", "6300", "1800", project="999", number="AB-2")
    assert complaints(office, wrong) == {("rows[3].KOST1", "unknown_reference")}


def test_a_locked_day_is_refused_by_row(office):
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "filed"})
    assert complaints(office, booking("10,00", "S", "1800", "6300")) == {("rows[3].Belegdatum", "period_locked")}


def test_the_same_file_is_not_posted_twice(office):
    twice = booking("10,00", "S", "1800", "6300")
    received(office, twice, twice)  # two equal bookings of one file are two
    before = entry_count(office)
    assert complaints(office, twice) == {("rows[3]", "already_posted")}
    assert entry_count(office) == before


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (HEADER.replace(";21;", ";16;"), "not_a_datev_file"),
        (HEADER.replace("EXTF", "HELLO"), "not_a_datev_file"),
        (HEADER.replace("55003", "55004"), "not_a_datev_file"),
        (HEADER.replace('"RE"', '"ER"'), "own_stack"),
    ],
)
def test_another_kind_of_file_another_client_and_ones_own_stack_are_refused(office, header, code):
    answer = receive(office, booking("10,00", "S", "1800", "6300"), header=header)
    assert (answer.status_code, answer.json["error"]["code"]) == (422, code)


def test_a_file_of_ones_own_is_refused(office):
    file = text_of(office, **JANUARY).encode("cp1252")
    answer = office.call("POST", PATH, raw=file, headers={"Content-Type": "text/csv"})
    assert answer.json["error"]["code"] == "own_stack"
