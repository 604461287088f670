import re
from itertools import count, pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.kernel.errors import Invalid
from erp.store.router import WORKSPACE
from erp.tasks import dependencies, tasks
from erp.tasks.bodies import NewTask, TaskChange
from erp.tasks.models import Task
from tests.conftest import examples
from tests.refusals import complaint
from tests.tasks.tasks import add, change, project, refuse_change, shown


def chain(office, length, field):
    """Tasks of which each waits for the one before."""
    made = [add(office)]
    for _ in range(length - 1):
        before = made[-1]["id"]
        made.append(add(office, **{field: [before] if field == "dependsOn" else before}))
    return made


def test_a_task_never_depends_on_itself(acme):
    first, second, third = chain(acme, 3, "dependsOn")
    for task, wanted, circle in (
        (first, first, "TASK-1 → TASK-1"),
        (first, second, "TASK-1 → TASK-2 → TASK-1"),
        (first, third, "TASK-1 → TASK-3 → TASK-2 → TASK-1"),
    ):
        error = refuse_change(acme, task, 422, "validation_failed", dependsOn=[wanted["id"]])
        assert complaint(error) == ("dependsOn", "circle")
        assert error["details"][0]["message"] == f"The task would depend on itself: {circle}."
    assert shown(acme, first) == first


def test_a_task_is_never_part_of_itself(acme):
    first, _, third = chain(acme, 3, "parentId")
    for wanted, circle in ((first, "TASK-1 → TASK-1"), (third, "TASK-1 → TASK-2 → TASK-3 → TASK-1")):
        error = refuse_change(acme, first, 422, "validation_failed", parentId=wanted["id"])
        assert complaint(error) == ("parentId", "circle")
        assert error["details"][0]["message"].endswith(f" {circle}.")
    assert change(acme, third, parentId=first["id"])["parentId"] == first["id"]


def test_a_subtask_never_waits_for_the_task_that_it_is_part_of(acme):
    parent, child = chain(acme, 2, "parentId")
    later = add(acme, dependsOn=[parent["id"]])
    assert complaint(refuse_change(acme, child, 422, None, dependsOn=[parent["id"]])) == ("dependsOn", "circle")
    assert complaint(refuse_change(acme, later, 422, None, parentId=parent["id"])) == ("parentId", "circle")
    body = {"title": "Both", "parentId": parent["id"], "dependsOn": [later["id"]]}
    error = acme.refused("POST", "/tasks", body, status=422)
    assert error["details"][0]["message"].endswith("the new task → TASK-3 → TASK-1 → the new task.")
    assert change(acme, parent, dependsOn=[child["id"]])["dependsOn"] == [child["id"]], "as it does anyway"


def test_a_circle_goes_across_projects(acme):
    site, shop = project(acme, "Site", code="WEB"), project(acme, "Shop", code="SHOP")
    first = add(acme, projectId=site["id"])
    second = add(acme, projectId=shop["id"], dependsOn=[first["id"]])
    error = refuse_change(acme, first, 422, None, dependsOn=[second["id"]])
    assert error["details"][0]["message"].endswith("WEB-1 → SHOP-1 → WEB-1.")


def test_what_a_change_lets_go_closes_no_circle(acme):
    first, second, third = chain(acme, 3, "dependsOn")
    change(acme, third, dependsOn=[])
    change(acme, second, dependsOn=[third["id"]])
    assert change(acme, first, dependsOn=[second["id"]])["dependsOn"] == [second["id"]]


def test_a_long_circle_is_told_in_short(acme):
    made = chain(acme, 30, "dependsOn")
    message = refuse_change(acme, made[0], 422, None, dependsOn=["TASK-30"])["details"][0]["message"]
    assert "TASK-1 → TASK-30 → TASK-29 → TASK-28 → TASK-27 → TASK-26 → … → TASK-6 →" in message


def test_hundreds_of_tasks_that_all_wait_for_each_other_are_seen_through_at_once(acme):
    made = [add(acme) for _ in range(400)]
    with acme.books(write=True):
        WORKSPACE.run(
            "INSERT INTO task_dependency (task_id, depends_on_id)"
            " SELECT later.id, earlier.id FROM task AS later JOIN task AS earlier ON earlier.id < later.id"
        )
    with acme.books():
        ticks = count()
        WORKSPACE.connection().set_progress_handler(lambda: next(ticks) and 0, 1000)
        assert dependencies.circle(made[0]["id"], None, [made[-1]["id"]])
        WORKSPACE.connection().set_progress_handler(None, 0)
    assert next(ticks) < 10_000, "thousands of SQLite's instructions, for 79,800 dependencies"


COUNT = 6
NUMBERS = st.integers(0, COUNT - 1)
WISHES = st.lists(
    st.tuples(NUMBERS, st.one_of(st.sets(NUMBERS, max_size=3), NUMBERS, st.none())), min_size=1, max_size=25
)


def in_circle(waits):
    """Whether something waits for itself, by taking away again and again what waits for nothing that is left."""
    left = dict(waits)
    while free := [each for each, others in left.items() if not others & left.keys()]:
        for each in free:
            del left[each]
    return bool(left)


def waits_for(depends, parents):
    """What each waits for: its dependencies and its parts."""
    return {each: depends[each] | {part for part, whole in parents.items() if whole == each} for each in depends}


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wishes=WISHES)
def test_what_is_accepted_has_no_circle_and_what_is_refused_would_have_closed_one(acme, wishes):
    with acme.books(write=True):
        made = [tasks.add(NewTask(title="Any")) for _ in range(COUNT)]
        keys = {task.key: number for number, task in enumerate(made)}
        depends: dict[int, set[int]] = {number: set() for number in range(COUNT)}
        parents: dict[int, int | None] = {}
        for number, wanted in wishes:
            if isinstance(wanted, set):
                body = TaskChange(depends_on=[made[each].id for each in wanted])
                new_depends, new_parents = {**depends, number: wanted}, parents
            else:
                body = TaskChange(parent_id=None if wanted is None else made[wanted].id)
                new_depends, new_parents = depends, {**parents, number: wanted}
            waits = waits_for(new_depends, new_parents)
            try:
                tasks.change(made[number].id, body)
                assert not in_circle(waits)
                depends, parents = new_depends, new_parents
            except Invalid as refusal:
                assert in_circle(waits)
                circle = [keys[key] for key in re.findall(r"TASK-\d+", refusal.details[0].message)]
                assert circle[0] == circle[-1] == number
                assert all(after in waits[before] for before, after in pairwise(circle))
        for number, task in enumerate(made):
            assert {keys[Task.find(id).key] for id in dependencies.of(task.id)} == depends[number]
            parent = Task.find(task.id).parent_id
            assert (parent and keys[Task.find(parent).key]) == parents.get(number)
