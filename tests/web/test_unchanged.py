"""A record that was read can be sent back whole, with a change or without."""

from tests.conftest import Office
from tests.finance.documents.invoices import invoice
from tests.refusals import complaints


def test_an_invoice_that_is_sent_back_with_one_change_keeps_the_rest(acme: Office) -> None:
    draft = invoice(acme, draft=True, issueDate="2026-03-01", dueDate="2026-03-20")
    path = f"/finance/invoices/{draft['id']}"
    changed = acme.ok("PATCH", path, {**draft, "issueDate": "2026-03-05"})
    assert (changed["issueDate"], changed["dueDate"]) == ("2026-03-05", "2026-03-20")
    assert changed["customerId"] == draft["customerId"]
    lines = [{**changed["lines"][0], "quantity": "5"}, *changed["lines"][1:]]
    assert acme.ok("PATCH", path, {**changed, "lines": lines})["lines"][0]["quantity"] == "5"
    assert len(acme.ok("GET", "/finance/contacts")) == 1


def test_a_figure_of_a_line_is_read_only(acme: Office) -> None:
    draft = invoice(acme, draft=True)
    lines = [{**draft["lines"][0], "net": "0.01"}, *draft["lines"][1:]]
    error = acme.refused("PATCH", f"/finance/invoices/{draft['id']}", {**draft, "lines": lines}, status=422)
    assert complaints(error) == {"lines[0].net": "read_only"}


def test_a_read_only_field_that_is_changed_is_named_with_every_other_fault(acme: Office) -> None:
    contact = acme.ok("POST", "/finance/contacts", {"name": "Initech", "kind": "customer"})
    body = {**contact, "version": 7, "defaultTaxRateId": "none", "email": 5}
    error = acme.refused("PATCH", f"/finance/contacts/{contact['id']}", body, status=422)
    assert complaints(error) == {"version": "read_only", "email": "wrong_type"}
    error = acme.refused(
        "PATCH", f"/finance/contacts/{contact['id']}", {**body, "version": 1, "email": None}, status=422
    )
    assert complaints(error) == {"defaultTaxRateId": "unknown_reference"}
    assert acme.ok("GET", f"/finance/contacts/{contact['id']}") == contact


def test_a_workspace_is_sent_back_whole(acme: Office) -> None:
    path = f"/workspace/{acme.workspace_id}"
    shown = acme.ok("GET", path)
    assert acme.ok("PATCH", path, {**shown, "legalName": "Acme GmbH"})["legalName"] == "Acme GmbH"
    error = acme.refused("PATCH", path, {**shown, "status": "archived"}, status=422)
    assert complaints(error)["status"] == "read_only"


def test_a_change_of_nothing_is_no_change_of_oneself(acme: Office) -> None:
    before = acme.ok("PATCH", "/auth/me", {})
    assert acme.ok("PATCH", "/auth/me", {"name": before["name"]}) == before
