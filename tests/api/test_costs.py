"""Nothing that someone reads without the right tells what anybody's time costs."""

from typing import Any

import pytest

from tests.api.endpoints import ENDPOINTS
from tests.conftest import Office
from tests.hr.employees.employees import hire
from tests.tasks.tasks import add, project
from tests.tasks.time.time_logs import log

SCOPES = ["tasks:read", "finance:read"]
GETS = sorted({path for _, path, verb, _ in ENDPOINTS if verb == "GET"})
MONDAY = "2026-03-09"
SECRETS = ("31.41", "314.10", ":3141,", ":31410,", '"costRate":')
"""The cost of an hour and of ten hours, in money and in minor units, and a field with it."""


@pytest.fixture
def ids(acme: Office, clock_at: Any) -> dict[str, str]:
    """Ten hours that cost 314.10, of an approved week, and two that still follow the rate; the ids of all of it."""
    clock_at("2026-03-16T09:00:00Z")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeApproval": "week", "managersSeeMargin": True})
    mia = acme.colleague("member")
    employee = hire(acme, name="Mia", userId=mia.user["id"], compensation=None)
    rate = {"from": "2026-01-01", "method": "given", "hourlyCost": "31.41"}
    made = acme.ok("POST", f"/hr/employees/{employee['id']}/cost-rates", rate)
    site = project(acme, "Site", code="SITE")
    task = add(acme, "Pages", projectId=site["id"])
    logged = log(mia, task, 600, date=MONDAY)
    log(mia, task, 60, date="2026-03-16")
    mia.ok("POST", f"/tasks/time-weeks/{MONDAY}/submit", {})
    acme.ok("POST", f"/tasks/time-weeks/{MONDAY}/approve", {"userId": mia.user["id"]})
    assert acme.ok("GET", "/tasks/time-logs", params={"ids": logged["id"]})[0]["cost"] == "314.10"
    return {
        "employee": employee["id"],
        "rate_id": made["id"],
        "project": site["id"],
        "task": task["id"],
        "log": logged["id"],
        "user": mia.user["id"],
    }


def addresses(ids: dict[str, str], workspace_id: str) -> Any:
    """Every address that is read, with each of the ids that can stand in it."""
    for path in GETS:
        whole = path.replace("{workspace_id}", workspace_id).replace("{rate_id}", ids["rate_id"])
        whole = whole.replace("{year}", "2026").replace("{date_from}", MONDAY)
        if "{id}" in whole:
            yield from (whole.replace("{id}", id) for id in ids.values())
        elif "{" not in whole:
            yield whole


@pytest.mark.parametrize("role", ["manager", "member", "viewer"])
def test_no_address_tells_a_cost(acme: Office, ids: dict[str, str], role: str) -> None:
    reader, answered = acme.colleague(role), 0
    for address in addresses(ids, acme.workspace_id):
        for params in ({}, {"format": "csv"}):
            answer = reader.call("GET", address.removeprefix("/api/v1"), params=params)
            answered += answer.status_code == 200
            if answer.status_code == 200 and b"\0" not in answer.content:
                assert [secret for secret in SECRETS if secret in answer.text] == [], address
    assert answered > 20


def test_no_event_tells_a_cost(acme: Office, ids: dict[str, str]) -> None:
    """Webhooks send events, and the feed of changes names them."""
    told = acme.call("GET", "/workspace/events", params={"limit": 200}).text
    assert "cost_rate.created" in told
    assert [secret for secret in SECRETS if secret in told] == []


def test_a_token_without_the_scope_sees_no_cost(acme: Office, ids: dict[str, str]) -> None:
    token = acme.ok("POST", "/auth/tokens", {"name": "Time", "workspaceId": acme.workspace_id, "scopes": SCOPES})
    logs = acme.call("GET", "/tasks/time-logs", headers={"Authorization": f"Bearer {token['token']}"})
    assert logs.status_code == 200
    assert [secret for secret in SECRETS if secret in logs.text] == []
