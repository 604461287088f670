"""Nobody changes, approves or pays their own pay or bank account."""

import pytest

from tests.hr.employees.employees import events_about
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    IBAN,
    act,
    override,
    paid_employee,
    path,
    payroll_run,
    payslip_of,
    salary,
)

pytestmark = pytest.mark.usefixtures("wednesday")

OTHER_IBAN = "NL91ABNA0417164300"
RAISE = {**salary("9000.00"), "effectiveFrom": "2026-03-01"}
ACCOUNT = {"bankAccount": {"holder": "Me", "iban": OTHER_IBAN}}


@pytest.fixture
def hana(acme):
    return acme.colleague("hr")


@pytest.fixture
def her_record(acme, hana):
    return paid_employee(acme, "Hana", user=hana)


def owners_record(acme):
    return paid_employee(acme, "Olga", user=acme)


def changes(id):
    return [("POST", f"/hr/employees/{id}/compensations", RAISE), ("PATCH", f"/hr/employees/{id}", ACCOUNT)]


def test_no_one_changes_their_own_pay_or_bank_account_but_a_colleague_does(acme, hana, her_record):
    for request in changes(her_record):
        error = hana.refused(*request, status=403, code="own_pay")
        assert error["message"].startswith("You cannot change your own ")
        assert error["message"].endswith(" Ask another Owner, Admin or HR.")
        acme.ok(*request)


@pytest.mark.parametrize("role", ["owner", "admin"])
def test_owners_and_admins_do_not_change_their_own_either(acme, hana, role):
    person = acme.colleague(role)
    record = paid_employee(acme, "Me", user=person)
    for request in changes(record):
        person.refused(*request, status=403, code="own_pay")
        hana.ok(*request)


def test_an_owner_alone_with_others_who_cannot_change_pay_does_it_themself(acme):
    for role in ("accountant", "manager", "member", "viewer"):
        acme.colleague(role)
    for request in changes(owners_record(acme)):
        acme.ok(*request)


def test_a_suspended_colleague_is_no_colleague(acme, hana):
    record = paid_employee(hana, "Olga", user=acme)
    acme.refused("PATCH", f"/hr/employees/{record}", ACCOUNT, status=403, code="own_pay")
    members = acme.ok("GET", "/workspace/members")
    (member,) = [member for member in members if member["role"] == "hr"]
    acme.ok("PATCH", f"/workspace/members/{member['id']}", {"status": "suspended"})
    acme.ok("PATCH", f"/hr/employees/{record}", ACCOUNT)


def test_other_fields_of_ones_own_record_are_changed_as_before(hana, her_record):
    same = {"bankAccount": {"holder": "Hana", "iban": IBAN}, "jobTitle": "Head of people"}
    assert hana.ok("PATCH", f"/hr/employees/{her_record}", same)["jobTitle"] == "Head of people"


def test_no_one_makes_their_own_record_with_pay(acme, hana):
    body = {"name": "Hana", "hireDate": "2026-01-01", "userId": hana.user["id"]}
    error = hana.refused("POST", "/hr/employees", {**body, "compensation": salary()}, status=403, code="own_pay")
    assert error["message"] == "You cannot enter your own pay and bank account. Ask another Owner, Admin or HR."
    hana.refused("POST", "/hr/employees", {**body, **ACCOUNT}, status=403, code="own_pay")
    hana.ok("POST", "/hr/employees", body)


def test_a_record_becomes_ones_own_in_the_request_that_links_it(acme, hana):
    record = paid_employee(acme, "Hana")
    body = {"userId": hana.user["id"], **ACCOUNT}
    hana.refused("PATCH", f"/hr/employees/{record}", body, status=403, code="own_pay")


def test_no_one_unlinks_their_own_record_to_change_its_pay(acme, hana):
    record = paid_employee(hana, "Olga", user=acme)
    acme.refused("PATCH", f"/hr/employees/{record}", {"userId": None}, status=403, code="own_link")
    hana.ok("PATCH", f"/hr/employees/{record}", {"userId": None})


def test_no_one_overrides_their_own_payslip(acme, hana, her_record):
    slip = payslip_of(payroll_run(hana), her_record)
    line = {"code": "salary", "amount": "9000.00", "reason": "Bonus"}
    error = hana.refused("PATCH", f"/hr/payroll/payslips/{slip['id']}", {"lines": [line]}, status=403, code="own_pay")
    assert error["message"] == "You cannot enter manual amounts in your own payslip. Ask another Owner, Admin or HR."
    assert override(acme, slip, line)["gross"] == "9000.00"


def test_no_one_approves_or_pays_a_run_with_their_own_payslip(acme, hana, her_record):
    made = payroll_run(hana)
    error = hana.refused("POST", path(made, "approve"), {}, status=403, code="own_pay")
    assert error["message"] == (
        "You cannot approve a payroll run with your own payslip. Ask another Owner, Admin or HR."
    )
    act(acme, made, "approve")
    error = hana.refused("POST", path(made, "pay"), {}, status=403, code="own_pay")
    assert error["message"] == (
        "You cannot pay a payroll run with your own payslip. Ask another Owner, Admin, Accountant or HR."
    )
    act(acme, made, "pay")


def offered(person, made):
    """What the run offers a person as its next step, in itself and at home, and whom it names to ask."""
    run = person.ok("GET", path(made))
    assert [row["can"] for row in person.ok("GET", "/hr/payroll/runs") if row["id"] == made["id"]] == [run["can"]]
    at_home = [one["id"] for one in person.ok("GET", "/workspace/home")["payrollRuns"]["items"]]
    is_offered = bool({"approve", "pay"} & set(run["can"]))
    assert is_offered == (made["id"] in at_home)
    return is_offered, sorted(one["userId"] for one in run["approvers"])


def test_who_may_not_take_the_next_step_is_not_offered_it_and_learns_whom_to_ask(acme, hana, her_record):
    bookkeeper = acme.colleague("accountant")
    made = payroll_run(hana)
    owner, others = acme.user["id"], sorted((acme.user["id"], bookkeeper.user["id"]))
    assert (offered(hana, made), offered(acme, made)) == ((False, [owner]), (True, [owner]))
    act(acme, made, "approve")
    assert (offered(hana, made), offered(bookkeeper, made)) == ((False, others), (True, others))
    run = acme.ok("GET", path(made))
    assert {one["name"] for one in run["approvers"]} == {acme.user["name"], bookkeeper.user["name"]}
    act(bookkeeper, made, "pay")
    assert offered(acme, made) == (False, [])


def test_with_four_eyes_who_has_made_a_run_is_not_among_those_to_ask(acme, hana):
    paid_employee(acme)
    four_eyes(acme)
    made = payroll_run(hana)
    assert (offered(hana, made), offered(acme, made)) == ((False, [acme.user["id"]]), (True, [acme.user["id"]]))


def test_a_run_that_does_not_pay_them_is_theirs_to_approve_and_pay(acme, hana, her_record):
    anna = paid_employee(acme)
    made = payroll_run(hana, employeeIds=[anna])
    assert act(hana, made, "approve")["status"] == "approved"
    assert act(hana, made, "pay")["status"] == "paid"


def test_an_owner_who_is_paid_leaves_the_run_to_someone_who_is_not(acme, hana):
    paid_employee(hana, "Olga", user=acme)
    made = payroll_run(acme)
    acme.refused("POST", path(made, "approve"), {}, status=403, code="own_pay")
    act(hana, made, "approve")


def test_an_owner_approves_and_pays_a_run_that_pays_all_who_could(acme, hana, her_record):
    paid_employee(hana, "Olga", user=acme)
    made = payroll_run(hana)
    error = hana.refused("POST", path(made, "approve"), {}, status=403, code="own_pay")
    assert error["message"] == "You cannot approve a payroll run with your own payslip. Ask an owner."
    act(acme, made, "approve")
    bookkeeper = acme.colleague("accountant")
    acme.refused("POST", path(made, "pay"), {}, status=403, code="own_pay")
    act(bookkeeper, made, "pay")


def four_eyes(office, on=True):
    changed = office.ok("PATCH", f"/workspace/{office.workspace_id}", {"payrollFourEyes": on})
    assert changed["payrollFourEyes"] is on


def test_with_four_eyes_who_made_a_run_does_not_approve_it(acme, hana):
    paid_employee(acme)
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["payrollFourEyes"] is False
    four_eyes(acme)
    made = payroll_run(hana)
    assert made["preparedByUserIds"] == [hana.user["id"]]
    error = hana.refused("POST", path(made, "approve"), {}, status=403, code="four_eyes")
    assert error["message"] == (
        "You have created or changed PR-2026-001, so you cannot approve it. Ask another Owner, Admin or HR."
    )
    act(acme, made, "approve")


def test_with_four_eyes_who_recalculated_or_overrode_does_not_approve_either(acme, hana):
    anna = paid_employee(acme)
    admin = acme.colleague("admin")
    made = payroll_run(hana)
    act(acme, made, "recalculate")
    override(admin, payslip_of(made, anna), {"code": "salary", "amount": "2000.00", "reason": "Advance"})
    four_eyes(acme)
    for person in (hana, acme, admin):
        person.refused("POST", path(made, "approve"), {}, status=403, code="four_eyes")
    assert set(acme.ok("GET", path(made))["preparedByUserIds"]) == {p.user["id"] for p in (hana, acme, admin)}
    act(acme.colleague("hr"), made, "approve")


def test_without_four_eyes_one_person_makes_and_approves(hana):
    paid_employee(hana)
    assert act(hana, payroll_run(hana), "approve")["status"] == "approved"


def changed_iban(office, id, iban=OTHER_IBAN):
    office.ok("PATCH", f"/hr/employees/{id}", {"bankAccount": {"holder": "Anna", "iban": iban}})


def iban_warning(office, made):
    warnings = office.ok("GET", path(made))["warnings"]
    return next((warning for warning in warnings if warning["code"] == "iban_changed"), None)


def test_a_changed_iban_is_a_warning_of_the_next_run_that_says_who_changed_it_and_when(acme, hana, clock_at):
    anna, _ = paid_employee(acme), paid_employee(acme, "Ben")
    january = payroll_run(acme)
    act(acme, january, "approve")
    act(acme, january, "pay")
    clock_at("2026-03-11T17:05:00Z")
    changed_iban(hana, anna)
    made = payroll_run(acme, FEBRUARY)
    warning = iban_warning(acme, made)
    assert warning["message"] == (
        "The bank account has changed since the last payroll run for 1 employee. Confirm it with them before paying."
    )
    (item,) = warning["items"]
    assert (warning["count"], item["employeeId"], item["name"]) == (1, anna, "Anna")
    assert (item["changedAt"], item["changedByUserId"], item["changedByName"]) == (
        "2026-03-11T17:05:00.000Z", hana.user["id"], "Hr",
    )  # fmt: skip
    assert item["message"].startswith(
        "The bank account was changed at 17:05 on 11 March by Hr. Its number now ends in 4300."
    )
    assert OTHER_IBAN not in acme.call("GET", path(made)).text


def test_warnings_are_in_the_language_of_their_reader_and_stored_ones_in_that_of_the_offices_papers(
    acme, hana, clock_at
):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"paperLanguage": "de"})
    anna = paid_employee(acme)
    act(acme, payroll_run(acme), "approve")
    paid_employee(acme, "Ben", bankAccount=None)
    clock_at("2026-03-11T17:05:00Z")
    changed_iban(hana, anna)
    made = payroll_run(acme, FEBRUARY)

    def read(language):
        headers = {"Accept-Language": language}
        return {one["code"]: one for one in acme.call("GET", path(made), headers=headers).json["data"]["warnings"]}

    german, english = read("de-DE"), read("en-GB")
    assert german["iban_changed"]["message"] == (
        "Die Bankverbindung hat sich seit dem letzten Lohnlauf geändert: 1 Person. "
        "Klären Sie das vor der Zahlung mit ihnen."
    )
    assert german["iban_changed"]["items"][0]["message"] == (
        "Die Bankverbindung wurde um 17:05 Uhr am 11. März von Hr geändert. Die Nummer endet jetzt auf 4300. "
        "Klären Sie das vor der Zahlung mit Anna."
    )
    assert english["iban_changed"]["items"][0]["message"].startswith(
        "The bank account was changed at 17:05 on 11 March by Hr."
    )
    assert english["missing_bank_account"]["message"].startswith("The bank account is missing: 1 employee.")
    stored = "Die Bankverbindung fehlt. Geben Sie sie bei der Person ein."
    assert [read["missing_bank_account"]["items"][0]["message"] for read in (german, english)] == [stored, stored]


def test_the_account_entered_on_hiring_is_no_change_nor_is_the_same_one_again(acme):
    anna = paid_employee(acme)
    changed_iban(acme, anna, IBAN)
    assert iban_warning(acme, payroll_run(acme)) is None


def test_a_dry_run_warns_of_a_changed_iban_too(acme):
    changed_iban(acme, paid_employee(acme))
    shown = payroll_run(acme, dryRun=True)
    assert "iban_changed" in [warning["code"] for warning in shown["warnings"]]


def test_an_iban_changed_after_approval_is_a_warning_before_the_payment_and_stays_on_record(acme, clock_at):
    anna = paid_employee(acme)
    made = payroll_run(acme)
    act(acme, made, "approve")
    assert iban_warning(acme, made) is None
    clock_at("2026-03-11T17:05:00Z")
    changed_iban(acme, anna)
    assert iban_warning(acme, made)["count"] == 1
    act(acme, made, "pay")
    assert iban_warning(acme, made)["count"] == 1


def test_the_run_after_the_next_no_longer_warns(acme, clock_at):
    anna = paid_employee(acme)
    changed_iban(acme, anna)
    clock_at("2026-03-11T17:05:00Z")
    january = payroll_run(acme)
    assert iban_warning(acme, january)["count"] == 1
    act(acme, january, "approve")
    assert iban_warning(acme, payroll_run(acme, FEBRUARY)) is None


def test_the_event_of_a_changed_iban_names_the_field_and_quotes_nothing(acme):
    anna = paid_employee(acme)
    changed_iban(acme, anna)
    kind, data = events_about(acme, anna)[-1]
    assert (kind, '"bankAccount"' in data, OTHER_IBAN in data) == ("employee.updated", True, False)
