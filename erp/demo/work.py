"""Work in the scenario: projects, tasks that move across the board, and the time logged on them."""

from datetime import date, timedelta
from functools import partial

from erp.demo import people
from erp.demo.days import Span
from erp.demo.figures import between, pick
from erp.demo.player import Act, Player, Step
from erp.demo.scenario import Fields


def begin_project(player: Player, act: Act) -> None:
    """Create a project, and plan all that its plan and the entries under it say."""
    fields = act.fields
    plain = {name: value for name, value in fields.items() if name not in ("plan", "share")}
    project = player.create(act.saying(plain))
    span = Span(date.fromisoformat(project["startDate"]), date.fromisoformat(project["dueDate"]))
    plans = [entry.fields for entry in player.scenario.entries if entry.kind == "plan"]
    under = [entry for plan in plans if plan["name"] == fields.get("plan") for entry in plan["under"]]
    for entry in [*under, *fields.get("under", ())]:
        player.plan(entry, act.day, fields, span)


def add_task(player: Player, act: Act) -> None:
    """Add a task with its subtasks, and plan when it is started and done."""
    fields = {name: value for name, value in act.fields.items() if name not in ("worked", "done", "parts")}
    fields["project"] = act.project["name"]
    if worked := act.fields.get("worked"):
        fields |= dict(zip(("startDate", "dueDate"), worked, strict=True))
    task = player.create(act.saying(fields))
    parts = [_add_part(player, act, title) for title in act.fields.get("parts", ())]
    if worked:
        days = Span(date.fromisoformat(task["startDate"]), date.fromisoformat(task["dueDate"]))
        player.steps.append(Step(task["key"], act.project.get("share", 0), act.fields["assignees"], days))
        if days.last > player.calendar.today:  # a task that is done by now was started some time
            player.at(act.saying(fields, days.first), partial(_move, player, task["title"], "in_progress"))
    for day in player.days(act.fields.get("done") or (worked or [])[1:], act.day, act.span):
        for title in (*parts, task["title"]):
            player.at(act.saying(fields, day), partial(_move, player, title, "done"))


def _add_part(player: Player, act: Act, title: str) -> str:
    about = {"title": title, "parent": act.fields["title"], "project": act.project["name"]}
    player.create(act.saying(about | {"assignees": act.fields["assignees"][:1]}))
    return title


def _move(player: Player, title: str, status: str, act: Act) -> None:
    """Move a task; one that repeats is then the next one of that title."""
    task = player.find("task", title, act)
    moved = player.client(act).patch(f"/tasks/{task['id']}", status=status)
    if moved["successorId"]:
        player.remember(act, {"id": moved["successorId"], "title": title})


def log_time(player: Player, act: Act) -> None:
    """Import the time of everyone in a month as CSV."""
    rows = [
        row
        for day in player.calendar.working_days(act.day)
        for fields in people.everyone(player)
        if "projects" in fields and people.is_at_work(player, fields, day)
        for row in _logs(player, act.fields, fields, day)
    ]
    if rows:
        player.client(act).post("/tasks/time-logs/import", csv="\n".join(["task;date;minutes;note;user", *rows]))


def _logs(player: Player, said: Fields, person: Fields, day: date) -> list[str]:
    """The logs of a person's day: the longer part on one task, the rest on another."""
    keys = _open(player, person["name"].split()[0], day)
    if not keys:
        return []
    name = (person["name"], player.calendar.age(day), day.day)
    total = person["projects"] * between(said["minutes"], "minutes", *name) // 100
    main = total * between(said["first"], "first", *name) // 100
    first, second = (pick(0, len(keys) - 1, which, *name) for which in ("one", "other"))
    shares = [(first, total)] if first == second else [(first, main), (second, total - main)]
    quarter, notes = said["rounded"], said["notes"]
    return [
        f"{keys[index]};{day};{max(1, round(minutes / quarter)) * quarter};"
        f"{notes[pick(0, len(notes) - 1, index, *name)]};{person['email']}"
        for index, minutes in shares
    ]


def _open(player: Player, first: str, day: date) -> list[str]:
    """The keys of the tasks that a person works on that day, each as often as its project has shares.

    Projects without shares count only if there are no others.
    """
    steps = [step for step in player.steps if first in step.people and step.days.first <= day <= step.days.last]
    shared = [step.key for step in steps for _ in range(step.share)]
    return shared or [step.key for step in steps]


def submit_weeks(player: Player, act: Act) -> None:
    """Let people submit their weeks of time, the last one but for some, and approve the earlier ones."""
    monday = player.calendar.today - timedelta(days=player.calendar.today.weekday())
    weeks = [monday - timedelta(weeks=ago) for ago in range(act.fields["weeks"], 0, -1)]
    decisions = []
    for first in act.fields["people"]:
        for week in weeks[:-1] if first in act.fields["missing"] else weeks:
            player.staff[first].post(f"/tasks/time-weeks/{week}/submit")
        user_id = player.find("user", first, act)["id"]
        decisions += [{"userId": user_id, "dateFrom": str(week), "decision": "approve"} for week in weeks[:-1]]
    player.client(act).post("/tasks/time-weeks/decide", decisions=decisions)


PATTERNS = {
    "plan": lambda player, act: None,
    "project": begin_project,
    "task": add_task,
    "timeLogs": log_time,
    "timeWeeks": submit_weeks,
}
