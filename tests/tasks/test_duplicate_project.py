import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.kernel.days import FIRST_DAY, LAST_DAY
from erp.kernel.errors import Invalid
from erp.projects.models import Project
from erp.store.events import Event
from erp.tasks.duplicate_project import moved, shift_of
from erp.tasks.models import Task, TaskAssignee, TaskComment, TaskDependency, TimeLog
from tests.events import events_of
from tests.finance.contacts.contacts import customer
from tests.projects.projects import PATH, plan, put, shown, stored_log, stored_task
from tests.refusals import complaint

DAYS = st.dates(FIRST_DAY, LAST_DAY)


def duplicate(office, project, start="2026-05-01", name="Website again"):
    return office.ok("POST", f"{PATH}/{project['id']}/duplicate", {"name": name, "startDate": start})


def tasks_of(office, project):
    """The tasks of a project by title, in the order of its board."""
    with office.books():
        rows = Task.select().where(Task.project == project["id"]).order_by(Task.position)
        return {row.title: row for row in rows}


def test_a_copy_has_what_the_template_has_moved_to_its_start(acme):
    mia = acme.colleague("member")
    terms = {
        "description": "Pages",
        "customerId": customer(acme)["id"],
        "ownerUserId": acme.user["id"],
        "memberUserIds": sorted([mia.user["id"], acme.user["id"]]),
        "billing": "fixed",
        "hourlyRate": "90.00",
        "fixedPrice": "900.00",
        "budgetMinutes": 600,
        "budgetAmount": "800.00",
        "tags": ["web"],
    }
    template = plan(acme, status="active", startDate="2026-03-02", dueDate="2026-03-31", **terms)
    answer = acme.call("POST", f"{PATH}/{template['id']}/duplicate", {"name": "Next site", "startDate": "2026-05-01"})
    copy = answer.json["data"]
    assert (answer.status_code, answer.headers["location"]) == (201, f"/api/v1/projects/{copy['id']}")
    assert copy.items() >= terms.items()
    assert (copy["name"], copy["code"], copy["status"]) == ("Next site", "NS", "planned")
    assert (copy["startDate"], copy["dueDate"]) == ("2026-05-01", "2026-05-30")
    assert shown(acme, template) == template


def test_the_tasks_of_a_copy_are_all_to_do_in_the_order_of_the_board(acme):
    template = plan(acme, startDate="2026-03-02")
    given = {"priority": "high", "tags": ["a"], "estimate_minutes": 60, "hourly_rate": 7_000, "is_billable": False}
    stored_task(acme, template, "Third", status="done", due_date=date(2026, 3, 9), position=5, description="Long")
    stored_task(acme, template, "Second", position=9, start_date=date(2026, 3, 2), **given)
    stored_task(acme, template, "First", position=3)
    stored_task(acme, template, "Never", status="cancelled")
    stored_task(acme, template, "Long ago", status="done", position=6, archived_at="2026-03-01T09:00:00.000Z")
    copy = duplicate(acme, template, "2026-03-09")
    tasks = tasks_of(acme, copy)
    assert list(tasks) == ["First", "Second", "Third"]
    assert {each.status for each in tasks.values()} == {"todo"}
    assert {name: getattr(tasks["Second"], name) for name in given} == given
    assert (tasks["Second"].start_date, tasks["Third"].due_date) == (date(2026, 3, 9), date(2026, 3, 16))
    assert (tasks["Third"].description, tasks["Third"].completed_at) == ("Long", None)
    assert {each.key for each in tasks.values()} == {"WA-1", "WA-2", "WA-3"}
    assert tasks["First"].reporter_user_id == acme.user["id"]
    assert copy["totals"]["openTaskCount"] == 3
    with acme.books():
        assert Project.find(copy["id"]).last_task == 3


def test_people_parents_and_dependencies_come_along_within_the_copy(acme):
    template, mia, leaver = plan(acme), acme.colleague("member"), acme.colleague("member")
    child = stored_task(acme, template, "Child")
    parent = stored_task(acme, template, "Parent")
    never = stored_task(acme, template, "Never", status="cancelled")
    orphan = stored_task(acme, template, "Orphan", parent_id=never)
    outside = stored_task(acme, plan(acme), "Outside")
    with acme.books(write=True):
        Task.update(parent=parent).where(Task.id == child).execute()
        TaskAssignee.insert_many([(child, mia.user["id"]), (child, leaver.user["id"])]).execute()
        TaskDependency.insert_many([(child, orphan), (child, never), (parent, outside)]).execute()
        TaskComment.add(task=child, text="Hurry")
    stored_log(acme, template, child, 60, 6_000)
    leaver.ok("POST", "/workspace/leave")
    copy = duplicate(acme, template)
    tasks = tasks_of(acme, copy)
    ids = {title: each.id for title, each in tasks.items()}
    assert {title: each.parent_id for title, each in tasks.items()} == {
        "Child": ids["Parent"],
        "Parent": None,
        "Orphan": None,
    }
    with acme.books():
        assert [each.user_id for each in TaskAssignee.select().where(TaskAssignee.task == ids["Child"])] == [
            mia.user["id"]
        ]
        links = TaskDependency.select().where(TaskDependency.task.in_(list(ids.values()))).tuples()
        assert list(links) == [(ids["Child"], ids["Orphan"])]
        assert TimeLog.select().count() == TaskComment.select().count() == 1
    assert (copy["totals"]["loggedMinutes"], copy["totals"]["unbilledAmount"]) == (0, "0.00")


def test_of_a_recurring_task_the_first_is_copied_and_comes_again(acme):
    template = plan(acme, startDate="2026-03-01")
    repeat = {"every": 1, "unit": "month", "from": "due_date", "day": 31}
    second = stored_task(acme, template, "Second", repeat=repeat, due_date=date(2026, 4, 30))
    stored_task(acme, template, "First", status="done", repeat=repeat, due_date=date(2026, 3, 31), successor_id=second)
    weekly = {"every": 2, "unit": "week", "from": "completion"}
    stored_task(acme, template, "Weekly", repeat=weekly)
    tasks = tasks_of(acme, duplicate(acme, template, "2026-03-11"))
    assert set(tasks) == {"First", "Weekly"}
    assert (tasks["First"].due_date, tasks["First"].repeat) == (date(2026, 4, 10), repeat | {"day": 10})
    assert (tasks["Weekly"].repeat, tasks["First"].successor_id) == (weekly, None)


@pytest.mark.parametrize(("status", "archived"), [("completed", None), ("cancelled", None), ("active", "2026-03-01")])
def test_any_project_serves_as_a_template(acme, status, archived):
    template = plan(acme)
    put(acme, template, status=status, archived_at=archived and f"{archived}T09:00:00.000Z")
    copy = duplicate(acme, template)
    assert (copy["status"], copy["archivedAt"], copy["startDate"]) == ("planned", None, "2026-05-01")


def test_who_has_left_and_a_customer_who_is_archived_stay_behind(acme):
    leaver, old = acme.colleague("member"), customer(acme)
    user_id = leaver.user["id"]
    template = plan(acme, customerId=old["id"], ownerUserId=user_id, memberUserIds=[user_id, acme.user["id"]])
    leaver.ok("POST", "/workspace/leave")
    acme.ok("POST", f"/finance/contacts/{old['id']}/archive")
    copy = duplicate(acme, template)
    assert (copy["customerId"], copy["ownerUserId"], copy["memberUserIds"]) == (None, None, [acme.user["id"]])


def test_a_copy_is_one_event(acme):
    template = plan(acme)
    stored_task(acme, template)
    copy = duplicate(acme, template)
    assert events_of(acme, copy["id"]) == ["project.duplicated"]
    with acme.books():
        event = Event.select().order_by(Event.seq.desc()).get()
        told = {"code": "WA", "name": "Website again", "from": template["id"], "tasks": 1}
        assert json.loads(event.data) == told


def test_dates_do_not_move_beyond_the_calendar(acme):
    template = plan(acme, startDate="2000-01-01", dueDate="2100-01-01")
    path = f"{PATH}/{template['id']}/duplicate"
    error = acme.refused("POST", path, {"name": "Far", "startDate": "2150-01-01"}, status=422)
    assert complaint(error) == ("startDate", "out_of_range")
    error = acme.refused("POST", path, {}, status=422)
    assert [each["field"] for each in error["details"]] == ["name", "startDate"]
    assert [each["id"] for each in acme.ok("GET", PATH)] == [template["id"]]


def test_without_a_start_the_earliest_date_of_the_template_moves_to_the_new_start(acme):
    template = plan(acme, dueDate="2026-03-31")
    stored_task(acme, template, "Early", start_date=date(2026, 3, 10), due_date=date(2026, 3, 20))
    stored_task(acme, template, "Never", status="cancelled", due_date=date(2020, 1, 1))
    copy = duplicate(acme, template, "2026-04-10")
    early = tasks_of(acme, copy)["Early"]
    assert (copy["startDate"], copy["dueDate"]) == ("2026-04-10", "2026-05-01")
    assert (early.start_date, early.due_date) == (date(2026, 4, 10), date(2026, 4, 20))


@given(start=st.none() | DAYS, others=st.lists(st.none() | DAYS, max_size=6), new=DAYS)
def test_the_start_or_else_the_earliest_date_moves_to_the_new_start(start, others, new):
    days = shift_of(start, others, new)
    anchor = start or min((day for day in others if day), default=None)
    assert moved(anchor, days) == (new if anchor else None)
    assert anchor or days == 0


@given(day=DAYS, days=st.integers(-200_000, 200_000))
def test_a_date_moves_by_days_or_not_at_all(day, days):
    try:
        assert (moved(day, days) - day).days == days
    except Invalid:
        ordinal = day.toordinal() + days
        assert not FIRST_DAY.toordinal() <= ordinal <= LAST_DAY.toordinal()
