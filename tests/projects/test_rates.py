"""What time is worth: by its own rate, its task's or its project's, until it is on an invoice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.kernel import money
from erp.projects import rates
from erp.store.router import WORKSPACE
from erp.tasks.models import TimeLog
from tests.tasks.tasks import add
from tests.tasks.tasks import change as change_task
from tests.tasks.time.time_logs import change, hourly_task, listed, log, put_on_invoice


def amounts(office, *logs):
    return [office.ok("GET", f"/tasks/time-logs/{each['id']}")["amount"] for each in logs]


def test_a_log_goes_by_its_own_rate_else_its_tasks_else_its_projects(acme):
    project, plain = hourly_task(acme, "60.00")
    dear, loose = add(acme, projectId=project["id"], hourlyRate="80.00"), add(acme, isBillable=True)
    assert [log(acme, each, 90)["amount"] for each in (plain, dear, loose)] == ["90.00", "120.00", "0.00"]
    own = [log(acme, each, 90, hourlyRate="100") for each in (plain, dear, loose)]
    assert {(each["hourlyRate"], each["amount"]) for each in own} == {("100.00", "150.00")}
    assert change(acme, own[1], hourlyRate=None)["amount"] == "120.00"
    assert change(acme, own[0], isBillable=False)["amount"] == "0.00"
    assert change(acme, own[0], isBillable=True, minutes=60)["amount"] == "100.00"
    assert log(acme, dear, 60, hourlyRate="0.00")["amount"] == "0.00"


def test_a_changed_rate_counts_for_what_is_not_invoiced(acme):
    project, plain = hourly_task(acme, "60.00")
    dear = add(acme, projectId=project["id"], hourlyRate="80.00")
    logs = [log(acme, plain, 60), log(acme, dear, 60), log(acme, plain, 60, hourlyRate="10.00")]
    free, billed = log(acme, plain, 60, isBillable=False), log(acme, plain, 60)
    put_on_invoice(acme, billed, issued=False)
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": "70.01"})
    assert amounts(acme, *logs, free, billed) == ["70.01", "80.00", "10.00", "0.00", "60.00"]
    change_task(acme, dear, hourlyRate="90.00")
    assert amounts(acme, *logs, free, billed) == ["70.01", "90.00", "10.00", "0.00", "60.00"]
    change_task(acme, dear, hourlyRate=None)
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": None})
    assert amounts(acme, *logs, free, billed) == ["0.00", "0.00", "10.00", "0.00", "60.00"]


def test_a_changed_rate_leaves_other_projects_and_tasks(acme):
    (project, task), (_, other) = hourly_task(acme), hourly_task(acme)
    logs = [log(acme, each, 60) for each in (task, other)]
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": "1.00"})
    assert amounts(acme, *logs) == ["1.00", "90.00"]
    change_task(acme, task, hourlyRate="2.00")
    assert amounts(acme, *logs) == ["2.00", "90.00"]


def test_time_taken_off_an_invoice_follows_the_rate_again(acme):
    project, task = hourly_task(acme)
    billed = log(acme, task, 60)
    put_on_invoice(acme, billed)
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": "50.00"})
    assert amounts(acme, billed) == ["90.00"]
    with acme.books(write=True):
        TimeLog.update(invoice_id=None, invoice_line=None).execute()
        rates.reprice_logs([billed["id"]])
    assert amounts(acme, billed) == ["50.00"]


@pytest.mark.parametrize(
    ("minutes", "rate", "amount"), [(1, 29, 0), (1, 30, 1), (1, 31, 1), (50, 9_000, 7_500), (1440, 10**11, 24 * 10**11)]
)
def test_an_amount_is_rounded_half_up(minutes, rate, amount):
    assert rates.amount(minutes, rate, billable=True) == amount
    assert rates.amount(minutes, rate, billable=False) == rates.amount(minutes, None, billable=True) == 0


@given(st.integers(1, 1440), st.integers(0, rates.HIGHEST))
def test_an_amount_is_rounded_as_money_is(minutes, rate):
    assert rates.amount(minutes, rate, billable=True) == money.divide(minutes * rate, 60)


def test_the_file_rounds_as_the_program_does(acme):
    project, task = hourly_task(acme)
    for minutes, rate in ((1, "0.29"), (1, "0.30"), (7, "99.99"), (13, "123.45"), (1, "1000000000.00")):
        log(acme, task, minutes, hourlyRate=rate)
    before = [each["amount"] for each in listed(acme)]
    assert "16666666.67" in before
    with acme.books(write=True):
        WORKSPACE.run("UPDATE time_log SET amount = 0")
        rates.reprice_project(project["id"])
    assert [each["amount"] for each in listed(acme)] == before


def _rates(office, path):
    return [(row["hourlyRate"], row["validFrom"]) for row in office.ok("GET", f"{path}/rates")]


@pytest.mark.parametrize("owner", ["project", "task"])
def test_a_rate_counts_from_a_day_on(acme, clock_at, owner):
    """1 h on 2 November at 100.00; 130.00 today leaves it, and from 1 November on takes it."""
    clock_at("2026-11-26T09:00:00Z")
    project, task = hourly_task(acme, "100.00")
    path = f"/projects/{project['id']}" if owner == "project" else f"/tasks/{task['id']}"
    made, today = log(acme, task, 60, date="2026-11-02"), log(acme, task, 60)
    acme.ok("PATCH", path, {"hourlyRate": "130.00"})
    assert amounts(acme, made, today) == ["100.00", "130.00"]
    assert log(acme, task, 60, date="2026-11-03")["amount"] == "100.00"
    assert change(acme, today, date="2026-11-25")["amount"] == "100.00"
    first = "100.00" if owner == "project" else None
    assert _rates(acme, path) == [(first, None), ("130.00", "2026-11-26")]
    acme.ok("PATCH", path, {"hourlyRate": "130.00", "hourlyRateFrom": "2026-11-01"})
    assert amounts(acme, made, today) == ["130.00", "130.00"]
    assert _rates(acme, path) == [(first, None), ("130.00", "2026-11-01")]
    begun = acme.ok("GET", f"{path}/rates")[-1]
    acme.ok("DELETE", f"{path}/rates/{begun['id']}")
    assert (amounts(acme, made), _rates(acme, path)) == (["100.00"], [(first, None)])
    assert acme.ok("GET", path)["hourlyRate"] == first


def test_a_rate_to_come_waits_for_its_day(acme, clock_at):
    clock_at("2026-11-26T09:00:00Z")
    project, task = hourly_task(acme, "100.00")
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": "130.00", "hourlyRateFrom": "2026-11-28"})
    assert log(acme, task, 60)["amount"] == "100.00"
    clock_at("2026-11-28T09:00:00Z")
    assert log(acme, task, 60)["amount"] == "130.00"


def test_a_rate_between_two_is_taken_back(acme, clock_at):
    clock_at("2026-11-26T09:00:00Z")
    project, task = hourly_task(acme, "100.00")
    path = f"/projects/{project['id']}"
    for rate, day in (("110.00", "2026-11-10"), ("120.00", "2026-11-20")):
        acme.ok("PATCH", path, {"hourlyRate": rate, "hourlyRateFrom": day})
    made = [log(acme, task, 60, date=f"2026-11-{day}") for day in ("09", "10", "20")]
    assert amounts(acme, *made) == ["100.00", "110.00", "120.00"]
    second = acme.ok("GET", f"{path}/rates")[1]
    put_on_invoice(acme, made[1])
    acme.refused("DELETE", f"{path}/rates/{second['id']}", status=409, code="in_use")
    with acme.books(write=True):
        TimeLog.update(invoice_id=None, invoice_line=None).execute()
    acme.ok("DELETE", f"{path}/rates/{second['id']}")
    assert amounts(acme, *made) == ["100.00", "100.00", "120.00"]
    acme.refused("DELETE", f"{path}/rates/{second['id']}", status=404)


def test_an_invoice_of_time_has_a_line_for_each_rate_over_time(acme, clock_at):
    clock_at("2026-11-26T09:00:00Z")
    globex = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Globex"})["id"]
    project, task = hourly_task(acme, "100.00", customerId=globex)
    log(acme, task, 60, date="2026-11-02")
    log(acme, task, 60)
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": "130.00"})
    draft = acme.ok("POST", "/finance/invoices/from-time-logs", {"projectId": project["id"]})
    assert sorted(line["unitPrice"] for line in draft["lines"]) == ["100.00", "130.00"]


def test_the_first_rate_counts_for_all_time_unless_a_day_is_named(acme, clock_at):
    clock_at("2026-11-26T09:00:00Z")
    project, task = hourly_task(acme, None)
    made = log(acme, task, 60, date="2026-11-02")
    acme.ok("PATCH", f"/projects/{project['id']}", {"hourlyRate": "100.00"})
    assert amounts(acme, made) == ["100.00"]
    acme.refused("PATCH", f"/projects/{project['id']}", {"hourlyRateFrom": "2026-11-01"}, status=422)


def test_rates_are_shown_to_those_who_see_money(acme):
    project, _ = hourly_task(acme, "100.00")
    acme.colleague("member").refused("GET", f"/projects/{project['id']}/rates", status=403)
