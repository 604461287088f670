"""People in the scenario: the founder, everyone hired or invited, their leave and their attendance."""

from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from erp.demo.days import Span
from erp.demo.figures import between, pick
from erp.demo.player import Act, Player
from erp.demo.scenario import Fields
from erp.web.client import Client

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri")


def found(player: Player, act: Act) -> None:
    """Register the founder, as in the set-up, and create the workspace."""
    founder = _person(player, str(player.scenario.tables["by"]["workspace"]))
    _register(player, founder)
    workspace = player.create(act)
    _client(player, founder).post("/auth/select-workspace", workspaceId=workspace["id"])


def hire(player: Player, act: Act) -> None:
    """Hire a person with their pay, or invite one from outside, and register them with their invite."""
    fields, first = act.fields, _first(act.fields)
    more = {"userId": player.find("user", first, act)["id"]} if first in player.staff else {"invite": fields["role"]}
    if "compensation" not in fields:
        if "userId" in more:
            return
        _join(player, fields, player.client(act).post("/workspace/invites", email=fields["email"], role=fields["role"]))
        return
    own = {"role", "week", "clock", "projects", "leaves"}
    body = player.body({name: value for name, value in fields.items() if name not in own}, act)
    employee = player.client(act).post("/hr/employees", **body, workSchedule=_week(player, fields), **more)
    player.keep("employee", first, employee)
    left = player.calendar.day(fields["leaves"]["date"], act.day) if "leaves" in fields else player.calendar.today
    player.employed[first] = Span(date.fromisoformat(employee["hireDate"]), left)
    if "userId" not in more:
        _join(player, fields, {"token": employee["inviteToken"]})
    if "leaves" in fields:
        player.client(act).post(f"/hr/employees/{employee['id']}/terminate", **player.body(fields["leaves"], act))


def _join(player: Player, fields: Fields, invite: Fields) -> None:
    _register(player, fields, inviteToken=invite["token"])
    (workspace,) = _client(player, fields).get("/workspace")
    _client(player, fields).post("/auth/select-workspace", workspaceId=workspace["id"])


def _register(player: Player, fields: Fields, **invite: str) -> None:
    user = {"email": fields["email"], "name": fields["name"], "password": player.scenario.password}
    signed_in = player.visitor.post("/auth/register", **user, **invite)
    player.keep("user", _first(fields), signed_in["user"])
    player.staff[_first(fields)] = player.visitor.signed_in(signed_in["session"]["token"])


def _client(player: Player, fields: Fields) -> Client:
    return player.staff[_first(fields)]


def _first(fields: Fields) -> str:
    return str(fields["name"].split()[0])


def _person(player: Player, first: str) -> Fields:
    return next(fields for fields in everyone(player) if _first(fields) == first)


def everyone(player: Player) -> list[Fields]:
    """The entries of the scenario about each person."""
    return [entry.fields for entry in player.scenario.entries if entry.kind == "person"]


def _week(player: Player, fields: Fields) -> dict[str, int]:
    week: dict[str, int] = player.scenario.tables["weeks"][fields["week"]]
    return week


def import_holidays(player: Player, act: Act) -> None:
    """Import the public holidays of each year between two days."""
    said = player.body(act.fields, act)
    first, last = (date.fromisoformat(said.pop(name)).year for name in ("first", "last"))
    for year in range(first, last + 1):
        imported = player.client(act).post("/hr/holidays/import", year=year, **said)
        if "subdivision" in said:  # of the site where everyone works
            player.calendar.holidays.update(date.fromisoformat(holiday["date"]) for holiday in imported["added"])


def apply_for_leave(player: Player, act: Act) -> None:
    """Apply for so many days of leave, and note on which of them people are away if it is approved."""
    said = player.body(act.fields, act)
    end = date.fromisoformat(said["startDate"]) + timedelta(days=said["days"] - 1)
    fields = {name: value for name, value in act.fields.items() if name != "days"}
    application = player.create(act.saying(fields | {"endDate": str(end)}))
    if any(step["do"] == "approve" for step in fields.get("then", ())):
        who = fields.get("employee") or fields["by"]
        for day in application["dayDetails"]:
            player.leave[who, date.fromisoformat(day["date"])] = day["counted"]


def is_at_work(player: Player, fields: Fields, day: date) -> bool:
    """Whether a person works on a day on which the office is open."""
    first = _first(fields)
    if first not in player.employed or WEEKDAYS[day.weekday()] not in _week(player, fields):
        return False
    employed = player.employed[first]
    return employed.first <= day <= employed.last and player.leave.get((first, day)) != "1"


def attend(player: Player, act: Act) -> None:
    """Enter who was at work on each day of a month."""
    records = [
        _attended(player, act, fields, day)
        for fields in everyone(player)
        for day in player.calendar.working_days(act.day)
        if is_at_work(player, fields, day)
    ]
    if records:
        player.client(act).post("/hr/attendance", records=records)


def _attended(player: Player, act: Act, fields: Fields, day: date) -> dict[str, Any]:
    """A day of attendance: with punches, or only a status, on some days remote."""
    said, first = act.fields, _first(fields)
    record: dict[str, Any] = {"employeeId": player.find("employee", first, act)["id"], "date": day}
    name = (first, player.calendar.age(day), day.day)
    if "clock" not in fields or (first, day) in player.leave:
        return record | {"status": "remote" if pick(1, said["remote"], "remote", *name) == 1 else "present"}
    zone = ZoneInfo(player.scenario.time_zone)
    began = datetime.combine(day, time.fromisoformat(said["begins"]), zone)
    began += timedelta(minutes=between(said["late"], "late", *name))
    pause = between(said["break"], "break", *name)
    worked = _week(player, fields)[WEEKDAYS[day.weekday()]] + between(said["more"], "more", *name)
    ended = began + timedelta(minutes=worked + pause)
    return record | {"punches": [{"in": began.isoformat(), "out": ended.isoformat()}], "breakMinutes": pause}


PATTERNS = {
    "attendance": attend,
    "holidays": import_holidays,
    "leave": apply_for_leave,
    "person": hire,
    "workspace": found,
}
