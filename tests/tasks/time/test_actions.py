"""What may be done with logged time now: what `can` offers works, the rest is refused."""

import pytest

from tests.tasks.tasks import add, project


def logged(person, task):
    return person.ok("POST", f"/tasks/{task['id']}/time-logs", {"minutes": 30})


def attempt(person, log, action):
    """Whether a log takes an action."""
    path = f"/tasks/time-logs/{log['id']}"
    answer = person.call("DELETE", path) if action == "delete" else person.call("PATCH", path, {"note": "Again"})
    return answer.status_code < 300


def can(person, log):
    """What a log offers, by itself and in the list."""
    shown = person.ok("GET", f"/tasks/time-logs/{log['id']}")["can"]
    assert [row["can"] for row in person.ok("GET", "/tasks/time-logs") if row["id"] == log["id"]] == [shown]
    return shown


@pytest.mark.parametrize("action", ["delete", "update"])
def test_what_time_offers_works_and_the_rest_is_refused(acme, action):
    member, manager, accountant = (acme.colleague(role) for role in ("member", "manager", "accountant"))
    task = add(acme)
    for person, whose, works in ((member, member, True), (manager, member, True), (accountant, member, False)):
        log = logged(whose, task)
        assert can(person, log) == (["delete", "update"] if works else [])
        assert attempt(person, log, action) == works


@pytest.mark.parametrize("action", ["delete", "update"])
def test_time_of_an_archived_project_offers_nothing(acme, action):
    site = project(acme, "Site")
    log = logged(acme, add(acme, projectId=site["id"]))
    assert can(acme, log) == ["delete", "update"]
    acme.ok("POST", f"/projects/{site['id']}/archive")
    assert can(acme, log) == []
    assert not attempt(acme, log, action)


@pytest.mark.parametrize("action", ["delete", "update"])
def test_time_on_an_invoice_offers_nothing(acme, action):
    customer = acme.ok("POST", "/finance/contacts", {"name": "Globex", "kind": "customer"})
    site = project(acme, "Site", customerId=customer["id"], hourlyRate="90.00")
    log = logged(acme, add(acme, projectId=site["id"]))
    acme.ok("POST", "/finance/invoices/from-time-logs", {"projectId": site["id"]})
    assert can(acme, log) == []
    assert not attempt(acme, log, action)
