"""Depreciation runs: what they post, what they refuse, and voiding them."""

import re

import pytest

from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.assets.assets import RUNS, amounts, asset, dispose, draft, run, show
from tests.finance.books.balances import balances
from tests.finance.journals.journals import entry_count, posted
from tests.finance.soundness import problems


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


def test_a_laptop_is_written_off_month_by_month(acme):
    """AC-21: 1,500.00 over 36 months from January: 41.67, 41.66, 41.67."""
    laptop = asset(acme)
    made = [run(acme, f"2026-0{month}") for month in (1, 2, 3)]
    assert [each["total"] for each in made] == ["41.67", "41.66", "41.67"]
    assert (made[0]["number"], made[0]["date"], made[0]["status"]) == ("DEP-2026-001", "2026-01-31", "posted")
    assert amounts(made[0]) == {laptop["number"]: "41.67"}
    assert posted(acme, made[0]["journalEntryId"]) == {"6700": 4_167, "1590": -4_167}
    shown = show(acme, laptop)
    assert (shown["accumulated"], shown["bookValue"], shown["isFullyDepreciated"]) == ("125.00", "1375.00", False)
    assert [(month["depreciation"], month["isPosted"]) for month in shown["months"]][1:4] == [
        ("41.66", True),
        ("41.67", True),
        ("41.67", False),
    ]
    assert [year["depreciation"] for year in shown["years"]] == ["500.00", "500.00", "500.00"]
    type, data = last_event(acme)
    assert (type, data["number"], data["amount"]) == ("depreciation_run.posted", "DEP-2026-003", "41.67")
    assert acme.ok("GET", RUNS) == [acme.ok("GET", f"{RUNS}/{each['id']}") for each in reversed(made)]
    assert problems(acme) == []


def test_a_late_asset_catches_up(acme):
    first, late = asset(acme), draft(acme, name="Desk", inUseOn="2026-02-01")
    run(acme, "2026-03")
    acme.ok("POST", f"/finance/assets/{late['id']}/activate")
    made = run(acme, "2026-04")
    assert amounts(made) == {first["number"]: "41.67", late["number"]: "125.00"}


def test_a_dry_run_posts_nothing(acme):
    asset(acme)
    preview = run(acme, "2026-02", dryRun=True)
    assert (preview["total"], preview["date"]) == ("83.33", "2026-02-28")
    assert entry_count(acme) == 0
    assert acme.ok("GET", RUNS) == []


def test_a_month_is_posted_once_and_none_before_the_last_one(acme):
    asset(acme)
    acme.refused("POST", RUNS, {"month": "2025-12"}, status=409, code="nothing_to_post")
    run(acme, "2026-03")
    acme.refused("POST", RUNS, {"month": "2026-03"}, status=409, code="nothing_to_post")
    late = acme.refused("POST", RUNS, {"month": "2026-02"}, status=409, code="month_before_last_run")
    assert re.match("Depreciation is posted through [A-Z][a-z]+ 2026. ", late["message"])
    ahead = acme.refused("POST", RUNS, {"month": "2026-08"}, status=422, code="date_in_future")
    assert ahead["details"][0]["message"].endswith("Choose an earlier date.")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-05-31", "reason": "Filed"})
    acme.refused("POST", RUNS, {"month": "2026-04"}, status=409, code="period_locked")


def test_of_two_runs_at_once_one_posts(acme):
    asset(acme)
    _, statuses = all_at_once(acme, [(RUNS, {"month": "2026-03"})] * 2)
    assert statuses == {201: 1, 409: 1}
    assert balances(acme) == {"6700": 12_500, "1590": -12_500}


def test_only_the_latest_run_is_voided_and_can_be_posted_again(acme):
    laptop = asset(acme)
    january, february = run(acme, "2026-01"), run(acme, "2026-02")
    assert (january["can"], february["can"]) == (["void"], ["void"])
    acme.refused("POST", f"{RUNS}/{january['id']}/void", {}, status=409, code="later_run")
    void = acme.ok("POST", f"{RUNS}/{february['id']}/void", {"reason": "Too early"})
    assert (void["status"], void["voidReason"], void["can"]) == ("void", "Too early", [])
    assert last_event(acme)[0] == "depreciation_run.void"
    assert show(acme, laptop)["accumulated"] == "41.67"
    acme.refused("POST", f"{RUNS}/{february['id']}/void", {}, status=409, code="invalid_transition")
    assert run(acme, "2026-02")["total"] == "41.66"
    assert balances(acme) == {"6700": 8_333, "1590": -8_333}
    assert problems(acme) == []


def test_a_run_with_an_asset_that_was_disposed_of_stays(acme):
    laptop = asset(acme)
    made = run(acme, "2026-05")
    dispose(acme, laptop, "2026-06-15")
    acme.refused("POST", f"{RUNS}/{made['id']}/void", {}, status=409, code="in_use")


def test_the_entry_of_a_run_is_not_reversed_by_hand(acme):
    asset(acme)
    made = run(acme, "2026-05")
    refusal = acme.refused("POST", f"/finance/journals/{made['journalEntryId']}/reverse", {}, status=409)
    assert made["number"] in refusal["message"]


def test_a_pool_is_spread_over_five_years_from_the_first_month_of_its_year(acme):
    """BK-6: 1,920.00 is 384.00 a year; 900.00 bought in May, in the run of May 75.00."""
    chairs = asset(acme, "1920.00", method="pool", lifeMonths=None)
    assert [year["depreciation"] for year in show(acme, chairs)["years"]] == ["384.00"] * 5
    run(acme, "2026-04")
    lamps = asset(acme, "900.00", method="pool", acquiredOn="2026-05-04", inUseOn="2026-05-04")
    made = run(acme, "2026-05")
    assert amounts(made) == {chairs["number"]: "32.00", lamps["number"]: "75.00"}
    assert posted(acme, made["journalEntryId"]) == {"6720": 10_700, "1590": -10_700}


def test_a_pool_is_rounded_as_a_whole(acme):
    """Three times 333.33 are 999.99: 200.00 a year, not three times 66.67."""
    for name in ("Chair", "Lamp", "Shelf"):
        asset(acme, "333.33", name=name, method="pool")
    assert run(acme, "2026-06")["total"] == "100.00"


def test_a_low_value_asset_is_an_expense_of_its_month(acme):
    phone = asset(acme, "799.00", name="Phone", method="immediate", lifeMonths=None)
    dear = asset(acme, "801.00", name="Dear phone", method="immediate", lifeMonths=None)
    assert phone["warnings"] == []
    (warning,) = dear["warnings"]
    assert (warning["field"], warning["code"]) == ("method", "above_low_value_limit")
    made = run(acme, "2026-01")
    assert posted(acme, made["journalEntryId"]) == {"6710": 160_000, "1590": -160_000}
    assert show(acme, phone)["isFullyDepreciated"]


def test_expenses_are_posted_by_project(acme):
    project = acme.ok("POST", "/projects", {"name": "Site"})
    asset(acme)
    asset(acme, projectId=project["id"])
    run(acme, "2026-01")
    shown = acme.ok(
        "GET",
        "/finance/reports/profit-and-loss",
        params={"dateFrom": "2026-01-01", "dateTo": "2026-01-31", "projectId": project["id"]},
    )
    assert "-41.67" in str(shown)
