"""How fast tasks and time are read in an office that has been at work for years."""

import pytest

from tests.bench.figures import Figures
from tests.bench.load import Load
from tests.bench.measuring import failures, in_turns, p50
from tests.bench.offices import Books

PAGE = 30
"""How many milliseconds a filtered page may take."""
SUMS = {"user": 100, "project": 100, "task": 40, "date": 100}
"""How many milliseconds sums over everything may take, by what they are grouped by."""

TASKS = {
    "of a project": "projectId={project}&sort=position",
    "of a project, in a status": "projectId={project}&status=todo&sort=position",
    "of mine, open": "assigneeUserId=me&status=todo,in_progress",
    "overdue": "isOverdue=true&sort=dueDate",
    "due in a month": "dueFrom=2025-06-01&dueTo=2025-06-30&sort=dueDate",
    "urgent ones": "priority=urgent&sort=-priority",
    "with a rare tag": "tag=print",
    "with a text": "q=catalogue",
    "with a text that matches none": "q=zebra",
    "of everything": "",
}
LOGS = {
    "of a project": "projectId={project}",
    "of a customer": "customerId={customer}",
    "of mine": "userId=me",
    "of mine in a month": "userId=me&dateFrom=2025-06-01&dateTo=2025-06-30",
    "unbilled": "isBillable=true&isInvoiced=false",
    "unbilled of a project": "projectId={project}&isBillable=true&isInvoiced=false",
    "of a task": "taskId={task}",
    "of everything": "",
}


def _middle(books: Books, path: str) -> float:
    """Milliseconds of the middle request."""
    (outcomes,) = in_turns(Load(books.desk.server.port, [books.get(path)], seconds=0.5), rounds=3)
    assert failures(outcomes) == 0
    return p50(outcomes)


def _filled(books: Books, query: str) -> str:
    return query.format(project=books.projects[3].id, customer=books.customer_id, task=books.task_id)


@pytest.mark.bench("tasks")
@pytest.mark.parametrize("what", TASKS)
def test_a_page_of_10000_tasks_is_there_at_once(figures: Figures, busy: Books, what: str):
    median = _middle(busy, f"/tasks?limit=50&{_filled(busy, TASKS[what])}".rstrip("&"))
    figures.within("tasks", median, PAGE, f"a page of 50 {what}")


@pytest.mark.bench("time")
@pytest.mark.parametrize("what", LOGS)
def test_a_page_of_100000_time_logs_is_there_at_once(figures: Figures, busy: Books, what: str):
    median = _middle(busy, f"/tasks/time-logs?limit=50&{_filled(busy, LOGS[what])}".rstrip("&"))
    figures.within("time", median, PAGE, f"a page of 50 {what}")


@pytest.mark.bench("time")
@pytest.mark.parametrize("what", SUMS)
def test_sums_of_100000_time_logs_are_there_at_once(figures: Figures, busy: Books, what: str):
    median = _middle(busy, f"/tasks/time-logs?groupBy={what}")
    figures.within("time", median, SUMS[what], f"sums by {what} of everything")


@pytest.mark.bench("work")
def test_projects_with_their_totals_are_measured(figures: Figures, busy: Books):
    figures.tell("work", "ms, 20 projects with totals", _middle(busy, "/projects"))
    figures.tell("work", "ms, the summary of one", _middle(busy, f"/projects/{busy.projects[3].id}/summary"))
