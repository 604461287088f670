"""What an action creates can be fetched at the Location that it answers."""

from tests.conftest import Office
from tests.finance.documents.invoices import invoice


def follow(office: Office, path: str, body: object) -> None:
    answer = office.call("POST", path, body)
    assert answer.status_code == 201, answer.text
    fetched = office.ok("GET", answer.headers["Location"].removeprefix("/api/v1"))
    assert fetched["id"] == answer.json["data"]["id"]


def test_pay_leave_and_payments_are_where_their_location_says(acme: Office) -> None:
    pay = {"payType": "salary", "amount": "3000.00", "frequency": "monthly"}
    employee = acme.ok("POST", "/hr/employees", {"name": "Ada", "hireDate": "2026-01-01", "compensation": pay})
    raised = {**pay, "amount": "3100.00", "effectiveFrom": "2027-01-01"}
    follow(acme, f"/hr/employees/{employee['id']}/compensations", raised)
    follow(acme, "/hr/leave-adjustments", {"employeeId": employee["id"], "days": "1", "note": "Moved house"})
    follow(acme, "/hr/payroll/run", {"periodStart": "2026-01-01", "periodEnd": "2026-01-31"})
    follow(acme, "/finance/payments", {"invoiceId": invoice(acme)["id"], "amount": "5.00"})


def test_a_compensation_is_found_only_with_its_employee(acme: Office) -> None:
    pay = {"payType": "salary", "amount": "3000.00", "frequency": "monthly"}
    ada = acme.ok("POST", "/hr/employees", {"name": "Ada", "hireDate": "2026-01-01", "compensation": pay})
    ben = acme.ok("POST", "/hr/employees", {"name": "Ben", "hireDate": "2026-01-01"})
    (only,) = acme.ok("GET", f"/hr/employees/{ada['id']}/compensations")
    assert acme.ok("GET", f"/hr/employees/{ada['id']}/compensations/{only['id']}") == only
    acme.refused("GET", f"/hr/employees/{ben['id']}/compensations/{only['id']}", status=404, code="not_found")
    acme.colleague("manager").refused(
        "GET", f"/hr/employees/{ada['id']}/compensations/{only['id']}", status=403, code="forbidden"
    )


def test_a_named_token_is_shown_without_its_secret(acme: Office) -> None:
    made = acme.ok("POST", "/auth/tokens", {"name": "script", "workspaceId": acme.workspace_id})
    shown = acme.ok("GET", f"/auth/tokens/{made['id']}")
    assert shown["name"] == "script"
    assert "token" not in shown
    acme.installation.office("Eve").refused("GET", f"/auth/tokens/{made['id']}", status=404, code="not_found")
