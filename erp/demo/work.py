"""Work: projects that start and end, tasks that move across the board, and the time logged on them."""

from datetime import date, timedelta
from typing import Any

import msgspec

from erp.demo import plan_people, plan_work
from erp.demo.days import PRESENT, Days
from erp.demo.figures import money, pick
from erp.demo.office import Office
from erp.demo.payroll import is_at_work
from erp.demo.plan_people import Person
from erp.demo.plan_work import Job, Loose, Step

MANAGER = "Jonas"
QUARTER = 15
"""Time is logged in quarters of an hour."""


class Span(msgspec.Struct, frozen=True):
    """The days of a job, and of its steps."""

    first: date
    last: date

    @classmethod
    def of(cls, days: Days, job: Job) -> "Span":
        """All days of a job."""
        return cls(days.first(job.start), days.last(job.end - 1))

    def at(self, percent: int) -> date:
        """The day on which `percent` of the time is over."""
        return self.first + timedelta(days=(self.last - self.first).days * percent // 100)


def schedule(office: Office) -> None:
    """Plan when each project starts and ends, and when time is logged."""
    for job in plan_work.JOBS:
        starts_on = min(office.days.first(job.start), office.days.first(PRESENT))
        office.agenda.at(starts_on, _begin, office, job)
    for month in range(PRESENT + 1):
        day = min(office.days.last(month), office.days.today)
        office.agenda.at(day, _log_time, office, month)


def _begin(office: Office, job: Job) -> None:
    """Create a project with all its tasks, and plan their progress."""
    span = Span.of(office.days, job)
    crew = dict.fromkeys(name for step in job.steps for name in step.who)
    project = office.as_(MANAGER).post(
        "/projects",
        name=job.name,
        code=job.code,
        customerId=office.contacts.get(job.customer),
        ownerUserId=office.users[MANAGER],
        memberUserIds=[office.users[name] for name in crew],
        status="planned" if job.status == "planned" else "active",
        startDate=span.first,
        dueDate=span.last,
        billing="hourly" if job.rate else "fixed" if job.price else "non_billable",
        hourlyRate=money(job.rate) if job.rate else None,
        fixedPrice=money(job.price) if job.price else None,
        budgetAmount=money(job.minutes * job.rate // 60) if job.rate else None,
        budgetMinutes=job.minutes or sum(step.hours for step in job.steps) * 60,
        tags=job.tags,
    )
    office.projects[job.code] = project["id"]
    for step in job.steps:
        _add(office, job, step, span)
    for title in job.repeating:
        _repeat(office, job, title)
    office.agenda.at(office.days.today, _settle, office, job)


def _add(office: Office, job: Job, step: Step, span: Span) -> None:
    """Add a task with its subtasks, and plan when it starts and is done."""
    after = [office.tasks[job.code, job.steps[index].title]["id"] for index in step.after]
    task = _task(
        office,
        job,
        step.title,
        step.who,
        dependsOn=after,
        startDate=span.at(step.start),
        dueDate=span.at(step.end),
        estimateMinutes=step.hours * 60,
        priority=step.priority,
    )
    parts = [_task(office, job, title, step.who[:1], parentId=task["id"]) for title in step.parts]
    if job.status == "planned":
        return
    office.agenda.at(span.at(step.start), _start, office, task, step.comments)
    for one in (*parts, task):
        office.agenda.at(span.at(step.end), _move, office, one, "done")


def _task(office: Office, job: Job, title: str, who: tuple[str, ...], **more: Any) -> dict[str, str]:
    task: dict[str, str] = office.as_(MANAGER).post(
        "/tasks",
        title=title,
        projectId=office.projects[job.code],
        assigneeUserIds=[office.users[name] for name in who],
        **more,
    )
    office.tasks[job.code, title] = task
    return task


def _move(office: Office, task: dict[str, str], status: str) -> dict[str, str]:
    moved: dict[str, str] = office.as_(MANAGER).patch(f"/tasks/{task['id']}", status=status)
    return moved


def _start(office: Office, task: dict[str, str], comments: tuple[tuple[str, str], ...]) -> None:
    _move(office, task, "in_progress")
    for who, text in comments:
        office.as_(who).post(f"/tasks/{task['id']}/comments", text=text)


def _repeat(office: Office, job: Job, title: str) -> None:
    """Add a monthly task, and plan that it is done on the day before it is due."""
    due = office.days.on(job.start, 25)
    task = _task(office, job, title, ("Tomasz",), dueDate=due, repeat={"every": 1, "unit": "month"})
    office.agenda.at(office.days.on(job.start, 24), _do_again, office, task, job.start)


def _do_again(office: Office, task: dict[str, str], month: int) -> None:
    """Finish a repeating task, and plan the next one."""
    successor = {"id": _move(office, task, "done")["successorId"]}
    office.agenda.at(office.days.on(month + 1, 24), _do_again, office, successor, month + 1)


def _settle(office: Office, job: Job) -> None:
    """Add the current tasks of a project, and set its status of today."""
    for loose in job.loose:
        _add_loose(office, job, loose)
    if job.status in ("completed", "on_hold"):
        office.as_(MANAGER).patch(f"/projects/{office.projects[job.code]}", status=job.status)


def _add_loose(office: Office, job: Job, loose: Loose) -> None:
    due = office.days.today + timedelta(days=loose.due)
    task = _task(
        office, job, loose.title, loose.who, dueDate=due, status=loose.status, priority=loose.priority, tags=["soon"]
    )
    for who, text in loose.comments:
        office.as_(who).post(f"/tasks/{task['id']}/comments", text=text)


def _log_time(office: Office, month: int) -> None:
    """Import the time of everyone in a month as CSV."""
    rows = [
        row
        for day in office.days.of_month(month)
        for person in plan_people.STAFF
        if person.on_projects and is_at_work(office, person, day)
        for row in _logs(office, person, day, month)
    ]
    if rows:
        text = "\n".join(["task;date;minutes;note;user", *rows])
        office.as_(MANAGER).post("/tasks/time-logs/import", csv=text)


def _logs(office: Office, person: Person, day: date, month: int) -> list[str]:
    """The logs of a person's day: the longer part on one task, the rest on another."""
    steps = list(_open(office, person, day))
    if not steps:
        return []
    name = (person.name, month, day.day)
    total = person.on_projects * pick(88, 106, "time", *name) // 100
    main = total * pick(50, 75, "main", *name) // 100
    first, second = pick(0, len(steps) - 1, "first", *name), pick(0, len(steps) - 1, "second", *name)
    shares = [(first, total)] if first == second else [(first, main), (second, total - main)]
    return [
        f"{steps[index]};{day};{max(1, round(minutes / QUARTER)) * QUARTER};"
        f"{plan_work.NOTES[pick(0, len(plan_work.NOTES) - 1, index, *name)]};{person.email}"
        for index, minutes in shares
    ]


def _open(office: Office, person: Person, day: date) -> list[str]:
    """The keys of the tasks that a person works on that day; urgent ones, with a fixed price, count twice.

    The studio's own tasks are among them only if there are no others.
    """
    keys: dict[bool, list[str]] = {True: [], False: []}
    for job in plan_work.JOBS:
        span = Span.of(office.days, job)
        for step in job.steps:
            if job.status != "planned" and person.first in step.who and span.at(step.start) <= day <= span.at(step.end):
                keys[bool(job.customer)] += [office.tasks[job.code, step.title]["key"]] * (2 if job.price else 1)
    return keys[True] or keys[False]
