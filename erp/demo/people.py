"""People: the workspace, its users, the employees, and their leave."""

from datetime import date, timedelta
from typing import Any

from erp.demo import plan_people as plan
from erp.demo.days import PRESENT, Days
from erp.demo.figures import money
from erp.demo.office import Office
from erp.demo.plan_people import Leave, Person
from erp.web.client import Client

OWNER, HR = "Ines", "Leïla"


def found_company(office: Office, visitor: Client) -> None:
    """Register the owner, as in the set-up, and create the workspace."""
    owner = next(person for person in plan.STAFF if person.role == "owner")
    register(office, visitor, owner)
    office.workspace_id = office.as_(OWNER).post("/workspace", **plan.COMPANY)["id"]
    office.as_(OWNER).post("/auth/select-workspace", workspaceId=office.workspace_id)
    office.as_(OWNER).patch(f"/workspace/{office.workspace_id}", iban=plan.IBAN, paymentTermsDays=14)
    employ(office, owner, userId=office.users[OWNER])


def register(office: Office, visitor: Client, person: Person, **invite: str) -> None:
    """Register a person; an invite makes them a member of the workspace at once."""
    user = {"email": person.email, "name": person.name, "password": plan.PASSWORD}
    signed_in = visitor.post("/auth/register", **user, **invite)
    office.users[person.first] = signed_in["user"]["id"]
    office.staff[person.first] = Client(visitor.app, signed_in["session"]["token"])


def invite_staff(office: Office, visitor: Client) -> None:
    """Hire the colleagues, managers first, and register everyone with their invite."""
    for person in plan.STAFF[1:]:
        if person.is_employed:
            token = employ(office, person, invite=person.role)["inviteToken"]
        else:
            token = office.as_(OWNER).post("/workspace/invites", email=person.email, role=person.role)["token"]
        register(office, visitor, person, inviteToken=token)
        office.as_(person.first).post("/auth/select-workspace", workspaceId=office.workspace_id)


def employ(office: Office, person: Person, **more: str) -> Any:
    """Hire a person with their first pay; the employee."""
    employee = office.as_(OWNER).post(
        "/hr/employees",
        name=person.name,
        email=person.email,
        jobTitle=person.job,
        department=person.department,
        managerEmployeeId=office.employees.get(person.manager),
        employmentType="full_time" if person.week is plan.FULL_WEEK else "part_time",
        hireDate=hire_day(office.days, person),
        workSchedule=person.week,
        compensation=pay_of(person, person.pay),
        bankAccount={"holder": person.name, "iban": person.iban},
        **more,
    )
    office.employees[person.first] = employee["id"]
    return employee


def hire_day(days: Days, person: Person) -> date:
    """The first day of a person's employment."""
    return days.working(days.on(person.hired, plan.HIRED_ON))


def pay_of(person: Person, amount: int, *components: str) -> dict[str, Any]:
    """What a person is paid, as requests write it."""
    return {
        "payType": "hourly" if person.by_the_hour else "salary",
        "amount": money(amount),
        "frequency": "monthly",
        "components": [{"componentId": id} for id in components],
    }


def set_holidays_and_allowance(office: Office) -> None:
    """Import the public holidays, and set the annual leave of everyone."""
    days, hr = office.days, office.as_(HR)
    for year in range(days.first(0).year, days.first(PRESENT + 3).year + 1):
        imported = hr.post("/hr/holidays/import", year=year, subdivision="HH", language="en_US")
        office.days.holidays.update(date.fromisoformat(holiday["date"]) for holiday in imported["added"])
    annual = next(kind for kind in hr.get("/hr/leave-types") if kind["code"] == "annual")
    hr.patch(f"/hr/leave-types/{annual['id']}", allowanceDays=plan.LEAVE_DAYS)


def end_employments(office: Office) -> None:
    """Terminate the employees who have left."""
    for person in plan.STAFF:
        if person.left is not None:
            path = f"/hr/employees/{office.employees[person.first]}/terminate"
            office.as_(HR).post(path, date=office.days.last(person.left), reason="Leaving to study architecture")


def ask_for_leave(office: Office) -> None:
    """Enter the planned leave applications and the decisions about them."""
    kinds = {kind["code"]: kind["id"] for kind in office.as_(HR).get("/hr/leave-types")}
    for leave in plan.LEAVE:
        application = _ask(office, leave, kinds[leave.kind])
        _decide(office, leave, application["id"])
        if leave.outcome == "approved":
            for day in application["dayDetails"]:
                office.leave[leave.who, date.fromisoformat(day["date"])] = day["counted"]


def _ask(office: Office, leave: Leave, kind: str) -> Any:
    """Employees apply for planned leave themselves; the office enters sick leave for them."""
    start = office.days.monday(leave.month, leave.monday)
    body = {"startDate": start, "endDate": start + timedelta(days=leave.days - 1), "leaveTypeId": kind}
    body |= {"startHalf": leave.from_noon, "reason": leave.reason or None}
    if leave.kind == "sick":
        return office.as_(HR).post("/hr/leaves", employeeId=office.employees[leave.who], **body)
    return office.as_(leave.who).post("/hr/leaves", **body)


def _decide(office: Office, leave: Leave, id: str) -> None:
    verb = {"approved": "approve", "rejected": "reject", "cancelled": "cancel"}.get(leave.outcome)
    who = leave.who if leave.outcome == "cancelled" else leave.by
    if verb is not None:
        office.as_(who).post(f"/hr/leaves/{id}/{verb}", note=leave.note or None)


def suspend_leavers(office: Office) -> None:
    """Suspend the members who have left, and sign everyone out."""
    leavers = {person.email for person in plan.STAFF if person.left is not None}
    for member in office.as_(OWNER).get("/workspace/members"):
        if member["user"]["email"] in leavers:
            office.as_(OWNER).patch(f"/workspace/members/{member['id']}", status="suspended")
    for client in office.staff.values():
        client.post("/auth/logout")
