import pytest

from erp.hr.leave.types.types import LeaveTypeChange, NewLeaveType
from tests.events import events_of
from tests.hr.leave.applications import ask, balance, decide, hired, type_id
from tests.refusals import complaint, refuse_every_change, refuse_stale_changes

STUDY = {"name": "Study leave", "code": "study", "allowanceDays": "5"}


@pytest.fixture(autouse=True)
def march(clock_at):
    """Monday, 2 March 2026."""
    clock_at("2026-03-02T09:00:00Z")


def add(office, **fields):
    return office.ok("POST", "/hr/leave-types", STUDY | fields)


def codes(office, **params):
    return [kind["code"] for kind in office.ok("GET", "/hr/leave-types", params=params)]


def test_an_office_starts_with_annual_sick_and_unpaid_leave_in_this_order(acme):
    found = acme.ok("GET", "/hr/leave-types")
    assert [(kind["code"], kind["isPaid"], kind["allowanceDays"], kind["accrual"]) for kind in found] == [
        ("annual", True, "20", "yearly"),
        ("sick", True, "0", "none"),
        ("unpaid", False, "0", "none"),
    ]
    assert [kind["allowNegative"] for kind in found] == [False, True, True]


def test_a_leave_type_is_added_at_the_end_of_the_list(acme):
    answer = acme.call("POST", "/hr/leave-types", NewLeaveType.EXAMPLE)
    made = answer.json["data"]
    assert answer.status_code == 201
    assert {name: made[name] for name in NewLeaveType.EXAMPLE} == NewLeaveType.EXAMPLE
    assert (made["maxConsecutiveDays"], made["minNoticeDays"], made["color"], made["archivedAt"]) == (None,) * 4
    assert acme.ok("GET", f"/hr/leave-types/{made['id']}") == made
    assert codes(acme) == ["annual", "sick", "unpaid", "study"]
    assert events_of(acme, made["id"]) == ["leave_type.created"]


def test_a_leave_type_without_a_code_gets_one_from_its_name(acme):
    found = [
        acme.ok("POST", "/hr/leave-types", {"name": name})["code"] for name in ("Study leave", "Study Leave!", "é")
    ]
    assert found == ["study-leave", "study-leave-2", "leave"]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"allowanceDays": "2.125"}, "allowanceDays", "too_many_decimals"),
        ({"allowanceDays": "-1"}, "allowanceDays", "negative"),
        ({"accrual": "weekly"}, "accrual", "not_one_of"),
        ({"carryForwardExpiresAfterMonths": 3}, "carryForwardExpiresAfterMonths", "nothing_carried"),
        ({"carryForwardMaxDays": "2", "carryForwardExpiresAfterMonths": 13}, "carryForwardExpiresAfterMonths", None),
        ({"maxConsecutiveDays": "0"}, "maxConsecutiveDays", "not_positive"),
        ({"minNoticeDays": 0}, "minNoticeDays", "out_of_range"),
        ({"color": "red"}, "color", "bad_format"),
        ({"code": "Study leave"}, "code", "bad_format"),
        ({"archivedAt": None}, "archivedAt", "read_only"),
    ],
)
def test_a_leave_type_that_does_not_fit_is_refused(acme, fields, field, code):
    found = complaint(acme.refused("POST", "/hr/leave-types", STUDY | fields, status=422))
    assert found[0] == field
    assert code in (None, found[1])


def test_no_two_leave_types_have_the_same_code(acme):
    made = add(acme)
    acme.refused("POST", "/hr/leave-types", STUDY, status=409, code="already_exists")
    acme.refused("PATCH", f"/hr/leave-types/{made['id']}", {"code": "sick"}, status=409, code="already_exists")


def test_a_leave_type_is_changed_and_moved_in_the_list(acme):
    made = add(acme, minNoticeDays=7)
    path = f"/hr/leave-types/{made['id']}"
    changed = acme.ok("PATCH", path, {"name": "Training", "minNoticeDays": None, "position": 0, "allowanceDays": "5.0"})
    assert (changed["name"], changed["minNoticeDays"], changed["allowanceDays"]) == ("Training", None, "5")
    assert codes(acme)[:2] == ["annual", "study"]
    assert acme.ok("PATCH", path, {"name": "Training"})["version"] == 2
    assert events_of(acme, made["id"]) == ["leave_type.created", "leave_type.updated"]
    assert acme.ok("PATCH", path, LeaveTypeChange.EXAMPLE)["minNoticeDays"] == 7
    acme.ok("PATCH", path, {"carryForwardMaxDays": "2", "carryForwardExpiresAfterMonths": 3})
    error = acme.refused("PATCH", path, {"carryForwardMaxDays": "0"}, status=422)
    assert complaint(error) == ("carryForwardExpiresAfterMonths", "nothing_carried")


def test_a_new_allowance_applies_from_the_next_year(acme):
    mia = hired(acme)
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"allowanceDays": "25"})
    assert balance(acme, mia)["allocated"] == "20"
    assert balance(acme, mia, year=2027)["allocated"] == "25"


def test_a_leave_type_that_becomes_monthly_grants_nothing_twice(acme):
    mia = hired(acme)
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"accrual": "monthly"})
    assert balance(acme, mia, date="2026-12-31")["balance"] == "20"
    assert balance(acme, mia, year=2027, date="2027-03-01")["accrued"] == "5"
    monthly = add(acme, code="m", accrual="monthly", allowanceDays="12")
    assert balance(acme, mia, "m")["accrued"] == "3"
    acme.ok("PATCH", f"/hr/leave-types/{monthly['id']}", {"accrual": "yearly"})
    found = balance(acme, mia, "m")
    assert (found["accrued"], found["allocated"], found["balance"]) == ("3", "9", "12")


def test_a_leave_type_can_be_deleted_until_it_is_used(acme):
    made = add(acme)
    assert acme.ok("DELETE", f"/hr/leave-types/{made['id']}") == {}
    assert events_of(acme, made["id"]) == ["leave_type.created", "leave_type.deleted"]
    hired(acme)
    acme.refused("DELETE", f"/hr/leave-types/{type_id(acme)}", status=409, code="in_use")


def test_a_requested_leave_type_cannot_be_deleted(acme):
    sick = type_id(acme, "sick")
    ask(acme, "2026-03-02", employeeId=hired(acme), leaveTypeId=sick)
    acme.refused("DELETE", f"/hr/leave-types/{sick}", status=409, code="in_use")


def test_a_leave_type_is_archived_and_unarchived(acme):
    mia, path = hired(acme), f"/hr/leave-types/{type_id(acme)}"
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/archive")["archivedAt"] is not None
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")
    assert codes(acme) == ["sick", "unpaid"]
    assert codes(acme, isArchived="true") == ["annual"]
    shown = acme.ok("GET", "/hr/leave-balances", params={"year": 2027})
    assert [each["name"] for each in shown] == ["Sick leave", "Unpaid leave"]
    assert [each["balance"] for each in acme.ok("GET", "/hr/leave-balances")] == ["20", "0", "0"]
    acme.ok("POST", f"{path}/unarchive")
    assert balance(acme, mia, year=2027)["balance"] == "20"


def test_a_stale_change_changes_nothing(acme):
    refuse_stale_changes(acme, f"/hr/leave-types/{add(acme)['id']}")


def test_everyone_reads_leave_types_and_few_change_them(acme):
    path = f"/hr/leave-types/{add(acme)['id']}"
    for role in ("viewer", "member", "manager", "accountant"):
        colleague = acme.colleague(role)
        assert colleague.ok("GET", path)["code"] == "study"
        assert codes(colleague) == ["annual", "sick", "unpaid", "study"]
        refuse_every_change(colleague, "/hr/leave-types", path, STUDY)
    assert acme.colleague("hr").ok("PATCH", path, {"name": "Training"})["name"] == "Training"


def test_leave_types_of_another_office_are_not_found(acme, stranger):
    path = f"/hr/leave-types/{add(acme)['id']}"
    for verb, body in (("GET", None), ("PATCH", {"name": "Mine"}), ("DELETE", None)):
        stranger.refused(verb, path, body, status=404, code="not_found")


def test_a_new_allowance_applies_to_the_next_year_even_if_leave_in_it_was_requested(acme):
    annual, mia, ben = type_id(acme), hired(acme), hired(acme, "Ben")
    decide(acme, ask(acme, "2027-01-04", employeeId=mia))
    acme.ok("PATCH", f"/hr/leave-types/{annual}", {"allowanceDays": "25"})
    for year, days in ((2026, "20"), (2027, "25")):
        assert [balance(acme, id, year=year)["allocated"] for id in (mia, ben)] == [days, days]
    acme.ok("PATCH", f"/hr/leave-types/{annual}", {"accrual": "monthly", "allowanceDays": "12"})
    found = balance(acme, mia, year=2027, date="2027-12-31")
    assert (found["allocated"], found["accrued"], found["balance"]) == ("0", "12", "11")


def test_a_new_allowance_applies_to_future_months_even_if_leave_in_them_was_requested(acme):
    mia = hired(acme)
    other = acme.ok("POST", "/hr/leave-types", {"name": "Monthly", "accrual": "monthly", "allowanceDays": "12"})
    decide(acme, ask(acme, "2026-06-01", employeeId=mia, leaveTypeId=other["id"]))
    acme.ok("PATCH", f"/hr/leave-types/{other['id']}", {"allowanceDays": "24"})
    assert balance(acme, mia, "monthly", date="2026-12-31")["accrued"] == "21"


def test_a_new_allowance_does_not_change_what_last_year_granted(acme):
    mia = hired(acme)
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"allowanceDays": "25"})
    assert balance(acme, mia, year=2025)["allocated"] == "20"
