"""People: the workspace, who signs in to it, who works for the company, and who is away when."""

from datetime import date, timedelta
from typing import Any

from erp.demo import plan_people as plan
from erp.demo.days import PRESENT, Days
from erp.demo.figures import money
from erp.demo.office import Office
from erp.demo.plan_people import Leave, Person
from erp.web.client import Client

OWNER, HR = "Ines", "Leïla"


def found_company(office: Office, door: Client) -> None:
    """Register the owner as on set-up, and make her workspace."""
    owner = next(each for each in plan.STAFF if each.role == "owner")
    register(office, door, owner)
    made = office.as_(OWNER).post("/workspace", **plan.COMPANY)
    office.workspace_id = made["id"]
    office.as_(OWNER).post("/auth/select-workspace", workspaceId=office.workspace_id)
    office.as_(OWNER).patch(f"/workspace/{office.workspace_id}", iban=plan.IBAN, paymentTermsDays=14)
    employ(office, owner, userId=office.users[OWNER])


def register(office: Office, door: Client, person: Person, **invite: str) -> None:
    """Make somebody's account; with an invite she is in the workspace at once."""
    account = {"email": person.email, "name": person.name, "password": plan.PASSWORD}
    signed_in = door.post("/auth/register", **account, **invite)
    office.users[person.first] = signed_in["user"]["id"]
    office.staff[person.first] = Client(door.app, signed_in["session"]["token"])


def invite_everybody(office: Office, door: Client) -> None:
    """Hire the colleagues, managers first, and let everybody in by the link that she was given."""
    for person in plan.STAFF[1:]:
        if person.is_employed:
            token = employ(office, person, invite=person.role)["inviteToken"]
        else:
            token = office.as_(OWNER).post("/workspace/invites", email=person.email, role=person.role)["token"]
        register(office, door, person, inviteToken=token)
        office.as_(person.first).post("/auth/select-workspace", workspaceId=office.workspace_id)


def employ(office: Office, person: Person, **more: str) -> Any:
    """Hire somebody with her first pay; the answer."""
    made = office.as_(OWNER).post(
        "/hr/employees",
        name=person.name,
        email=person.email,
        jobTitle=person.job,
        department=person.department,
        managerId=office.employees.get(person.manager),
        employmentType="full_time" if person.week is plan.FULL_WEEK else "part_time",
        hireDate=hire_day(office.days, person),
        workSchedule=person.week,
        compensation=pay_of(person, person.pay),
        bankAccount={"holder": person.name, "iban": person.iban},
        **more,
    )
    office.employees[person.first] = made["id"]
    return made


def hire_day(days: Days, person: Person) -> date:
    """The first day of somebody's employment."""
    return days.working(days.on(person.hired, plan.HIRED_ON))


def pay_of(person: Person, amount: int, *components: str) -> dict[str, Any]:
    """What somebody is paid, as requests have it."""
    return {
        "payType": "hourly" if person.by_the_hour else "salary",
        "amount": money(amount),
        "frequency": "monthly",
        "components": [{"componentId": id} for id in components],
    }


def set_terms(office: Office) -> None:
    """Take over the holidays, grant the leave of the year, and end the employment of whoever left."""
    days, hr = office.days, office.as_(HR)
    for year in range(days.first(0).year, days.first(PRESENT + 3).year + 1):
        known = hr.post("/hr/holidays/import", year=year, subdivision="HH", language="en_US")
        office.days.holidays.update(date.fromisoformat(each["date"]) for each in known["added"])
    annual = next(each for each in hr.get("/hr/leave-types") if each["code"] == "annual")
    hr.patch(f"/hr/leave-types/{annual['id']}", allowanceDays=plan.LEAVE_DAYS)


def end_employments(office: Office) -> None:
    """Write down who has left."""
    for person in plan.STAFF:
        if person.left is not None:
            path = f"/hr/employees/{office.employees[person.first]}/terminate"
            office.as_(HR).post(path, date=office.days.last(person.left), reason="Studies architecture")


def ask_for_leave(office: Office) -> None:
    """Have everybody ask for leave, and somebody decide."""
    kinds = {each["code"]: each["id"] for each in office.as_(HR).get("/hr/leave-types")}
    for leave in plan.LEAVE:
        asked = _ask(office, leave, kinds[leave.kind])
        _decide(office, leave, asked["id"])
        if leave.outcome == "approved":
            for day in asked["dayDetails"]:
                office.leave[leave.who, date.fromisoformat(day["date"])] = day["counted"]


def _ask(office: Office, leave: Leave, kind: str) -> Any:
    """What people plan they ask for themselves; who is ill, or has left, is entered by the office."""
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


def close_accounts(office: Office) -> None:
    """Suspend who has left, and sign everybody out."""
    gone = {person.email for person in plan.STAFF if person.left is not None}
    for member in office.as_(OWNER).get("/workspace/members"):
        if member["user"]["email"] in gone:
            office.as_(OWNER).patch(f"/workspace/members/{member['id']}", status="suspended")
    for client in office.staff.values():
        client.post("/auth/logout")
