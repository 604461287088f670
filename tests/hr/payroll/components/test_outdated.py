"""A pay template that is used outside its time is a warning of every draft until someone has checked it."""

import pytest

from tests.hr.payroll.payrolls import FEBRUARY, JANUARY, act, paid_employee, path, payroll_run

pytestmark = pytest.mark.usefixtures("wednesday")
SET = "/hr/component-sets/us-2024-single"


@pytest.fixture
def boston(installation):
    office = installation.office("Olga", baseCurrency="USD", country="US")
    paid_employee(office)
    office.ok("POST", f"{SET}/apply")
    return office


def outdated(made):
    return [warning for warning in made["warnings"] if warning["code"] == "template_outdated"]


def test_every_draft_warns_and_says_what_the_template_leaves_out(boston):
    for period, last_day in ((JANUARY, "31 Jan 2026"), (FEBRUARY, "28 Feb 2026")):
        made = payroll_run(boston, period)
        (warning,) = outdated(made)
        (item,) = warning["items"]
        assert item["message"].startswith(
            "United States, federal, 2024, single: a worked example is for 2024, not for pay of "
            f"{last_day}. Not included: the standard deduction"
        )
        assert item["message"].endswith("Check the figures, then acknowledge them for 2026.")
        assert (item["template"], "state and local taxes" in item["leavesOut"]) == ("us-2024-single", True)
        assert outdated(boston.ok("GET", path(made)))
    assert outdated(payroll_run(boston, {"periodStart": "2026-03-01", "periodEnd": "2026-03-31"}, dryRun=True))


def test_applying_it_warns_at_once(boston, clock_at):
    again = boston.ok("POST", f"{SET}/apply")
    assert "is for 2024, not for pay of 11 Mar 2026" in again["warning"]
    assert "state and local taxes" in again["leavesOut"]


def test_once_acknowledged_the_drafts_of_that_year_no_longer_warn_and_those_of_the_next_do(boston):
    made = payroll_run(boston)
    body = {"year": 2026, "note": "Brackets of 2026 entered"}
    check = boston.ok("POST", f"{SET}/acknowledge", body)
    assert (check["template"], check["year"], check["acknowledgedByUserId"], check["note"]) == (
        "us-2024-single", 2026, boston.user["id"], "Brackets of 2026 entered",
    )  # fmt: skip
    assert outdated(boston.ok("GET", path(made))) == []
    event = boston.ok("GET", "/workspace/events")[0]
    assert (event["type"], event["data"]) == (
        "component_set.acknowledged", {"code": "us-2024-single", "year": 2026},
    )  # fmt: skip
    assert outdated(payroll_run(boston, FEBRUARY, payDate="2027-01-02"))
    shown = {template["code"]: template["acknowledgedYears"] for template in boston.ok("GET", "/hr/component-sets")}
    assert shown["us-2024-single"] == [2026]


def test_acknowledging_again_changes_nothing(boston):
    first = boston.ok("POST", f"{SET}/acknowledge", {})
    assert first["year"] == 2026
    assert boston.colleague("hr").ok("POST", f"{SET}/acknowledge", {"note": "Me too"}) == first


def test_in_its_own_year_a_template_does_not_warn(boston, clock_at):
    made = payroll_run(boston, JANUARY, payDate="2024-12-31")
    assert outdated(made) == []


def test_figures_that_the_office_has_changed_are_its_own(boston):
    rows = [row for row in boston.ok("GET", "/hr/pay-components") if row["code"].startswith("us-2024-")]
    for row in rows[:-1]:
        change = {"percent": "1.5"} if row["percent"] else {"brackets": [{"rate": "10"}]}
        boston.ok("PATCH", f"/hr/pay-components/{row['id']}", change)
    assert outdated(payroll_run(boston))
    boston.ok("POST", f"/hr/pay-components/{rows[-1]['id']}/archive")
    assert outdated(payroll_run(boston, FEBRUARY)) == []


def test_an_approved_run_no_longer_warns(boston):
    made = payroll_run(boston)
    assert outdated(act(boston, made, "approve")) == []


def test_who_may_not_write_payroll_acknowledges_nothing_and_no_unknown_template_is(boston):
    boston.colleague("accountant").refused("POST", f"{SET}/acknowledge", {}, status=403, code="forbidden")
    boston.refused("POST", "/hr/component-sets/atlantis/acknowledge", {}, status=404, code="not_found")
