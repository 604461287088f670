"""The projects and tasks that invoices and journal entries name."""

from typing import Any

import pytest

from erp.finance.books.models import Account, Posting
from erp.finance.documents.models import InvoiceLine
from tests.finance.billing.time_logs import hourly_project, project_task
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.refusals import complaints

REVENUE = "4000"


def posted(office, entry_id):
    """The amounts and projects posted to revenue."""
    with office.books():
        rows: Any = Posting.select(Posting.project_id, Posting.amount).join(Account)
        return dict(rows.where(Posting.entry == entry_id, Account.code == REVENUE).tuples())


def test_a_line_is_posted_to_its_project_or_its_tasks_or_the_documents(acme):
    web, shop, inner = (hourly_project(acme, name)["id"] for name in ("Web", "Shop", "Inner"))
    body = new_invoice(
        line("1.00", projectId=web),
        line("2.00", taskId=project_task(acme, shop)["id"]),
        line("4.00"),
        line("8.00", projectId=shop, taskId=project_task(acme, shop)["id"]),
        line("16.00", taskId=project_task(acme, None)["id"]),
        projectId=inner,
    )
    made = acme.ok("POST", "/finance/invoices", body)
    assert posted(acme, made["journalEntryId"]) == {web: -100, shop: -1_000, inner: -2_000}
    assert [each["projectId"] for each in made["lines"]] == [web, shop, None, shop, None]
    assert made["projectId"] == inner
    for each in (web, shop, inner):
        assert [shown["id"] for shown in acme.ok("GET", f"/finance/invoices?projectId={each}")] == [made["id"]]


def test_an_issued_draft_has_the_projects_and_tasks_of_the_draft(acme):
    web = hourly_project(acme)["id"]
    one = project_task(acme, web)["id"]
    draft = invoice(acme, line("1.00", taskId=one), draft=True)
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert [(each["projectId"], each["taskId"]) for each in issued["lines"]] == [(web, one)]
    assert posted(acme, issued["journalEntryId"]) == {web: -100}


def test_every_unknown_project_and_task_is_named_at_once(acme, stranger):
    theirs = hourly_project(stranger)["id"]
    body = new_invoice(
        line(projectId="none"),
        line(taskId=project_task(stranger, theirs)["id"]),
        line(projectId=hourly_project(acme)["id"], taskId="none"),
        projectId=theirs,
    )
    expected = {
        "projectId": "unknown_reference",
        "lines[0].projectId": "unknown_reference",
        "lines[1].taskId": "unknown_reference",
        "lines[2].taskId": "unknown_reference",
    }
    for path in ("/finance/invoices", "/finance/invoices/preview"):
        refused = acme.refused("POST", path, body, status=422, code="validation_failed")
        assert complaints(refused) == expected
    with acme.books():
        assert InvoiceLine.select().count() == 0


@pytest.mark.parametrize("has_project", [True, False])
def test_a_lines_task_is_of_the_lines_project(acme, has_project):
    one = project_task(acme, hourly_project(acme, "Shop")["id"] if has_project else None)
    error = acme.refused(
        "POST",
        "/finance/invoices",
        new_invoice(line(), line(projectId=hourly_project(acme)["id"], taskId=one["id"])),
        status=422,
    )
    assert complaints(error) == {"lines[1].taskId": "wrong_project"}
    assert error["details"][0]["message"] == f"{one['key']} is not a task of the project in projectId."


def test_a_journal_entry_is_posted_to_projects(acme, stranger):
    web = hourly_project(acme)["id"]
    body: dict[str, Any] = {
        "date": "2026-03-02",
        "description": "Sale",
        "lines": [
            {"accountId": "1010", "debit": "5.00"},
            {"accountId": REVENUE, "credit": "5.00", "projectId": web},
        ],
    }
    entry = acme.ok("POST", "/finance/journals", body)
    assert [each["projectId"] for each in entry["lines"]] == [None, web]
    assert posted(acme, entry["id"]) == {web: -500}
    body["lines"][0]["projectId"] = hourly_project(stranger)["id"]
    error = acme.refused("POST", "/finance/journals", body, status=422, code="unknown_reference")
    assert complaints(error) == {"lines[0].projectId": "unknown_reference"}
