"""Who reports to whom: never in a circle."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.hr.access.models import Employee
from erp.hr.employees import employees
from erp.hr.employees.employees import EmployeeChange
from erp.kernel.errors import Invalid
from tests.conftest import examples
from tests.hr.employees.employees import change, hire, path_of
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def test_a_circle_of_managers_is_refused_and_shown(acme):
    anna = hire(acme, name="Anna")
    ben = hire(acme, name="Ben", managerEmployeeId=anna["id"])
    cleo = hire(acme, name="Cleo", managerEmployeeId=ben["id"])
    error = acme.refused("PATCH", path_of(anna), {"managerEmployeeId": cleo["id"]}, status=422)
    assert complaint(error) == ("managerEmployeeId", "circle")
    assert "Anna → Cleo → Ben → Anna" in error["details"][0]["message"]
    assert acme.ok("GET", path_of(anna))["managerEmployeeId"] is None
    change(acme, ben, managerEmployeeId=None)
    assert change(acme, anna, managerEmployeeId=cleo["id"])["managerEmployeeId"] == cleo["id"]


def test_no_one_is_their_own_manager(acme):
    anna = hire(acme, name="Anna")
    error = acme.refused("PATCH", path_of(anna), {"managerEmployeeId": anna["id"]}, status=422)
    assert complaint(error) == ("managerEmployeeId", "circle")
    assert "Anna → Anna" in error["details"][0]["message"]


@pytest.mark.parametrize(("last_day", "refused"), [("2026-03-01", True), ("2026-03-02", False)])
def test_someone_who_left_cannot_become_a_manager(acme, last_day, refused):
    boss, anna = hire(acme, name="Boss"), hire(acme)
    acme.ok("POST", path_of(boss, "/terminate"), {"date": last_day})
    body = {"managerEmployeeId": boss["id"]}
    if not refused:
        assert acme.ok("PATCH", path_of(anna), body)["managerEmployeeId"] == boss["id"]
        return
    assert complaint(acme.refused("PATCH", path_of(anna), body, status=422)) == ("managerEmployeeId", "terminated")
    new = {"name": "New", "hireDate": "2026-03-01", **body}
    assert complaint(acme.refused("POST", "/hr/employees", new, status=422)) == ("managerEmployeeId", "terminated")


PEOPLE = 6
WISHES = st.lists(st.tuples(st.integers(0, PEOPLE - 1), st.integers(0, PEOPLE - 1)), max_size=20)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wishes=WISHES)
def test_managers_never_form_a_circle_and_only_circles_are_refused(acme, wishes):
    """Against a model: no one found on the way up from the manager can report to that manager."""
    with acme.books(write=True):
        ids = [add(n) for n in range(PEOPLE)]
        above: dict[int, int] = {}
        for person, manager in wishes:
            wish = EmployeeChange(manager_employee_id=ids[manager])
            if person in climb(above, manager):
                with pytest.raises(Invalid) as refused:
                    employees.change(ids[person], wish)
                assert refused.value.details[0].code == "circle"
            else:
                employees.change(ids[person], wish)
                above[person] = manager


def add(n):
    return Employee.add(
        employee_number=f"N{Employee.select().count()}",
        name=f"Person {n}",
        employment_type="full_time",
        hire_date="2026-01-01",
    ).id


def climb(above, person):
    """A person and everyone above."""
    chain = [person]
    while chain[-1] in above:
        chain.append(above[chain[-1]])
    return chain
