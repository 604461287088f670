"""Pay by the cost centres of departments."""

from tests.finance.books.dimensions import dimension
from tests.hr.payroll.payrolls import act, paid_employee, payroll_run
from tests.refusals import complaint


def value(office, dimension_id, code):
    (found,) = office.ok("GET", f"/finance/dimensions/{dimension_id}/values", params={"q": code})
    return f"/finance/dimension-values/{found['id']}"


def costs(office, entry_id):
    lines = office.ok("GET", f"/finance/journals/{entry_id}")["lines"]
    return sorted((line["dimensions"].get("cc", ""), line["debit"]) for line in lines if line["debit"])


def test_pay_is_posted_with_the_cost_centre_of_the_department(acme):
    id = dimension(acme, "100", "200")
    workshop = acme.ok("PATCH", value(acme, id, "100"), {"departments": ["Workshop", "Yard"]})
    assert workshop["departments"] == ["Workshop", "Yard"]
    for name, department in (("Anna", "Workshop"), ("Ben", "Yard"), ("Cleo", "Office"), ("Dan", None)):
        paid_employee(acme, name, department=department)
    acme.ok("PATCH", value(acme, id, "200"), {"departments": ["Office"]})
    approved = act(acme, payroll_run(acme), "approve")
    entry = approved["accrualEntryId"]
    assert costs(acme, entry) == [("", "3000.00"), ("100", "6000.00"), ("200", "3000.00")]
    account = next(line for line in acme.ok("GET", f"/finance/journals/{entry}")["lines"] if line["dimensions"])
    act(acme, approved, "reverse")
    acme.ok("PATCH", f"/finance/accounts/{account['accountId']}", {"dimensions": {"cc": "200"}})
    again = act(acme, payroll_run(acme), "approve")
    assert costs(acme, again["accrualEntryId"]) == [("200", "12000.00")]


def test_a_department_belongs_to_one_value(acme):
    id = dimension(acme, "100", "200")
    acme.ok("PATCH", value(acme, id, "100"), {"departments": ["Workshop"]})
    acme.ok("PATCH", value(acme, id, "100"), {"departments": ["Workshop", "Yard"]})
    refused = acme.refused("PATCH", value(acme, id, "200"), {"departments": ["Office", "Yard"]}, status=422)
    assert complaint(refused) == ("departments[1]", "already_exists")
    other = dimension(acme, "a", code="unit")
    acme.ok("PATCH", value(acme, other, "a"), {"departments": ["Yard"]})
    new = {"code": "300", "name": "More", "departments": ["Workshop"]}
    assert complaint(acme.refused("POST", f"/finance/dimensions/{id}/values", new, status=422)) == (
        "departments[0]",
        "already_exists",
    )


def test_an_archived_cost_centre_is_no_default_of_its_department(acme):
    id = dimension(acme, "100")
    acme.ok("PATCH", path := value(acme, id, "100"), {"departments": ["Workshop"]})
    acme.ok("POST", f"{path}/archive")
    paid_employee(acme, "Anna", department="Workshop")
    assert costs(acme, act(acme, payroll_run(acme), "approve")["accrualEntryId"]) == [("", "3000.00")]


def test_pay_without_a_required_cost_centre_is_not_approved(acme):
    dimension(acme, "100", requiredFor=[{"from": "6", "to": "6"}])
    paid_employee(acme, "Anna", department="Workshop")
    made = payroll_run(acme)
    refused = acme.refused("POST", f"/hr/payroll/runs/{made['id']}/approve", {}, status=422)
    assert complaint(refused) == ("dimensions.cc", "dimension_required")
