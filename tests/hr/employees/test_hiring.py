"""Hiring and inviting in one request, and how a user is linked to the employee record."""

import pytest

from erp.hr.access.models import Employee
from erp.hr.leave.models import LeaveEntry, LeaveType
from erp.store import events
from erp.store.events import Event
from tests.conftest import PASSWORD
from tests.hr.employees.employees import ANNA, SALARY, at, change, events_about, hire, path_of
from tests.refusals import complaint

MAIL = "anna@example.com"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def invited(office, **fields):
    return hire(office, email=MAIL, **{"invite": "member", **fields})


def newcomer(office, email):
    """Someone who has registered with this address."""
    answer = office.installation.call(
        "POST", "/auth/register", {"email": email, "password": PASSWORD, "name": "Anna Ritter"}
    )
    return Person(office, answer.json["data"])


class Person:
    def __init__(self, office, signed_in):
        self.user = signed_in["user"]
        self.office = office
        self.token = signed_in["session"]["token"]

    def call(self, verb, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "x-workspace-id": self.office.workspace_id}
        return self.office.installation.call(verb, path, body, headers=headers)


def user_of(office, employee):
    return office.ok("GET", path_of(employee))["userId"]


def test_record_pay_leave_and_invite_are_made_in_one_call(acme, clock_at):
    at(acme, clock_at, "2026-07-01")
    with acme.books(write=True):
        kind = LeaveType.get_or_none(LeaveType.code == "annual") or LeaveType.add(
            name="Annual", code="annual", paid=True, position=1, allowance_days=2000, accrual="yearly"
        )
        granted = kind.allowance_days
    made = invited(acme, compensation=SALARY)
    assert made["compensation"]["amount"] == "3200.00"
    assert made["inviteUrl"].endswith(made["inviteToken"])
    (invite,) = acme.ok("GET", "/workspace/invites")
    assert (invite["email"], invite["role"], invite["status"]) == (MAIL, "member", "pending")
    with acme.books():
        entry = LeaveEntry.get(LeaveEntry.employee == made["id"], LeaveEntry.leave_type == kind.id)
        assert (entry.kind, entry.year, entry.days) == ("allocation", 2026, granted)
        types = [event.type for event in Event.select().order_by(Event.seq)]
    assert types.count("invite.pending") == 1
    assert "inviteToken" not in acme.ok("GET", path_of(made))


def test_hiring_without_an_invite_invites_no_one(acme):
    made = hire(acme, email=MAIL)
    assert not {"inviteToken", "inviteUrl"} & set(made)
    assert acme.ok("GET", "/workspace/invites") == []


def test_accepting_the_invite_links_the_record(acme):
    made = invited(acme)
    anna = newcomer(acme, MAIL.upper())
    assert user_of(acme, made) is None
    assert anna.call("POST", "/workspace/invites/accept", {"token": made["inviteToken"]}).status_code == 200
    assert user_of(acme, made) == anna.user["id"]
    assert anna.call("GET", "/hr/me").json["data"]["employee"]["id"] == made["id"]
    assert anna.call("GET", path_of(made)).status_code == 200
    with acme.books():
        event = Event.get(Event.type == "employee.linked")
        assert (event.resource_id, anna.user["id"] in event.actor) == (made["id"], True)


def test_registering_with_the_invite_links_the_record(acme):
    made = invited(acme)
    body = {"email": MAIL, "password": PASSWORD, "name": "Anna", "inviteToken": made["inviteToken"]}
    answer = acme.installation.call("POST", "/auth/register", body)
    assert user_of(acme, made) == answer.json["data"]["user"]["id"]


def test_an_invite_made_later_links_the_record_as_well(acme):
    made = hire(acme, email=MAIL)
    token = acme.ok("POST", "/workspace/invites", {"email": MAIL, "role": "viewer"})["token"]
    anna = newcomer(acme, MAIL)
    anna.call("POST", "/workspace/invites/accept", {"token": token})
    assert user_of(acme, made) == anna.user["id"]


def test_an_address_alone_links_no_record(acme):
    """Neither for a member with the address, nor for someone who registers with it and has no invite."""
    member = acme.colleague("member")
    made = hire(acme, email=member.email)
    assert member.ok("GET", "/hr/me")["employee"] is None
    member.refused("GET", path_of(made), status=403)
    newcomer(acme, MAIL)
    other = hire(acme, email=MAIL)
    assert user_of(acme, other) is None


@pytest.mark.parametrize("why", ["two have it", "left", "already linked", "has another"])
def test_an_ambiguous_record_is_not_linked(acme, why):
    made, anna = invited(acme), newcomer(acme, MAIL)
    if why == "two have it":
        change(acme, hire(acme), email=MAIL)
    elif why == "left":
        acme.ok("POST", path_of(made, "/terminate"), {"date": "2026-02-28"})
    elif why == "already linked":
        change(acme, made, userId=acme.user["id"])
    else:
        with acme.books(write=True):
            Employee.add(
                employee_number="7",
                name="Anna",
                employment_type="intern",
                hire_date="2026-01-01",
                user_id=anna.user["id"],
            )
    assert anna.call("POST", "/workspace/invites/accept", {"token": made["inviteToken"]}).status_code == 200
    assert user_of(acme, made) == (acme.user["id"] if why == "already linked" else None)


def test_a_link_lost_in_a_power_cut_is_made_later(acme, monkeypatch):
    """Membership is committed in the control file first; the rest waits there."""
    made, anna = invited(acme), newcomer(acme, MAIL)
    with monkeypatch.context() as patched:
        patched.setattr(events, "try_to_deliver", lambda workspace_id: None)
        anna.call("POST", "/workspace/invites/accept", {"token": made["inviteToken"]})
    with acme.books():
        assert Employee.find(made["id"]).user_id is None
    assert user_of(acme, made) == anna.user["id"]
    assert [event for event, _ in events_about(acme, made["id"])] == ["employee.created", "employee.linked"]


def test_an_invite_needs_an_address_and_no_user(acme):
    error = acme.refused("POST", "/hr/employees", ANNA | {"invite": "member"}, status=422)
    assert complaint(error) == ("email", "required")
    body = ANNA | {"email": MAIL, "invite": "member", "userId": acme.user["id"]}
    assert complaint(acme.refused("POST", "/hr/employees", body, status=422)) == ("invite", "not_applicable")


def test_no_one_invites_without_the_right_or_above_their_own_role(acme):
    hr, admin = acme.colleague("hr"), acme.colleague("admin")
    body = ANNA | {"email": MAIL}
    hr.refused("POST", "/hr/employees", body | {"invite": "viewer"}, status=403, code="forbidden")
    admin.refused("POST", "/hr/employees", body | {"invite": "owner"}, status=403, code="forbidden")
    assert acme.ok("GET", "/hr/employees") == []
    assert admin.ok("POST", "/hr/employees", body | {"invite": "admin"})["inviteToken"]


def test_someone_who_cannot_be_invited_is_not_hired(acme):
    member = acme.colleague("member")
    body = ANNA | {"email": member.email, "invite": "member"}
    acme.refused("POST", "/hr/employees", body, status=409, code="already_member")
    acme.ok("POST", "/workspace/invites", {"email": MAIL, "role": "viewer"})
    acme.refused(
        "POST", "/hr/employees", ANNA | {"email": MAIL, "invite": "member"}, status=409, code="already_invited"
    )
    assert acme.ok("GET", "/hr/employees") == []


def test_someone_who_is_not_hired_is_not_invited(acme):
    hire(acme, employeeNumber="1")
    body = ANNA | {"email": MAIL, "invite": "member"}
    acme.refused("POST", "/hr/employees", body | {"employeeNumber": "1"}, status=409)
    wrong = {"compensation": SALARY | {"currency": "XXX"}}
    acme.refused("POST", "/hr/employees", body | wrong, status=422)
    assert acme.ok("GET", "/workspace/invites") == []


def test_hiring_can_be_repeated_safely_unless_it_shows_a_secret(acme):
    key = {"Idempotency-Key": "hire-anna"}
    first = acme.call("POST", "/hr/employees", ANNA, headers=key)
    again = acme.call("POST", "/hr/employees", ANNA, headers=key)
    assert (again.text, again.headers["Idempotent-Replayed"]) == (first.text, "true")
    assert len(acme.ok("GET", "/hr/employees")) == 1
    body = ANNA | {"email": MAIL, "invite": "member"}
    acme.refused("POST", "/hr/employees", body, headers={"Idempotency-Key": "k"}, status=400, code="bad_parameter")
    assert acme.ok("GET", "/workspace/invites") == []
