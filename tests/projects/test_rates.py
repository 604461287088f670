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
