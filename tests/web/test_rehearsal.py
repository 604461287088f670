"""Every fault of a body is named at once: of form, of what it refers to, and of the rules."""

from tests.conftest import Office
from tests.events import last_event
from tests.refusals import complaints

MISSING = "00000000-0000-7000-8000-000000000000"


def codes(office: Office, verb: str, path: str, body: object) -> dict[str, str]:
    return complaints(office.refused(verb, path, body, status=422))


def test_a_wrong_type_hides_neither_unknown_records_nor_rules(acme: Office) -> None:
    line = {"description": "Work", "quantity": "1", "unitPrice": "1.00"}
    body = {
        "customerId": MISSING,
        "issueDate": "2026-03-10",
        "dueDate": "2026-03-01",
        "reference": 7,
        "lines": [
            {**line, "quantity": "many"},
            {**line, "accountId": "9999", "taxRateId": MISSING},
            {**line, "projectId": MISSING, "colour": "red"},
        ],
    }
    assert codes(acme, "POST", "/finance/invoices", body) == {
        "reference": "wrong_type",
        "lines[0].quantity": "not_a_number",
        "lines[2].colour": "unknown_field",
        "customerId": "unknown_reference",
        "dueDate": "too_early",
        "lines[1].accountId": "unknown_reference",
        "lines[1].taxRateId": "unknown_reference",
        "lines[2].projectId": "unknown_reference",
    }


def test_what_a_wrong_field_would_have_to_say_is_not_guessed(acme: Office) -> None:
    """Whether the due date is too early depends on the issue date, which cannot be read."""
    line = {"description": "Work", "quantity": "1", "unitPrice": "1.00"}
    body = {"customer": {"name": "Initech"}, "issueDate": "10.3.2026", "dueDate": "2026-03-01", "lines": [line]}
    assert codes(acme, "POST", "/finance/invoices", body) == {"issueDate": "not_a_date"}
    entry = {"date": "2026-01-15", "description": "Capital", "lines": [
        {"accountId": "1010", "debit": "a lot"}, {"accountId": "3000", "credit": "100.00"},
    ]}  # fmt: skip
    assert codes(acme, "POST", "/finance/journals", entry) == {"lines[0].debit": "not_a_number"}


def test_a_journal_entry_names_all_its_faults(acme: Office) -> None:
    body = {
        "date": "soon",
        "description": "Capital",
        "lines": [
            {"accountId": "1010", "debit": "100.001"},
            {"accountId": "nowhere", "credit": "100.00"},
            {"accountId": "1200", "credit": "1.00", "contactId": MISSING},
        ],
    }
    assert codes(acme, "POST", "/finance/journals", body) == {
        "date": "not_a_date",
        "lines[0].debit": "too_many_decimals",
        "lines[1].accountId": "unknown_reference",
        "lines[2].contactId": "unknown_reference",
    }


def test_references_that_a_rule_looks_up_one_after_the_other_are_named_together(acme: Office) -> None:
    project = {"name": "Web shop", "customerId": MISSING, "ownerUserId": MISSING, "code": "x", "startDate": 5}
    assert codes(acme, "POST", "/projects", project) == {
        "startDate": "not_a_date",
        "customerId": "unknown_reference",
        "ownerUserId": "unknown_reference",
        "code": "bad_format",
    }


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
