"""The month to close: its check-list, its VAT return, its lock, and the entries that the tax advisor lacks."""

import pytest

from tests.finance.closing.test_datev import JANUARY, set_up
from tests.finance.test_month import month  # noqa: F401 - a fixture
from tests.matrix import ACCOUNTING

PATH, LOCK = "/finance/periods/month", "/finance/periods/lock"


def shown(office, asked=None):
    return office.ok("GET", PATH, params={"month": asked} if asked else {})


def test_the_oldest_month_that_is_not_locked_comes_first(acme, month, clock_at):  # noqa: F811
    """The month of the opening balances, 2025-12, was closed in the program before."""
    clock_at("2026-02-28T18:00:00Z")
    january = shown(acme)
    assert (january["month"], january["startDate"], january["endDate"]) == ("2026-01", "2026-01-01", "2026-01-31")
    assert january["months"] == ["2026-02", "2026-01"]
    assert (january["status"], january["lockDate"], january["can"]) == ("open", None, ["lock"])
    years = acme.ok("GET", "/finance/periods")["fiscalYears"]
    assert [(year["year"], year["isOpening"]) for year in years] == [(2026, False), (2025, True)]
    listed = acme.ok("GET", "/finance/periods/check-list", params={"date": "2026-01-31"})["findings"]
    assert january["findings"] == listed
    assert listed
    acme.ok("POST", LOCK, {"throughDate": "2026-02-28", "reason": "All is reported"})
    now = shown(acme)
    assert (now["month"], now["status"], now["isOver"], now["can"]) == ("2026-02", "locked", False, [])
    acme.refused("GET", PATH, params={"month": "2026-03"}, status=400, code="bad_parameter")


def test_a_return_is_filed_once_its_days_are_over(acme, month, clock_at):  # noqa: F811
    """The worked month gets 392.58 back."""
    workspace = f"/workspace/{acme.workspace_id}"
    assert shown(acme, "2026-01")["taxReturn"]["dueDate"] is None, "the form of no country has no day"
    acme.ok("PATCH", workspace, {"taxForm": "de-ustva"})
    assert shown(acme, "2026-01")["taxReturn"]["can"] == ["file"], "the last day is here"
    clock_at("2026-01-30T18:00:00Z")
    running = shown(acme, "2026-01")["taxReturn"]
    assert (running["isOver"], running["can"], running["payable"]) == (False, [], "-392.58")
    clock_at("2026-02-12T09:00:00Z")
    late = shown(acme, "2026-01")["taxReturn"]
    assert (late["form"], late["dueDate"], late["daysLeft"]) == ("de-ustva", "2026-02-10", -2)
    filed = acme.ok("POST", "/finance/tax-returns", JANUARY)
    told = shown(acme, "2026-01")["taxReturn"]
    assert (told["taxReturnId"], told["filedAt"], told["can"]) == (filed["id"], filed["createdAt"], [])
    assert told["daysLeft"] is None
    acme.ok("PATCH", workspace, {"taxFiling": "quarterly"})
    assert shown(acme, "2026-01")["taxReturn"] == told, "what is filed stays filed"
    clock_at("2026-04-12T09:00:00Z")
    quarter = shown(acme, "2026-02")["taxReturn"]
    assert (quarter["dateFrom"], quarter["dateTo"], quarter["isOver"]) == ("2026-01-01", "2026-03-31", True)
    assert quarter["can"] == [], "a filed return is among its days"
    acme.ok("PATCH", workspace, {"taxFiling": "yearly"})
    assert shown(acme, "2026-02")["taxReturn"]["dateTo"] == "2026-12-31"


def test_the_tax_advisor_lacks_entries_until_a_batch_has_them(acme, month):  # noqa: F811
    assert shown(acme, "2026-01")["datev"] is None
    set_up(acme)
    entries = acme.ok("GET", "/finance/journals", params={**JANUARY, "limit": 200})
    before = shown(acme, "2026-01")["datev"]
    assert before == {"missing": len(entries), "stackId": None, "madeAt": None}
    stack = acme.ok("POST", "/finance/datev/stacks", JANUARY)
    assert shown(acme, "2026-01")["datev"] == {"missing": 0, "stackId": stack["id"], "madeAt": stack["createdAt"]}


@pytest.mark.parametrize("role", ["accountant", "viewer"])
def test_only_those_who_keep_the_books_are_offered_acts(acme, month, role):  # noqa: F811
    told = shown(acme.colleague(role), "2026-01")
    acts = (told["can"], told["taxReturn"]["can"])
    assert acts == ((["lock"], ["file"]) if role in ACCOUNTING.split() else ([], []))
