import pytest

from erp.finance.documents.models import Invoice
from erp.projects.totals import percent
from tests.projects.projects import PATH, plan, project_invoice, shown, stored_log, stored_task


def totals(office, project):
    return shown(office, project)["totals"]


def test_totals_count_tasks_minutes_and_money(acme):
    project, other = plan(acme), plan(acme)
    first = stored_task(acme, project, status="in_progress")
    for status in ("todo", "review", "done", "done", "done", "done", "cancelled", "cancelled"):
        stored_task(acme, project, status=status)
    billed = project_invoice(acme, project["id"], "45.00", draft=True)
    stored_log(acme, project, first, 10)
    stored_log(acme, project, first, 90, 9_000)
    stored_log(acme, project, first, 5, 501)
    stored_log(acme, project, first, 30, 4_500, invoice_id=billed["id"], invoice_line=1)
    stored_log(acme, other, stored_task(acme, other), 60, 6_000)
    assert totals(acme, project) == {
        "taskCount": 9,
        "openTaskCount": 3,
        "loggedMinutes": 135,
        "billableMinutes": 125,
        "progressPercent": 57,
        "unbilledAmount": "95.01",
        "invoicedAmount": "45.00",
    }
    assert [each["totals"] for each in acme.ok("GET", PATH, params={"sort": "code"})] == [
        totals(acme, project),
        totals(acme, other),
    ]
    assert totals(acme, other)["unbilledAmount"] == "60.00"


def test_progress_is_of_the_tasks_that_were_not_cancelled(acme):
    project = plan(acme)
    stored_task(acme, project, status="cancelled")
    assert totals(acme, project)["progressPercent"] == 0
    stored_task(acme, project, status="done")
    assert totals(acme, project)["progressPercent"] == 100


@pytest.mark.parametrize(
    ("part", "whole", "shown"), [(1, 3, 33), (299, 300, 99), (4, 3, 133), (-5, 3, 0), (0, 0, None), (5, None, None)]
)
def test_a_percentage_is_rounded_down_and_there_is_none_of_nothing(part, whole, shown):
    assert percent(part, whole) == shown


def test_what_was_invoiced_is_what_lines_that_name_the_project_come_to_before_tax(acme):
    project, other = plan(acme), plan(acme)
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "Usual", "rate": "20"})["id"]
    line = {"description": "Work", "quantity": "1", "taxRateId": rate}
    lines = [{**line, "unitPrice": "100.00"}, {**line, "unitPrice": "50.00", "projectId": other["id"]}]
    body = {"customer": {"name": "Heron"}, "projectId": project["id"], "lines": lines, "discount": {"percent": "10"}}
    acme.ok("POST", "/finance/invoices", body)
    assert totals(acme, project)["invoicedAmount"] == "90.00"
    assert totals(acme, other)["invoicedAmount"] == "45.00"
    acme.ok("POST", "/finance/invoices", {**body, "discount": None, "pricesIncludeTax": True})
    assert totals(acme, project)["invoicedAmount"] == "173.33"


def test_drafts_count_void_ones_do_not_and_credit_notes_count_against(acme):
    project = plan(acme)
    project_invoice(acme, project["id"], "100.00")
    project_invoice(acme, project["id"], "20.00", draft=True)
    project_invoice(acme, project["id"], "5.00", kind="sales_credit_note")
    void = project_invoice(acme, project["id"], "1000.00")
    assert totals(acme, project)["invoicedAmount"] == "1115.00"
    acme.ok("POST", f"/finance/invoices/{void['id']}/void", {"reason": "Twice"})
    assert totals(acme, project)["invoicedAmount"] == "115.00"


def test_what_was_bought_for_a_project_was_not_invoiced(acme):
    project = plan(acme)
    bill = project_invoice(acme, project["id"], "70.00", draft=True)
    with acme.books(write=True):
        Invoice.update(kind="purchase_invoice").where(Invoice.id == bill["id"]).execute()
    assert totals(acme, project)["invoicedAmount"] == "0.00"


def test_what_was_invoiced_in_another_currency_is_told_in_the_base_currency(acme):
    project = plan(acme)
    for rate in ("0.9", "0.8"):
        project_invoice(acme, project["id"], "100.01", currency="USD", exchangeRate=rate)
    project_invoice(acme, project["id"], "1.00")
    assert totals(acme, project)["invoicedAmount"] == "171.02"


def test_amounts_have_the_decimals_of_the_base_currency(installation):
    office = installation.office("Yuki", baseCurrency="JPY")
    project = plan(office, hourlyRate="9000", budgetAmount="90000")
    stored_log(office, project, stored_task(office, project), 60, 9_000)
    assert (shown(office, project)["hourlyRate"], totals(office, project)["unbilledAmount"]) == ("9000", "9000")
    error = office.refused("POST", PATH, {"name": "Half", "hourlyRate": "0.5"}, status=422)
    assert error["details"][0]["code"] == "too_many_decimals"
