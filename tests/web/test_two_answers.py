"""Every fault that the fields of a body show is named at once; what only a rule can know comes in a second answer."""

from typing import Any

import pytest

from tests.conftest import Office
from tests.events import last_event
from tests.refusals import complaints

MISSING = "00000000-0000-7000-8000-000000000000"
LINE = {"description": "Work", "quantity": "1", "unitPrice": "1.00"}


def codes(office: Office, verb: str, path: str, body: object) -> dict[str, str]:
    return complaints(office.refused(verb, path, body, status=422))


def test_the_fields_of_an_invoice_come_first_and_its_references_second(acme: Office) -> None:
    body: dict[str, Any] = {
        "customerId": MISSING,
        "issueDate": "2026-03-10",
        "dueDate": "2026-03-01",
        "reference": 7,
        "lines": [
            {**LINE, "quantity": "many"},
            {**LINE, "accountId": "9999", "taxRateId": MISSING},
            {**LINE, "projectId": MISSING, "colour": "red"},
        ],
    }
    assert codes(acme, "POST", "/finance/invoices", body) == {
        "reference": "wrong_type",
        "lines[0].quantity": "not_a_number",
        "lines[2].colour": "unknown_field",
        "dueDate": "too_early",
    }
    lines = [LINE, body["lines"][1], {**LINE, "projectId": MISSING}]
    body |= {"dueDate": "2026-03-20", "reference": "7", "lines": lines}
    assert codes(acme, "POST", "/finance/invoices", body) == {
        "customerId": "unknown_reference",
        "lines[1].accountId": "unknown_reference",
        "lines[1].taxRateId": "unknown_reference",
        "lines[2].projectId": "unknown_reference",
    }


def test_nothing_is_said_of_a_field_that_depends_on_one_that_cannot_be_read(acme: Office) -> None:
    """Whether the due date is too early depends on the issue date."""
    body = {"customer": {"name": "Initech"}, "issueDate": "10.3.2026", "dueDate": "2026-03-01", "lines": [LINE]}
    assert codes(acme, "POST", "/finance/invoices", body) == {"issueDate": "not_a_date"}


def test_the_fields_of_a_journal_entry_come_first_and_its_accounts_second(acme: Office) -> None:
    body = {
        "date": "soon",
        "description": "Capital",
        "lines": [
            {"accountId": "1010", "debit": "a lot"},
            {"accountId": "nowhere", "credit": "100.001"},
            {"accountId": "1200", "credit": "1.00", "contactId": MISSING},
        ],
    }
    assert codes(acme, "POST", "/finance/journals", body) == {
        "date": "not_a_date",
        "lines[0].debit": "not_a_number",
    }
    body |= {"date": "2026-01-15", "lines": [{"accountId": "1010", "debit": "100.00"}, *body["lines"][1:]]}
    assert codes(acme, "POST", "/finance/journals", body) == {
        "lines[1].accountId": "unknown_reference",
        "lines[1].credit": "too_many_decimals",
        "lines[2].contactId": "unknown_reference",
    }


def test_the_form_of_a_code_is_told_with_the_other_fields(acme: Office) -> None:
    project = {"name": "Web shop", "customerId": MISSING, "ownerUserId": MISSING, "code": "x", "startDate": 5}
    assert codes(acme, "POST", "/projects", project) == {"startDate": "not_a_date", "code": "bad_format"}
    right = {**project, "code": "WEB", "startDate": "2026-03-02"}
    assert codes(acme, "POST", "/projects", right) == {
        "customerId": "unknown_reference",
        "ownerUserId": "unknown_reference",
    }


@pytest.mark.parametrize(
    ("path", "days", "complaint"),
    [
        ("/projects", {"name": "Web", "startDate": "2026-03-02", "dueDate": "2026-03-01"}, ("dueDate", "before_start")),
        ("/tasks", {"title": "Web", "startDate": "2026-03-02", "dueDate": "2026-03-01"}, ("dueDate", "before_start")),
        ("/hr/leaves", {"startDate": "2026-05-05", "endDate": "2026-05-04"}, ("endDate", "before_start")),
        (
            "/hr/leaves",
            {"startDate": "2026-05-05", "endDate": "2026-05-05", "startHalf": True, "endHalf": True},
            ("endHalf", "both_halves"),
        ),
        (
            "/hr/payroll/run",
            {"periodStart": "2026-02-01", "periodEnd": "2026-01-31"},
            ("periodEnd", "before_start"),
        ),
        ("/finance/tax-returns", {"dateFrom": "2026-02-01", "dateTo": "2026-01-31"}, ("dateTo", "too_early")),
    ],
)
def test_dates_out_of_order_are_told_with_the_other_fields(
    acme: Office, path: str, days: dict[str, Any], complaint: tuple[str, str]
) -> None:
    assert codes(acme, "POST", path, {**days, "colour": "red"}) == {
        "colour": "unknown_field",
        complaint[0]: complaint[1],
    }


def test_dates_that_a_change_puts_out_of_order_are_told_with_the_other_fields(acme: Office) -> None:
    task = acme.ok("POST", "/tasks", {"title": "Web", "startDate": "2026-03-02", "dueDate": "2026-03-31"})
    days = {"startDate": "2026-04-02", "dueDate": "2026-04-01", "title": ""}
    assert codes(acme, "PATCH", f"/tasks/{task['id']}", days) == {"title": "required", "dueDate": "before_start"}
    assert codes(acme, "PATCH", f"/tasks/{task['id']}", {"startDate": "2026-04-02"}) == {"startDate": "before_start"}


def test_a_span_of_time_out_of_order_is_told_with_the_other_fields(acme: Office) -> None:
    task = acme.ok("POST", "/tasks", {"title": "Web"})
    span = {"startedAt": "2026-03-16T08:00:00Z", "endedAt": "2026-03-16T07:00:00Z", "minutes": 0}
    wrong = codes(acme, "POST", f"/tasks/{task['id']}/time-logs", span)
    assert wrong == {"minutes": "out_of_range", "endedAt": "before_start"}


def test_dates_out_of_order_in_an_item_of_a_list_are_told_with_its_place(acme: Office) -> None:
    days = {"startDate": "2026-03-02", "dueDate": "2026-03-01"}
    body = {"tasks": [{"title": "One"}, {"title": "Two", **days}, {"title": "Three", "colour": "red"}]}
    assert codes(acme, "POST", "/tasks/batch", body) == {
        "tasks[1].dueDate": "before_start",
        "tasks[2].colour": "unknown_field",
    }
    assert codes(acme, "POST", "/tasks/batch", {"tasks": body["tasks"][:2]}) == {"tasks[1].dueDate": "before_start"}


def test_days_of_a_report_out_of_order_are_told_with_the_other_parameters(acme: Office) -> None:
    days = {"dateFrom": "2026-02-01", "dateTo": "2026-01-31", "compareFrom": "2025-01-01", "colour": "red"}
    error = acme.refused("GET", "/finance/reports/profit-and-loss", params=days, status=400, code="bad_parameter")
    assert complaints(error) == {"colour": "unknown_field", "dateTo": "too_early", "compareTo": "both_or_none"}


def test_nothing_is_written_while_complaints_are_collected(acme: Office) -> None:
    before = last_event(acme)
    acme.refused("POST", "/finance/contacts", {"name": "Initech", "kind": "customer", "x": 1}, status=422)
    acme.refused("POST", "/projects", {"name": "Web shop", "x": 1}, status=422)
    hired = {"name": "Ada", "hireDate": "2026-01-01", "email": "ada@example.com", "invite": "member", "x": 1}
    acme.refused("POST", "/hr/employees", hired, status=422)
    acme.refused("PATCH", f"/workspace/{acme.workspace_id}", {"name": "Other", "x": 1}, status=422)
    assert last_event(acme) == before
    assert acme.ok("GET", "/finance/contacts") == []
    assert acme.ok("GET", "/workspace/invites") == []


def test_what_only_the_program_sets_is_read_only(acme: Office) -> None:
    body = {"name": "Initech", "kind": "customer", "version": 1, "colour": "red"}
    assert codes(acme, "POST", "/finance/contacts", body) == {"version": "read_only", "colour": "unknown_field"}
