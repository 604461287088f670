"""The first steps of an office: done by the work itself, skipped or put away by those who may."""

import pytest

from erp.kernel import config
from erp.system.backups import backups
from tests.finance.bank.january import statement
from tests.finance.output.test_papers import image
from tests.finance.test_month import month  # noqa: F401 - a fixture
from tests.matrix import ADMINS

PATH = "/workspace/first-steps"


def steps(office):
    return office.ok("GET", "/workspace/home")["firstSteps"]


def undone(office):
    return [one["key"] for one in steps(office)["items"] if not one["isDone"]]


def test_a_step_is_done_by_the_work_itself(acme, month, clock_at, tmp_path):  # noqa: F811
    left = ["address", "iban", "logo", "bankFile", "colleague", "backupElsewhere"]
    assert undone(acme) == left, "there are opening balances, invoices and a tax number"
    workspace = f"/workspace/{acme.workspace_id}"
    line = {"line1": "Deichstraße 9", "line2": None, "postalCode": "20459", "region": None, "country": "DE"}
    acme.ok("PATCH", workspace, {"address": {**line, "city": None}})
    assert undone(acme) == left, "an address has a city"
    done = {
        "address": lambda: acme.ok("PATCH", workspace, {"address": {**line, "city": "Hamburg"}}),
        "iban": lambda: acme.ok("PATCH", workspace, {"iban": "DE89370400440532013000"}),
        "logo": lambda: acme.ok("POST", "/workspace/logo", {"file": image()}),
        "bankFile": lambda: statement(acme),
        "colleague": lambda: acme.ok("POST", "/workspace/invites", {"email": "mei@acme.example", "role": "member"}),
    }
    for key, work in done.items():
        work()
        left.remove(key)
        assert undone(acme) == left, key
    acme.ok("PATCH", workspace, {"taxNumber": None, "vatId": None})
    assert undone(acme) == ["taxNumber", "backupElsewhere"]
    with config.use(acme.installation.config):
        backups.make("manual", tmp_path / "stick")
    shown = steps(acme)
    assert (shown["done"], shown["total"], shown["isHidden"]) == (8, 9, False)
    clock_at("2026-02-08T18:00:00Z")
    assert "backupElsewhere" in undone(acme), "a week is over"


def test_a_step_is_skipped_and_the_list_put_away(acme):
    shown = acme.ok("POST", PATH, {"key": "logo"})
    assert [one["key"] for one in shown["items"] if one["isSkipped"]] == ["logo"]
    assert shown == steps(acme)
    assert (shown["done"], shown["isHidden"]) == (0, False)
    again = acme.ok("POST", PATH, {"key": "logo", "isSkipped": False, "isHidden": True})
    assert (again["isHidden"], [one for one in again["items"] if one["isSkipped"]]) == (True, [])
    assert acme.ok("POST", PATH, {"key": "iban"})["isHidden"] is True, "what is left out stays"
    acme.refused("POST", PATH, {"key": "paper"}, status=422)
    error = acme.refused("POST", PATH, {"isSkipped": True}, status=422)
    assert error["details"][0]["field"] == "key"


@pytest.mark.parametrize("role", ["admin", "accountant", "member"])
def test_only_those_who_change_the_workspace_have_first_steps(acme, role):
    colleague = acme.colleague(role)
    assert (steps(colleague) is not None) == (role in ADMINS.split())
