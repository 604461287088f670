"""Days are those of the person, minutes those that really went by."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.paths import DATA
from tests.refusals import complaint_pairs
from tests.tasks.tasks import add
from tests.tasks.time.time_logs import live_in, log, refuse, span, start, stop

ORACLE = json.loads((DATA / "time_and_terms.json").read_text("utf-8"))


def test_every_known_clock_case_counts_real_minutes(installation, clock_at):
    clock_at("2026-01-05T12:00:00Z")
    office = installation.office("Olga")
    task = add(office)
    for case in ORACLE["clock"]:
        live_in(office, case["zone"])
        given = {}
        for name, side in (("startedAt", "in"), ("endedAt", "out")):
            local = datetime.fromisoformat(case[side]).replace(tzinfo=ZoneInfo(case["zone"]), fold=case[f"{side}_fold"])
            given[name] = local.isoformat()
        made = log(office, task, **given)
        assert (made["minutes"], made["date"]) == (case["seconds"] // 60, case["in"][:10]), case
        office.ok("DELETE", f"/tasks/time-logs/{made['id']}")


@pytest.mark.parametrize(
    ("began", "ended", "day", "minutes"),
    [
        ("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-03-29", 60),  # 01:30 to 03:30
        ("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25", 60),  # 02:30 to 02:30
        ("2026-03-28T22:50:00Z", "2026-03-29T00:10:00Z", "2026-03-28", 80),  # over midnight
    ],
)
def test_a_timer_across_a_clock_change_or_midnight_counts_real_minutes(
    installation, clock_at, began, ended, day, minutes
):
    clock_at(began)
    office = installation.office("Olga", timeZone="Europe/Berlin")
    start(office, add(office))
    clock_at(ended)
    made = stop(office)
    assert (made["date"], made["minutes"]) == (day, minutes)


def test_today_is_where_the_person_is(installation, clock_at):
    clock_at("2026-03-16T10:30:00Z")
    olga = installation.office("Olga")
    far_east, far_west = olga.colleague("member"), olga.colleague("member")
    live_in(far_east, "Pacific/Kiritimati")
    live_in(far_west, "Pacific/Pago_Pago")
    task = add(olga)
    assert log(olga, task, 5)["date"] == "2026-03-16"
    assert log(far_east, task, 5)["date"] == "2026-03-17"
    assert log(far_west, task, 5)["date"] == "2026-03-15"
    assert log(olga, task, 5, userId=far_east.user["id"])["date"] == "2026-03-17"
    assert complaint_pairs(refuse(far_west, task, 422, None, minutes=5, date="2026-03-16")) == {("date", "in_future")}
    error = refuse(olga, task, 422, None, minutes=5, date="2026-03-16", userId=far_west.user["id"])
    assert complaint_pairs(error) == {("date", "in_future")}
    log(far_east, task, 5, date="2026-03-17")


def test_a_span_is_of_its_owners_day(installation, clock_at):
    clock_at("2026-03-16T23:00:00Z")
    olga = installation.office("Olga")
    far_east, far_west = olga.colleague("member"), olga.colleague("member")
    live_in(far_east, "Pacific/Kiritimati")
    live_in(far_west, "Pacific/Pago_Pago")
    task, when = add(olga), span("2026-03-16T10:30", "2026-03-16T11:30")
    days = [log(olga, task, **when, userId=each.user["id"])["date"] for each in (olga, far_east, far_west)]
    assert days == ["2026-03-16", "2026-03-17", "2026-03-15"]


def test_time_given_to_somebody_else_is_of_her_day(installation, clock_at):
    clock_at("2026-03-16T23:00:00Z")
    olga = installation.office("Olga")
    far_east = olga.colleague("member")
    live_in(far_east, "Pacific/Kiritimati")
    made = log(olga, add(olga), **span("2026-03-16T10:30", "2026-03-16T11:30"))
    given = olga.ok("PATCH", f"/tasks/time-logs/{made['id']}", {"userId": far_east.user["id"]})
    assert (given["date"], given["minutes"]) == ("2026-03-17", 60)


def test_who_has_no_time_zone_lives_by_that_of_the_workspace(installation, clock_at):
    clock_at("2026-03-16T22:30:00Z")
    olga = installation.office("Olga", timeZone="Asia/Tokyo")
    assert olga.ok("GET", "/auth/session")["user"]["timeZone"] is None
    member, task = olga.colleague("member"), add(olga)
    assert log(olga, task, 5)["date"] == "2026-03-17"
    assert log(olga, task, 5, userId=member.user["id"])["date"] == "2026-03-17"
    live_in(olga, "Europe/Berlin")
    assert log(olga, task, 5)["date"] == "2026-03-16"
    live_in(olga, None)
    assert log(olga, task, 5)["date"] == "2026-03-17"


def test_a_complaint_names_other_time_as_the_owners_clock_showed_it(installation, clock_at):
    clock_at("2026-03-16T12:00:00Z")
    olga = installation.office("Olga", timeZone="Asia/Tokyo")
    task, when = add(olga), span("2026-03-15T14:30", "2026-03-15T15:30")
    log(olga, task, **when)
    assert "23:30 on 15 March to 00:30 on 16 March" in refuse(olga, task, 422, "time_overlap", **when)["message"]
