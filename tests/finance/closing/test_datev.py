"""Journal entries for DATEV: each once, and a file that gives the trial balance of its days when it is read in."""

import csv
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from io import StringIO

import pytest

from erp.store import router
from erp.system.checks import files as checking
from tests.finance.books.balances import trial_balance
from tests.finance.books.dimensions import debit, dimension
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, invoice, line
from tests.finance.journals.journals import entry
from tests.finance.test_month import account_ids, month  # noqa: F401 - a fixture

JANUARY = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
TAKEN_OVER = {"dateFrom": "2025-12-31", "dateTo": "2025-12-31"}
SPLIT = {"4400": (19, "3806"), "4736": (19, "3806"), "4300": (7, "3801"), "4731": (7, "3801")}
"""The automatic accounts of SKR 04 that the month uses, as DATEV has them."""


def set_up(office, chart="skr04"):
    settings = {"datevAdvisor": 29098, "datevClient": 55003, "datevChart": chart}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", settings)


def text_of(office, path="/finance/datev/bookings", **params):
    answer = office.call("GET", path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.content.decode("cp1252")


def rows_of(text):
    """The bookings of a file by the names of their columns."""
    lines = [*csv.reader(StringIO(text, newline=""), delimiter=";")]
    return [dict(zip(lines[1], cells, strict=True)) for cells in lines[2:]]


def read_in(rows):
    """What the accounts move by when DATEV reads bookings: it splits gross amounts, and collects contacts' accounts."""
    moved: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows:
        amount = Decimal(row["Umsatz (ohne Soll/Haben-Kz)"].replace(",", "."))
        assert amount > 0
        amount = amount if row["Soll/Haben-Kennzeichen"] == "S" else -amount
        for account, part in ((row["Konto"], amount), (row["Gegenkonto (ohne BU-Schlüssel)"], -amount)):
            if account in SPLIT and not row["BU-Schlüssel"]:
                percent, tax_account = SPLIT[account]
                tax = (part * percent / (100 + percent)).quantize(Decimal("0.01"), ROUND_HALF_UP)
                moved[tax_account] += tax
                part -= tax
            collective = {"1": "1200", "7": "3300"}[account[0]] if len(account) == 5 else account
            moved[collective] += part
    return {account: amount for account, amount in moved.items() if amount}


def test_the_first_invoice_is_booked_gross_on_automatic_accounts(acme, month):  # noqa: F811
    set_up(acme)
    text = text_of(acme, **JANUARY)
    r1 = [line for line in text.split("\r\n") if '"R-2026-0001"' in line]
    assert [",".join(line.split(";")[:2]) for line in r1[:2]] == ['1190,00,"S"', '214,00,"S"']
    assert [";".join(line.split(";")[6:12]) for line in r1[:2]] == [
        '10001;4400;"";0501;"R-2026-0001";"190126"',
        '10001;4300;"";0501;"R-2026-0001";"190126"',
    ]


def test_the_header_names_the_advisor_the_client_and_the_days(acme, month):  # noqa: F811
    set_up(acme)
    first, columns, *rows = text_of(acme, **JANUARY).split("\r\n")
    made_at = first.split(";")[5]
    assert first == (
        f'"EXTF";700;21;"Buchungsstapel";13;{made_at};;"ER";"";"";29098;55003;20260101;4;20260101;20260131;'
        '"Journal";"";1;0;0;"EUR";;"";;;"04";;;"";""'
    )
    assert (len(made_at), made_at[:8]) == (17, "20260131")
    assert columns.startswith("Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;")
    assert {row.count(";") for row in [columns, *rows] if row} == {124}
    assert rows[-1] == ""


def test_locked_days_are_final(acme, month):  # noqa: F811
    set_up(acme)
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "filed"})
    text = text_of(acme, **JANUARY)
    assert text.split("\r\n")[0].split(";")[20] == "1"
    assert {row["Festschreibung"] for row in rows_of(text)} == {"1"}


def test_reading_the_month_in_gives_its_trial_balance(acme, month):  # noqa: F811
    set_up(acme)
    rows = rows_of(text_of(acme, **TAKEN_OVER)) + rows_of(text_of(acme, **JANUARY))
    assert read_in(rows) == {code: amount for code, amount in trial_balance(acme, "2026-01-31").items() if amount}
    assert read_in(rows)["1800"] == Decimal("6391.02")
    assert read_in(rows)["3806"] == Decimal("-376.20")


def test_contacts_have_accounts_of_their_own_that_hold_what_is_open(acme, month):  # noqa: F811
    set_up(acme)
    open_by_account: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows_of(text_of(acme, **JANUARY)) + rows_of(text_of(acme, **TAKEN_OVER)):
        amount = Decimal(row["Umsatz (ohne Soll/Haben-Kz)"].replace(",", "."))
        open_by_account[row["Konto"]] += amount if row["Soll/Haben-Kennzeichen"] == "S" else -amount
    customers = [amount for account, amount in open_by_account.items() if account.startswith("10")]
    suppliers = [amount for account, amount in open_by_account.items() if len(account) == 5 and account[0] == "7"]
    assert sorted(map(str, customers)) == ["0.00", "0.00", "2700.00", "920.00"]
    assert sorted(map(str, suppliers)) == ["-172.50", "-240.00", "0.00", "0.00"]


def test_what_owes_tax_both_ways_is_booked_net_with_key_40(acme, month):  # noqa: F811
    set_up(acme)
    rows = [row for row in rows_of(text_of(acme, **JANUARY)) if row["Belegdatum"] == "1201"]
    shown = {
        (row["Gegenkonto (ohne BU-Schlüssel)"], row["Umsatz (ohne Soll/Haben-Kz)"], row["BU-Schlüssel"]) for row in rows
    }
    assert ("5923", "240,00", "40") in shown


def test_every_entry_is_in_one_stack_and_what_comes_later_is_listed(acme, month):  # noqa: F811
    set_up(acme)
    stack = acme.ok("POST", "/finance/datev/stacks", JANUARY)
    total = len(acme.ok("GET", "/finance/journals", params={**JANUARY, "limit": "200"}))
    assert (stack["entries"], stack["dateFrom"], stack["dateTo"]) == (total, "2026-01-01", "2026-01-31")
    acme.refused("POST", "/finance/datev/stacks", JANUARY, status=409, code="nothing_new")
    assert acme.ok("GET", "/finance/datev/changes") == []
    before = text_of(acme, f"/finance/datev/stacks/{stack['id']}/file")
    entry(acme, "12.00", day="2026-01-30", debit="6855", credit="1800")
    entry(acme, "13.00", day="2026-02-01", debit="6855", credit="1800")
    assert [(change["date"], change["total"]) for change in acme.ok("GET", "/finance/datev/changes")] == [
        ("2026-01-30", "12.00")
    ]
    assert text_of(acme, f"/finance/datev/stacks/{stack['id']}/file") == before
    second = acme.ok("POST", "/finance/datev/stacks", JANUARY)
    assert second["entries"] == 1
    (row,) = rows_of(text_of(acme, f"/finance/datev/stacks/{second['id']}/file"))
    assert (row["Konto"], row["Gegenkonto (ohne BU-Schlüssel)"], row["Umsatz (ohne Soll/Haben-Kz)"]) == (
        "6855",
        "1800",
        "12,00",
    )
    assert acme.ok("GET", "/finance/datev/changes") == []
    assert [each["id"] for each in acme.ok("GET", "/finance/datev/stacks")] == [second["id"], stack["id"]]
    assert acme.ok("GET", f"/finance/datev/stacks/{stack['id']}") == stack
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_balances_that_were_taken_over_stand_against_9000(acme, month):  # noqa: F811
    set_up(acme)
    rows = rows_of(text_of(acme, **TAKEN_OVER))
    shown = {(row["Konto"], row["Umsatz (ohne Soll/Haben-Kz)"], row["Soll/Haben-Kennzeichen"]) for row in rows}
    assert shown == {
        ("1800", "10000,00", "S"),
        ("10001", "1190,00", "S"),
        ("70001", "595,00", "H"),
        ("3806", "190,00", "H"),
        ("2900", "10405,00", "H"),
    }
    assert {row["Gegenkonto (ohne BU-Schlüssel)"] for row in rows} == {"9000"}
    old = next(row for row in rows if row["Konto"] == "10001")
    assert (old["Belegfeld 1"], old["Belegfeld 2"]) == ("R-0815", "151225")


def test_contacts_keep_their_accounts(acme, month):  # noqa: F811
    set_up(acme)
    acme.ok("POST", "/finance/datev/stacks", JANUARY)
    newcomer = customer(acme, "Zebra", vatId="ATU12345675")["id"]
    late = {"customerId": newcomer, "issueDate": "2026-01-02", "dueDate": "2026-01-16"}
    number = invoice(acme, line("100.00", taxRateId=month.rates["19"]), **late)["number"]
    row = next(row for row in rows_of(text_of(acme, **JANUARY)) if row["Belegfeld 1"] == number)
    assert row["Konto"] == "10005"
    acme.ok("POST", "/finance/datev/stacks", JANUARY)
    people = {row["Kurzbezeichnung"]: row for row in rows_of(text_of(acme, "/finance/datev/contacts"))}
    assert (people["Alster AG"]["Konto"], people["Zebra"]["Konto"], people["Meyer"]["Konto"]) == (
        "10001",
        "10005",
        "70001",
    )
    assert (people["Zebra"]["EU-Land"], people["Zebra"]["EU-UStID"]) == ("AT", "U12345675")


def test_the_accounts_of_contacts_are_their_numbers(acme, month):  # noqa: F811
    set_up(acme)
    shown = {contact["id"]: contact for contact in acme.ok("GET", "/finance/contacts", params={"limit": "200"})}
    sides = {"purchase_invoice": "creditorNumber", "purchase_credit_note": "creditorNumber"}
    documents = {
        each["number"]: shown[each["customerId"] or each["supplierId"]][sides.get(each["kind"], "debtorNumber")]
        for each in acme.ok("GET", "/finance/invoices", params={"limit": "200", **JANUARY})
        if each["status"] != "draft"
    }
    rows = {
        row["Zusatzinformation- Inhalt 1"] or row["Belegfeld 1"]: row["Konto"]
        for row in rows_of(text_of(acme, **JANUARY))
        if len(row["Konto"]) == 5
    }
    assert {number: rows[number] for number in documents} == documents
    assert len(documents) > 5


def test_a_customer_who_is_booked_as_a_supplier_gets_that_number_with_the_stack(acme, month):  # noqa: F811
    set_up(acme)
    known = customer(acme, "Zebra")
    lines = [
        {"accountId": "6310", "debit": "50.00"},
        {"accountId": "3300", "credit": "50.00", "contactId": known["id"]},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-30", "description": "Till", "lines": lines})
    day = {"dateFrom": "2026-01-30", "dateTo": "2026-01-30"}
    path = f"/finance/contacts/{known['id']}"
    looked = rows_of(text_of(acme, **day))
    assert acme.ok("GET", path)["creditorNumber"] is None
    acme.ok("POST", "/finance/datev/stacks", day)
    now = acme.ok("GET", path)
    assert now["debtorNumber"] == known["debtorNumber"]
    assert now["creditorNumber"] in {account for row in looked for account in row.values()}
    assert rows_of(text_of(acme, **day)) == looked
    assert acme.ok("PATCH", path, {"kind": "both"})["creditorNumber"] == now["creditorNumber"]
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).altered == []


def test_only_contacts_with_an_entry_in_a_stack_are_told_to_datev(acme, month):  # noqa: F811
    set_up(acme)
    customer(acme, "Zebra")
    assert rows_of(text_of(acme, "/finance/datev/contacts")) == []
    acme.ok("POST", "/finance/datev/stacks", JANUARY)
    accounts = {row["Kurzbezeichnung"]: row["Konto"] for row in rows_of(text_of(acme, "/finance/datev/contacts"))}
    assert "Zebra" not in accounts
    assert accounts["Meyer"] == "70001"


def test_there_is_no_file_for_a_customer_beyond_the_last_number(acme, month):  # noqa: F811
    set_up(acme)
    with acme.books(write=True):
        router.WORKSPACE.run("UPDATE number_counter SET last = 59999 WHERE series = 'debtor'")
    late = {"customerId": customer(acme)["id"], "issueDate": "2026-01-02", "dueDate": "2026-01-16"}
    invoice(acme, line("100.00", taxRateId=month.rates["19"]), **late)
    acme.refused("GET", "/finance/datev/bookings", params=JANUARY, status=422, code="too_many_contacts")


def test_a_project_is_a_cost_centre(acme, month):  # noqa: F811
    set_up(acme)
    project = acme.ok("POST", "/projects", {"name": "Tower", "code": "TOWER"})
    lines = [
        {"accountId": "6310", "debit": "50.00", "projectId": project["id"]},
        {"accountId": "1800", "credit": "50.00"},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-30", "description": "Desk „Übersee“ 漢", "lines": lines})
    row = rows_of(text_of(acme, dateFrom="2026-01-30", dateTo="2026-01-30"))[-1]
    assert (row["KOST1 - Kostenstelle"], row["Buchungstext"]) == ("TOWER", "Desk „Übersee“ ?")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("kost1", None), [("100", ""), ("200", "")]),
        ((None, "kost1"), [("", ""), ("a", "")]),
        (("kost2", "kost1"), [("", "100"), ("a", "200")]),
        ((None, "kost2"), [("TOWER", ""), ("TOWER", "a")]),
    ],
)
def test_dimensions_fill_the_cost_centres_that_they_claim(acme, month, fields, expected):  # noqa: F811
    """The project stays in the first one where no dimension claims it."""
    set_up(acme)
    project = acme.ok("POST", "/projects", {"name": "Tower", "code": "TOWER"})["id"]
    for (code, values), field in zip((("cc", ("100", "200")), ("unit", ("a",))), fields, strict=True):
        dimension(acme, *values, code=code, datev=field)
    lines = [
        {**debit("6310", "900.00", cc="100"), "projectId": project},
        {**debit("6310", "600.00", cc="200", unit="a"), "projectId": project},
        {"accountId": "1800", "credit": "1500.00"},
    ]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-30", "description": "Rent", "lines": lines})
    rows = rows_of(text_of(acme, dateFrom="2026-01-30", dateTo="2026-01-30"))[-2:]
    assert [(row["KOST1 - Kostenstelle"], row["KOST2 - Kostenstelle"]) for row in rows] == expected


@pytest.mark.parametrize(
    ("amounts", "key"),
    [(("100.00", "19.00"), ""), (("100.00", "19.01"), "40"), (("100.00", "0.00"), "40")],
)
def test_an_automatic_account_is_gross_only_where_datev_finds_the_same_tax(acme, month, amounts, key):  # noqa: F811
    set_up(acme)
    net, tax = amounts
    total = str(Decimal(net) + Decimal(tax))
    lines = [{"accountId": "1800", "debit": total}, {"accountId": "4400", "credit": net}]
    lines += [{"accountId": "3806", "credit": tax}] if Decimal(tax) else []
    acme.ok("POST", "/finance/journals", {"date": "2026-01-30", "description": "Till", "lines": lines})
    rows = rows_of(text_of(acme, dateFrom="2026-01-30", dateTo="2026-01-30"))
    assert [row["BU-Schlüssel"] for row in rows if "4400" in row.values()] == [key]
    moved = {"1800": Decimal(total), "4400": -Decimal(net)} | ({"3806": -Decimal(tax)} if Decimal(tax) else {})
    assert read_in(rows) == moved


def test_an_entry_of_many_sides_balances_account_by_account(acme, month):  # noqa: F811
    set_up(acme)
    debits = [("1800", "60.00"), ("6310", "40.00"), ("3806", "19.00")]
    credits = [("4400", "100.00"), ("6855", "19.00")]
    lines = [{"accountId": code, "debit": amount} for code, amount in debits]
    lines += [{"accountId": code, "credit": amount} for code, amount in credits]
    acme.ok("POST", "/finance/journals", {"date": "2026-01-30", "description": "Mixed", "lines": lines})
    moved = read_in(rows_of(text_of(acme, dateFrom="2026-01-30", dateTo="2026-01-30")))
    assert moved == {code: Decimal(a) for code, a in debits} | {code: -Decimal(a) for code, a in credits}


def test_a_file_needs_the_numbers_of_the_advisor_and_the_client(acme):
    answer = acme.refused("GET", "/finance/datev/bookings", params=JANUARY, status=422, code="datev_not_set_up")
    assert [detail["field"] for detail in answer["details"]] == ["datevAdvisor", "datevClient", "datevChart"]


def test_a_file_covers_days_of_one_fiscal_year(acme):
    set_up(acme)
    over = {"dateFrom": "2025-12-31", "dateTo": "2026-01-01"}
    answer = acme.refused("POST", "/finance/datev/stacks", over, status=422)
    assert [(detail["field"], detail["code"]) for detail in answer["details"]] == [("dateTo", "several_years")]
    back = {"dateFrom": "2026-01-02", "dateTo": "2026-01-01"}
    answer = acme.refused("GET", "/finance/datev/bookings", params=back, status=422)
    assert [(detail["field"], detail["code"]) for detail in answer["details"]] == [("dateTo", "too_early")]


def test_accounts_that_datev_does_not_know_are_named(acme, month):  # noqa: F811
    set_up(acme)
    acme.ok("PATCH", f"/finance/accounts/{account_ids(acme)['6310']}", {"code": "RENT"})
    answer = acme.refused("GET", "/finance/datev/bookings", params=JANUARY, status=422)
    assert [detail["message"] for detail in answer["details"]] == [
        "Account RENT needs a code of at most 8 digits for DATEV."
    ]


FEBRUARY = {"dateFrom": "2026-02-01", "dateTo": "2026-02-28"}
SERVICE, PERIOD = "Leistungsdatum", "Datum Zuord. Steuerperiode"


def booked(office, number, **days):
    """The rows of a document."""
    return [row for row in rows_of(text_of(office, **days)) if row["Belegfeld 1"] == number]


@pytest.mark.parametrize(
    ("service", "days"),
    [
        ({"serviceDate": "2026-01-31"}, ("31012026", "31012026")),
        ({"servicePeriod": {"from": "2025-12-15", "to": "2026-01-20"}}, ("20012026", "20012026")),
        ({"serviceDate": "2026-02-01"}, ("", "")),
    ],
)
def test_the_month_of_the_service_is_told_where_it_is_not_that_of_the_document(acme, month, clock_at, service, days):  # noqa: F811
    clock_at("2026-02-28T12:00:00Z")
    set_up(acme)
    taxed = line("1000.00", taxRateId=month.rates["19"])
    made = invoice(acme, taxed, issueDate="2026-02-03", dueDate="2026-02-17", **service)
    (row,) = booked(acme, made["number"], **FEBRUARY)
    assert (row[SERVICE], row[PERIOD]) == days
    assert [index for index, name in enumerate(row, 1) if name in (SERVICE, PERIOD)] == [115, 116]


def test_each_line_tells_its_own_month(acme, month, clock_at):  # noqa: F811
    clock_at("2026-02-28T12:00:00Z")
    set_up(acme)
    lines = [
        line("1000.00", taxRateId=month.rates["19"], serviceDate="2026-01-31"),
        line("100.00", taxRateId=month.rates["7"], serviceDate="2026-02-02"),
    ]
    made = invoice(acme, *lines, issueDate="2026-02-03", dueDate="2026-02-17")
    rows = booked(acme, made["number"], **FEBRUARY)
    assert {row["Umsatz (ohne Soll/Haben-Kz)"]: row[SERVICE] for row in rows} == {"1190,00": "31012026", "107,00": ""}


def test_tax_that_waits_for_the_money_has_no_period_of_its_own(acme, month, clock_at):  # noqa: F811
    clock_at("2026-02-28T12:00:00Z")
    set_up(acme)
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"taxBasis": [{"since": "2026-01-01", "basis": "cash"}]})
    taxed = line("1000.00", taxRateId=month.rates["19"])
    made = invoice(acme, taxed, issueDate="2026-02-03", dueDate="2026-02-17", serviceDate="2026-01-31")
    (row,) = booked(acme, made["number"], **FEBRUARY)
    assert (row[SERVICE], row[PERIOD]) == ("31012026", "")


def test_a_bill_has_the_number_of_the_supplier_and_ours_beside_it(acme, month, clock_at):  # noqa: F811
    clock_at("2026-02-28T12:00:00Z")
    set_up(acme)
    taxed = line("100.00", taxRateId=month.rates["19"], accountId="6815")
    made = bill(acme, taxed, issueDate="2026-02-03", dueDate="2026-02-17", supplierNumber="re 2026/17b")
    rows = booked(acme, "RE-2026/17B", **FEBRUARY)
    assert rows
    for row in rows:
        assert row["Zusatzinformation - Art 1"] == "Belegnummer"
        assert row["Zusatzinformation- Inhalt 1"] == made["number"]


def test_codes_that_become_the_same_in_one_length_are_refused(acme, month):  # noqa: F811
    set_up(acme)
    for code in ("63100", "631"):
        acme.ok("POST", "/finance/accounts", {"code": code, "name": code, "type": "expense", "subtype": "expense"})
    error = acme.refused("GET", "/finance/datev/bookings", params=JANUARY, status=409, code="account_codes_collide")
    assert all(code in error["message"] for code in ("631", "6310", "63100"))
    acme.refused("POST", "/finance/datev/stacks", JANUARY, status=409, code="account_codes_collide")
    assert acme.ok("GET", "/finance/datev/stacks") == []
