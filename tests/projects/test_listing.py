import csv
import io

import pytest

from tests.finance.contacts.contacts import customer
from tests.projects.projects import PATH, plan, put


def names(office, **params):
    return [project["name"] for project in office.ok("GET", PATH, params=params)]


def test_projects_are_listed_the_newest_first(acme):
    for name in ("Ant", "Zebra", "Mule"):
        plan(acme, name)
    assert names(acme) == ["Mule", "Zebra", "Ant"]


def test_projects_are_found_by_what_they_are(acme):
    heron, mia = customer(acme), acme.colleague("member")
    plan(acme, "Ant", customerId=heron["id"], ownerUserId=acme.user["id"], tags=["web", "50%"])
    plan(acme, "Bee", ownerUserId=mia.user["id"], memberUserIds=[acme.user["id"]], tags=["webshop"], status="active")
    plan(acme, "Cow", memberUserIds=[mia.user["id"], acme.user["id"]], code="XYZ", description="For milk")
    put(acme, plan(acme, "Dog"), status="on_hold")
    for params, found in [
        ({"status": "active"}, ["Bee"]),
        ({"status": "active,on_hold"}, ["Bee", "Dog"]),
        ({"customerId": heron["id"]}, ["Ant"]),
        ({"ownerUserId": mia.user["id"]}, ["Bee"]),
        ({"ownerUserId": "me"}, ["Ant"]),
        ({"memberUserId": "me"}, ["Bee", "Cow"]),
        ({"memberUserId": mia.user["id"]}, ["Cow"]),
        ({"tag": "web"}, ["Ant"]),
        ({"tag": "50%"}, ["Ant"]),
        ({"tag": "we"}, []),
        ({"q": "MILK"}, ["Cow"]),
        ({"q": "xy"}, ["Cow"]),
        ({"q": "do"}, ["Dog"]),
        ({"q": "%"}, []),
        ({"memberUserId": "me", "status": "active"}, ["Bee"]),
    ]:
        assert names(acme, sort="name", **params) == found, params
    assert names(mia, ownerUserId="me") == ["Bee"]


def test_a_status_that_there_is_not_is_no_filter(acme):
    acme.refused("GET", PATH, params={"status": "active,late"}, status=400, code="bad_parameter")


def test_archived_projects_are_listed_alone(acme):
    plan(acme, "Ant")
    acme.ok("POST", f"{PATH}/{plan(acme, 'Old')['id']}/archive")
    assert names(acme) == names(acme, isArchived="false") == ["Ant"]
    assert names(acme, isArchived="true") == ["Old"]


def test_projects_are_sorted_those_without_a_due_date_last(acme):
    for name, code, due in (("Ant", "ZZ", None), ("Bee", "YY", "2026-05-01"), ("Cow", "XX", "2026-04-01")):
        plan(acme, name, code=code, dueDate=due)
    assert names(acme, sort="-name") == ["Cow", "Bee", "Ant"]
    assert names(acme, sort="code") == ["Cow", "Bee", "Ant"]
    assert names(acme, sort="dueDate") == ["Cow", "Bee", "Ant"]
    assert names(acme, sort="-dueDate") == ["Bee", "Cow", "Ant"]


@pytest.mark.parametrize("sort", ["name", "-name", "dueDate", "-dueDate", "createdAt", "-createdAt"])
def test_projects_come_page_by_page(acme, sort):
    for number in range(7):
        plan(acme, f"Project {number % 3}", dueDate=f"2026-0{number}-01" if number % 2 else None)
    found, params = [], {"sort": sort, "limit": 2, "total": "true"}
    while True:
        answer = acme.call("GET", PATH, params=params).json
        found += answer["data"]
        assert answer["page"]["total"] == 7
        if answer["page"]["nextCursor"] is None:
            break
        params["cursor"] = answer["page"]["nextCursor"]
    assert found == acme.ok("GET", PATH, params={"sort": sort})


def test_a_project_is_overdue_after_its_due_date_where_the_caller_is(acme, clock_at):
    late = plan(acme, "Late", dueDate="2026-03-31")
    plan(acme, "Sometime")
    for status in ("completed", "cancelled"):
        put(acme, plan(acme, status, dueDate="2026-03-31"), status=status)
    acme.ok("PATCH", "/auth/me", {"timeZone": "Pacific/Auckland"})
    clock_at("2026-03-31T10:59:00Z")
    assert names(acme, isOverdue="true") == []
    clock_at("2026-03-31T11:01:00Z")
    assert names(acme, isOverdue="true") == ["Late"]
    assert names(acme, isOverdue="false", sort="name") == ["Sometime", "cancelled", "completed"]
    assert [each["isOverdue"] for each in acme.ok("GET", PATH, params={"sort": "name"})] == [True, False, False, False]
    acme.ok("PATCH", "/auth/me", {"timeZone": "UTC"})
    assert names(acme, isOverdue="true") == []
    assert acme.ok("GET", f"{PATH}/{late['id']}")["isOverdue"] is False
    for status in ("planned", "active", "on_hold"):
        put(acme, late, status=status, due_date="2026-03-01")
        assert names(acme, isOverdue="true") == ["Late"]


def test_projects_open_in_a_spreadsheet(acme):
    plan(acme, "+ one", tags=["a", "b"], hourlyRate="90.00")
    answer = acme.call("GET", PATH, params={"format": "csv"})
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["name"], row["tags"], row["hourlyRate"]) == ("'+ one", '["a", "b"]', "90.00")
    assert (row["totals.taskCount"], row["totals.unbilledAmount"]) == ("0", "0.00")
