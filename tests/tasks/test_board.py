from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.kernel.errors import InvalidTransition
from erp.projects.models import Project
from erp.store.records import new_id
from erp.store.router import WORKSPACE
from erp.tasks import board, moves, tasks
from erp.tasks.bodies import NewTask, TaskChange
from erp.tasks.moves import TaskMove
from erp.tasks.statuses import OPEN, STATUSES
from tests.conftest import examples
from tests.events import events_of
from tests.refusals import complaint
from tests.tasks.tasks import add, change, last_event, project, shown, titles


def move(office, task, status="todo", **beside):
    return office.ok("POST", "/tasks/reorder", {"taskId": task["id"], "status": status, **beside})


def column(office, status="todo", **params):
    """The titles of a column, from its head."""
    return "".join(titles(office, status=status, sort="position", **params))


def test_the_end_of_a_column_is_found_without_reading_its_tasks(acme):
    with acme.books():
        plan = " ".join(row[3] for row in WORKSPACE.rows(f"EXPLAIN QUERY PLAN {board._LAST}", ("", "todo")))
    assert plan == "SEARCH task USING COVERING INDEX task_board (<expr>=? AND status=?)"


@pytest.fixture
def cards(acme):
    """Four tasks to do, by title."""
    return {title: add(acme, title) for title in "ABCD"}


def test_a_task_is_put_before_or_after_another_or_at_the_end(acme, cards):
    move(acme, cards["D"], beforeId=cards["A"]["id"])
    assert column(acme) == "DABC"
    move(acme, cards["A"], afterId=cards["C"]["id"])
    assert column(acme) == "DBCA"
    move(acme, cards["A"], afterId=cards["D"]["id"])
    assert column(acme) == "DABC"
    move(acme, cards["D"])
    assert column(acme) == "ABCD"
    move(acme, cards["B"], beforeId="TASK-4")
    assert column(acme) == "ACBD"


def test_a_task_goes_into_another_column(acme, cards):
    move(acme, cards["A"], "review")
    moved = move(acme, cards["B"], "review", beforeId=cards["A"]["id"])
    assert (moved["status"], column(acme, "review"), column(acme)) == ("review", "BA", "CD")
    assert last_event(acme, "task.moved") == {
        "key": "TASK-2",
        "title": "B",
        "changed": {"status": {"from": "todo", "to": "review"}},
    }


def test_a_task_that_comes_back_from_another_column_takes_its_former_place(acme, cards):
    for title in "BA":
        move(acme, cards[title], "review")
    move(acme, cards["B"])
    move(acme, cards["A"])
    assert column(acme) == "ABCD"
    move(acme, cards["B"], "review")
    move(acme, cards["D"], beforeId=cards["C"]["id"])
    move(acme, cards["B"])
    assert column(acme) == "ABDC"
    move(acme, cards["B"], "review")
    move(acme, cards["B"], "blocked")
    move(acme, cards["B"])
    assert column(acme) == "ADCB"


def test_a_task_that_comes_back_goes_before_the_one_that_has_its_place(acme, cards):
    move(acme, cards["B"], "review")
    with acme.books(write=True):
        place = ("UPDATE task SET position = (SELECT left_position FROM task WHERE title = 'B') WHERE title = 'C'", ())
        WORKSPACE.run(*place)
    move(acme, cards["B"])
    assert column(acme) == "ABCD"


def test_a_task_with_another_status_goes_to_the_end_of_its_new_column(acme, cards):
    for title in "CA":
        change(acme, cards[title], status="review")
    assert column(acme, "review") == "CA"
    change(acme, cards["C"], status="todo")
    assert column(acme) == "BDC"


def test_each_project_has_a_board_of_its_own(acme, cards):
    site = project(acme, "Site")
    theirs = add(acme, "X", projectId=site["id"])
    assert theirs["position"] == cards["A"]["position"]
    error = acme.refused(
        "POST", "/tasks/reorder", {"taskId": theirs["id"], "status": "todo", "beforeId": cards["A"]["id"]}, status=422
    )
    assert complaint(error) == ("beforeId", "other_column")
    assert column(acme, projectId=site["id"]) == "X"


def test_a_place_that_is_none_is_refused(acme, cards):
    a, b = cards["A"]["id"], cards["B"]["id"]
    for body, found in (
        ({"taskId": "nothing"}, ("taskId", "unknown_reference")),
        ({"taskId": a, "beforeId": "nothing"}, ("beforeId", "unknown_reference")),
        ({"taskId": a, "afterId": a}, ("afterId", "itself")),
        ({"taskId": a, "beforeId": b, "afterId": b}, ("afterId", "one_too_many")),
        ({"taskId": a, "beforeId": b, "status": "review"}, ("beforeId", "other_column")),
        ({"taskId": a, "status": "over"}, ("status", "not_one_of")),
    ):
        assert complaint(acme.refused("POST", "/tasks/reorder", {"status": "todo", **body}, status=422)) == found
    both = {"taskId": "x", "status": "todo", "beforeId": "y", "afterId": "z"}
    assert len(acme.refused("POST", "/tasks/reorder", both, status=422)["details"]) == 4
    assert column(acme) == "ABCD"


def test_a_task_that_stands_there_already_is_not_moved(acme, cards):
    for beside in ({"afterId": cards["A"]["id"]}, {"beforeId": cards["C"]["id"]}):
        assert move(acme, cards["B"], **beside) == cards["B"]
    assert move(acme, cards["D"]) == cards["D"]
    assert events_of(acme, cards["B"]["id"]) == ["task.created"]


def test_the_board_takes_no_if_match(acme, cards):
    body = {"taskId": cards["A"]["id"], "status": "todo"}
    acme.refused("POST", "/tasks/reorder", body, headers={"If-Match": '"1"'}, status=400, code="bad_parameter")
    assert column(acme) == "ABCD"


def test_a_column_without_room_is_numbered_again(acme, cards):
    change(acme, cards["D"], status="review")
    for turn in range(40):
        move(acme, cards["BC"[turn % 2]], afterId=cards["A"]["id"])
    assert column(acme) == "ACB"
    assert shown(acme, cards["A"])["position"] > cards["A"]["position"]
    assert shown(acme, cards["A"])["version"] == 1


PLACES = st.tuples(st.sampled_from(["add", "move", "change"]), *[st.integers(0, 1000)] * 2, st.sampled_from(STATUSES))


class Board:
    """A project's board, beside a model of it: the ids in each column, in order."""

    def __init__(self):
        code = f"P{new_id()[-7:].upper()}"
        self.project = Project.add(code=code, name=code, status="active")
        self.columns: dict[str, list[str]] = {status: [] for status in STATUSES}

    def do(self, what, which, where, status):
        """One thing that somebody does, told by numbers."""
        everything = sorted(id for ids in self.columns.values() for id in ids)
        if what == "add" or not everything:
            status = OPEN[where % len(OPEN)]
            made = tasks.add(NewTask(title="Any", project_id=self.project.id, status=status))
            self.columns[status].append(made.id)
            return
        id = everything[which % len(everything)]
        try:
            self.change(id, status) if what == "change" else self.move(id, status, where)
        except InvalidTransition:
            assert id in (*self.columns["done"], *self.columns["cancelled"])

    def change(self, id, status):
        tasks.change(id, TaskChange(status=status))
        if id not in self.columns[status]:
            self.put(id, status, len(self.columns[status]))

    def move(self, id, status, where):
        others = [each for each in self.columns[status] if each != id]
        place = where % (len(others) + 1)
        beside = {}
        if place < len(others):
            beside = {"before_id": others[place]}
        elif where % 2 and others:
            beside = {"after_id": others[-1]}
        if place and where % 3:
            beside = {"after_id": others[place - 1]}
        moves.move(TaskMove(task_id=id, status=status, **beside))
        self.put(id, status, place)

    def put(self, id, status, place):
        for ids in self.columns.values():
            if id in ids:
                ids.remove(id)
        self.columns[status].insert(place, id)

    def found(self):
        """The columns as the file has them."""
        rows = WORKSPACE.rows("SELECT status, id FROM task WHERE project_id = ? ORDER BY position", (self.project.id,))
        return {status: [id for at, id in rows if at == status] for status in STATUSES}


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gap=st.sampled_from([2, 3, 8]), steps=st.lists(PLACES, min_size=5, max_size=40))
def test_a_column_stays_in_order_whatever_is_done(acme, gap, steps):
    with patch.object(board, "GAP", gap), acme.books(write=True):
        office = Board()
        for step in steps:
            office.do(*step)
            assert office.found() == office.columns
