"""The figures of the home page: each is the sum of the list behind it."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from erp.kernel import config
from erp.system.backups import backups
from tests.conftest import PASSWORD
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import bill, invoice, line
from tests.hr.attendance.records import employee_at_work, grant_leave, settle
from tests.hr.payroll.payrolls import act, paid_employee, pay_from, payroll_run, salary

NOW = "2026-11-26T10:00:00Z"  # a Thursday


@pytest.fixture(autouse=True)
def _on_a_thursday_in_november(clock_at):
    clock_at(NOW)


def home(office):
    return office.ok("GET", "/workspace/home")


def receive(office, amount, day, **fields):
    payment = {"direction": "received", "amount": amount, "date": day, **fields}
    return office.ok("POST", "/finance/payments", payment)


def sum_of(items, field):
    return f"{sum((abs(Decimal(each[field])) for each in items), Decimal('0.00')):.2f}"


def last_balance(office, day):
    """The balance at the end of the cash forecast until a day."""
    report = office.ok("GET", "/finance/reports/cash-forecast", params={"dateTo": day})
    (total,) = (row for row in report["rows"] if row["key"] == "total")
    return total["cells"]["balance"]["value"]


def test_cash_goes_13_weeks_ahead_by_the_cash_forecast_and_names_its_lowest_day(acme):
    paid = invoice(acme, "1000.00", issueDate="2026-11-01", dueDate="2026-11-15")
    receive(acme, "1000.00", "2026-11-16", contactId=paid["customerId"])
    bill(acme, "300.00", issueDate="2026-11-01", dueDate="2026-11-20")  # overdue: taken as paid today
    bill(acme, "400.00", issueDate="2026-11-01", dueDate="2026-12-12")
    invoice(acme, "250.00", issueDate="2026-11-20", dueDate="2026-12-15")
    bill(acme, "5.00", issueDate="2026-11-01", dueDate="2027-03-01")  # after the last week
    cash = home(acme)["cash"]
    mondays = [date(2026, 11, 30) + timedelta(weeks=week) for week in range(13)]
    assert [each["date"] for each in cash["weeks"]] == [str(day) for day in mondays]
    assert (cash["bank"], cash["currency"]) == ("1000.00", "EUR")
    assert [each["balance"] for each in cash["accounts"]] == ["1000.00"]
    # the invoice of 1000.00 stays open beside its payment on account: together they are nothing
    assert [each["balance"] for each in cash["weeks"]] == ["700.00", "700.00", "300.00"] + ["550.00"] * 10
    assert cash["lowest"] == {"date": "2026-12-12", "balance": "300.00"}
    assert cash["overdue"] == "-300.00"
    assert last_balance(acme, cash["lowest"]["date"]) == "300.00"
    assert [last_balance(acme, cash["weeks"][at]["date"]) for at in (0, 2, 12)] == ["700.00", "300.00", "550.00"]


def test_the_lowest_balance_is_never_above_the_one_of_today(acme):
    earned(acme, "1000.00", "2026-11-01")
    invoice(acme, "500.00", issueDate="2026-10-01", dueDate="2026-11-20")
    bill(acme, "100.00", issueDate="2026-11-01", dueDate="2026-12-01")
    cash = home(acme)["cash"]
    assert (cash["bank"], cash["overdue"], cash["weeks"][0]["balance"]) == ("1000.00", "500.00", "1500.00")
    assert cash["lowest"] == {"date": "2026-11-26", "balance": "1000.00"}, "not 1,400.00 if the customer pays today"
    bill(acme, "450.00", issueDate="2026-11-01", dueDate="2026-12-01")
    assert home(acme)["cash"]["lowest"] == {"date": "2026-12-01", "balance": "950.00"}


def test_what_is_due_is_the_sum_of_the_open_items_of_the_same_days(acme):
    for amount, due in (
        ("100.00", "2026-11-25"),
        ("20.00", "2026-11-26"),
        ("3.00", "2026-12-02"),
        ("0.40", "2026-12-03"),
    ):
        invoice(acme, amount, issueDate="2026-11-01", dueDate=due)
    for amount, due in (("70.00", "2026-11-01"), ("8.00", "2026-12-25"), ("9.00", "2026-12-26")):
        bill(acme, amount, issueDate="2026-10-01", dueDate=due)
    due = home(acme)["due"]
    assert due["in"] == {"overdue": "100.00", "overdueCount": 1, "week": "23.00", "month": "23.40"}
    assert due["out"] == {"overdue": "70.00", "overdueCount": 1, "week": "0.00", "month": "8.00"}
    lists: dict[str, dict[str, object]] = {
        "overdue": {"isOverdue": True},
        "week": {"dueFrom": "2026-11-26", "due": "2026-12-02"},
    }
    lists["month"] = {"dueFrom": "2026-11-26", "due": "2026-12-25"}
    for side, key in (("receivable", "in"), ("payable", "out")):
        for name, filter in lists.items():
            items = acme.ok("GET", "/finance/open-items", params={"side": side, **filter})
            assert sum_of(items, "openBase") == due[key][name], (side, name)


def earned(office, amount, day):
    """Post income, or below zero a loss, on a day."""
    accounts = {each["subtype"]: each["id"] for each in office.ok("GET", "/finance/accounts")}
    debit, credit = (accounts[each] for each in (("income", "bank") if amount.startswith("-") else ("bank", "income")))
    value = amount.lstrip("-")
    lines = [{"accountId": debit, "debit": value}, {"accountId": credit, "credit": value}]
    office.ok("POST", "/finance/journals", {"date": day, "description": "Result", "lines": lines})


def test_the_result_stands_beside_the_same_days_of_last_year(acme):
    earned(acme, "131900.00", "2025-11-26")
    earned(acme, "7.00", "2025-11-27")  # the day after
    earned(acme, "148000.00", "2026-03-01")
    earned(acme, "200.00", "2026-11-26")
    bill(acme, "50.00", issueDate="2026-10-01", dueDate="2026-12-30")
    result = home(acme)["result"]
    shown = {name: result[name] for name in ("from", "to", "amount", "before", "changePercent")}
    # (148,150 − 131,900) ÷ 131,900 = 12.32 %
    assert shown == {
        "from": "2026-01-01",
        "to": "2026-11-26",
        "amount": "148150.00",
        "before": "131900.00",
        "changePercent": "12.3",
    }
    months = result["months"]
    assert [each["month"] for each in months] == ["2025-12", *(f"2026-{month:02}" for month in range(1, 12))]
    assert months[-1] == {"month": "2026-11", "income": "200.00", "expense": "0.00", "incomeBefore": "131907.00"}
    assert (months[3]["income"], months[-2]["expense"]) == ("148000.00", "50.00")
    query = {"dateFrom": "2026-01-01", "dateTo": "2026-11-26", "compare": "previous_year"}
    report = acme.ok("GET", "/finance/reports/profit-and-loss", params=query)
    (row,) = (row for row in report["rows"] if row["key"] == "result")
    assert [row["cells"][name]["value"] for name in ("amount", "previous")] == [result["amount"], result["before"]]


@pytest.mark.parametrize(
    ("now", "before", "percent"),
    [("148200.00", "131900.00", "12.4"), ("100.00", "-500.00", None), ("5.00", None, None)],
)
def test_the_change_of_the_result_is_in_per_cent_of_a_profit_alone(acme, now, before, percent):
    earned(acme, now, "2026-02-01")
    if before:
        earned(acme, before, "2025-02-01")
    result = home(acme)["result"]
    assert (result["before"], result["changePercent"]) == (before or "0.00", percent)


def test_hours_are_the_sums_of_the_logged_time_and_ones_own_for_members(acme):
    member = acme.colleague("member")
    employee_at_work(acme, "Mei", member)
    employee_at_work(acme, "Olga", acme)
    project = acme.ok("POST", "/projects", {"name": "Shop", "billing": "hourly", "hourlyRate": "60.00"})
    task = acme.ok("POST", "/tasks", {"title": "Plan", "projectId": project["id"]})
    for person, day, minutes in ((acme, "2026-11-23", 120), (member, "2026-11-26", 90), (member, "2026-11-22", 30)):
        person.ok("POST", f"/tasks/{task['id']}/time-logs", {"minutes": minutes, "date": day, "isBillable": True})
    whole, own = home(acme)["hours"], home(member)["hours"]
    assert whole == {
        "isOwn": False,
        "weekMinutes": 210,
        "expectedMinutes": 2 * 40 * 60,
        "unbilledMinutes": 240,
        "unbilledAmount": "240.00",
        "billedMonth": 0,
        "currency": "EUR",
    }
    assert (
        own["isOwn"],
        own["weekMinutes"],
        own["expectedMinutes"],
        own["unbilledMinutes"],
        own["unbilledAmount"],
    ) == (
        True,
        90,
        40 * 60,
        120,
        None,
    )
    week = acme.ok("GET", "/tasks/time-logs", params={"dateFrom": "2026-11-23", "dateTo": "2026-11-29"})
    assert sum(each["minutes"] for each in week) == whole["weekMinutes"]
    unbilled = acme.ok("GET", "/tasks/time-logs", params={"isBillable": True, "isInvoiced": False})
    assert sum_of(unbilled, "amount") == whole["unbilledAmount"]
    assert home(acme.colleague("viewer"))["hours"] is None


def test_tasks_of_the_next_seven_days_are_counted_with_the_first_day(acme):
    for day in ("2026-11-26", "2026-11-27", "2026-12-03", "2026-12-04"):
        acme.ok("POST", "/tasks", {"title": day, "dueDate": day, "assigneeUserIds": [acme.user["id"]]})
    shown = home(acme)
    assert shown["tasksAhead"] == {"total": 2, "firstDate": "2026-11-27"}
    query = {"assigneeUserId": "me", "dueFrom": "2026-11-27", "dueTo": "2026-12-03"}
    assert len(acme.ok("GET", "/tasks", params=query)) == 2


def test_the_absent_are_those_whose_leave_one_may_read_else_ones_own_team(acme):
    manager, member = acme.colleague("manager"), acme.colleague("member")
    lead = employee_at_work(acme, "Lea", manager)
    mia = employee_at_work(acme, "Mia", member, managerEmployeeId=lead)
    rui = employee_at_work(acme, "Rui", managerEmployeeId=lead)
    zoe = employee_at_work(acme, "Zoe")
    grant_leave(acme, rui, "2026-11-26", endDate="2026-12-01")
    grant_leave(acme, zoe, "2026-11-26")
    grant_leave(acme, mia, "2026-12-03", reason="Family")
    acme.ok("POST", "/hr/leaves", {"employeeId": lead, "startDate": "2026-11-26", "endDate": "2026-11-26"})  # pending
    of_rui = {"employeeId": rui, "name": "Rui", "until": "2026-12-01"}
    of_zoe = {"employeeId": zoe, "name": "Zoe", "until": "2026-11-26"}
    of_mia = {"employeeId": mia, "name": "Mia", "until": "2026-12-03"}
    assert home(acme)["away"] == {"today": [of_rui, of_zoe], "nextWeek": [of_mia, of_rui]}
    assert home(manager)["away"] == home(member)["away"] == {"today": [of_rui], "nextWeek": [of_mia, of_rui]}
    assert home(acme.colleague("viewer"))["away"] is None


def titles(office):
    return [(each["title"], each["date"], each["daysLeft"]) for each in home(office)["deadlines"]]


def of_kind(office, kind):
    return [
        (each["title"], each["date"], each["daysLeft"]) for each in home(office)["deadlines"] if each["kind"] == kind
    ]


def age_of_copy(office):
    (age_days,) = (each["ageDays"] for each in home(office)["deadlines"] if each["kind"] == "backup")
    return age_days


GERMAN_OFFICE = {"country": "DE", "taxForm": "de-ustva"}


def file(office, first, last):
    office.ok("POST", "/finance/tax-returns", {"dateFrom": first, "dateTo": last})


def test_a_german_return_is_due_on_the_10th_or_the_next_working_day_until_it_is_filed(acme, clock_at):
    settle(acme, **GERMAN_OFFICE)
    earned(acme, "100.00", "2026-10-15")
    assert of_kind(acme, "tax_return") == [("UStVA October 2026", "2026-11-10", -16)]
    shown = next(each for each in home(acme)["deadlines"] if each["kind"] == "tax_return")
    assert shown["href"] == "/reports/tax?dateFrom=2026-10-01&dateTo=2026-10-31"
    assert of_kind(acme.colleague("viewer"), "tax_return") == [("UStVA October 2026", "2026-11-10", -16)]
    settle(acme, taxExtension=True)
    assert of_kind(acme, "tax_return") == [("UStVA October 2026", "2026-12-10", 14)]
    settle(acme, taxExtension=False)
    file(acme, "2026-10-01", "2026-10-31")
    assert of_kind(acme, "tax_return") == []
    clock_at("2027-01-04T10:00:00Z")
    signed_in = acme.installation.call("POST", "/auth/login", {"email": acme.email, "password": PASSWORD})
    acme.token = signed_in.json["data"]["session"]["token"]
    acme.select(acme.workspace_id)
    assert of_kind(acme, "tax_return") == [
        ("UStVA November 2026", "2026-12-10", -25),
        ("UStVA December 2026", "2027-01-11", 7),
    ]
    acme.ok("POST", "/hr/holidays", {"date": "2027-01-11", "name": "Closed"})
    assert of_kind(acme, "tax_return")[-1] == ("UStVA December 2026", "2027-01-12", 8)


def test_the_ec_sales_list_is_due_on_the_25th_until_its_days_are_locked(acme):
    settle(acme, **GERMAN_OFFICE, vatId="DE136695976")
    goods = tax_rate(acme, "0", category="K", exemptionReason="EU")["id"]
    wien = {
        "name": "Wien",
        "vatId": "ATU12345675",
        "address": {"line1": "1", "city": "X", "postalCode": "1", "country": "AT"},
    }
    invoice(acme, line("500.00", taxRateId=goods), customer=wien, issueDate="2026-10-10", serviceDate="2026-10-09")
    assert of_kind(acme, "ec_list") == [("EC sales list October 2026", "2026-11-25", -1)]
    settle(acme, taxExtension=True)
    assert of_kind(acme, "ec_list") == [("EC sales list October 2026", "2026-11-25", -1)], "it has no extension"
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-10-31", "reason": "Sent"})
    assert of_kind(acme, "ec_list") == []


def test_other_returns_are_due_by_their_form_and_rhythm(acme):
    earned(acme, "100.00", "2026-09-15")
    settle(acme, country="GB", taxForm="uk-vat100", taxFiling="quarterly")
    assert of_kind(acme, "tax_return") == [("VAT return, quarter 3 of 2026", "2026-11-07", -19)]  # a Saturday
    settle(acme, country="NL", taxForm="nl-ob", taxFiling="quarterly")
    assert of_kind(acme, "tax_return") == [("VAT return, quarter 3 of 2026", "2026-10-30", -27)]
    settle(acme, taxForm="generic", taxFiling="monthly")
    assert of_kind(acme, "tax_return") == [], "an office that files nothing has no deadline"
    file(acme, "2026-09-01", "2026-09-30")
    assert of_kind(acme, "tax_return") == [("VAT return October 2026", "2026-11-30", 4)]


def test_pay_is_due_on_the_date_that_follows_from_the_last_run(acme):
    employee = paid_employee(acme)
    run = payroll_run(acme, {"periodStart": "2026-10-01", "periodEnd": "2026-10-31", "payDate": "2026-10-31"})
    assert of_kind(acme, "payroll")[0] == ("Payroll October 2026", "2026-10-31", -26)
    act(acme, run, "approve")
    act(acme, run, "pay")
    hr = acme.colleague("hr")
    november = ("Payroll November 2026", "2026-11-30", 4)
    assert titles(hr) == [november]
    act(acme, payroll_run(acme, {"periodStart": "2026-08-31", "periodEnd": "2026-09-13"}), "approve")
    pay_from(acme, employee, "2026-10-01", salary("3100.00"))
    payroll_run(acme, {"kind": "correction"}, periodStart="2026-09-01", periodEnd="2026-10-31", payDate="2026-12-01")
    correction, fortnight = ("Payroll October 2026", "2026-12-01", 5), ("Payroll September 2026", "2026-09-13", -74)
    assert titles(hr) == [fortnight, november, correction], "a correction moves no pay date"
    assert home(acme.colleague("member"))["deadlines"] is None


def test_the_books_are_to_be_locked_sent_and_closed(acme):
    settle(acme, **GERMAN_OFFICE, datevAdvisor=1001, datevClient=1, datevChart="skr04")
    earned(acme, "100.00", "2025-12-15")
    earned(acme, "100.00", "2026-09-15")
    late = home(acme)["deadlines"]
    assert len(late) == 6
    assert [each["date"] for each in late] == sorted(each["date"] for each in late)
    assert of_kind(acme, "year_end") == [("Year end 2025", "2026-06-30", -149)]
    assert of_kind(acme, "lock") == [("Lock December 2025", "2026-01-31", -299)]
    assert of_kind(acme, "datev") == [("DATEV batch September 2026", "2026-10-12", -45)]  # the 10th is a Saturday
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-09-30", "reason": "Sent"})
    assert of_kind(acme, "year_end") == []
    assert of_kind(acme, "lock") == [("Lock October 2026", "2026-11-30", 4)]


def test_the_kind_of_a_deadline_is_worded_for_its_reader(acme):
    settle(acme, **GERMAN_OFFICE)
    earned(acme, "100.00", "2026-10-15")
    acme.ok("PATCH", "/auth/preferences", {"locale": "de"})
    assert of_kind(acme, "tax_return")[0][0] == "UStVA Oktober 2026"


def test_a_copy_of_the_backup_in_another_place_is_due_a_week_after_the_last(acme, clock_at):
    assert of_kind(acme, "backup") == [("Backup elsewhere", "2026-11-26", 0)]
    assert age_of_copy(acme) is None, "there is none yet"
    made = acme.ok("POST", "/system/backups", {})
    assert of_kind(acme, "backup"), "a backup in the data folder is lost with it"
    assert acme.call("GET", f"/system/backups/{made['name']}").status_code == 200
    assert of_kind(acme, "backup") == []
    clock_at("2026-12-05T10:00:00Z")
    assert of_kind(acme, "backup") == [("Backup elsewhere", "2026-12-03", -2)]
    assert age_of_copy(acme) == 9
    assert "backup" not in {each["kind"] for each in home(acme.colleague("admin"))["deadlines"]}
    with config.use(acme.installation.config):
        backups.make("manual", acme.installation.config.data_dir.parent / "stick")
    assert of_kind(acme, "backup") == []
