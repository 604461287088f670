import datetime
import json
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.hr.attendance import punches as arithmetic
from erp.hr.attendance.punches import Punch, Rounding
from tests.paths import DATA

CLOCKS = json.loads((DATA / "time_and_terms.json").read_text("utf-8"))["clock"]
QUARTERS = [case for case in json.loads((DATA / "payroll.json").read_text("utf-8"))["time_rounding"] if "step" in case]
UTC = datetime.UTC
ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"]
CHANGES = [
    datetime.datetime.fromisoformat(f"2025-{change}Z")
    for change in ("03-09T07:00", "11-02T06:00", "03-30T01:00", "10-26T01:00", "04-05T15:00", "10-04T15:30")
]
"""When the clocks change in New York, Berlin and on Lord Howe Island, there by half an hour."""


def instant(text, fold, zone):
    return datetime.datetime.fromisoformat(text).replace(fold=fold, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def at(text):
    return datetime.datetime.fromisoformat(f"2026-03-{text}+00:00")


@pytest.mark.parametrize("case", CLOCKS, ids=lambda case: f"{case['zone']} {case['in']}")
def test_the_minutes_of_a_shift_are_those_that_passed(case):
    punch = Punch(
        instant(case["in"], case["in_fold"], case["zone"]), instant(case["out"], case["out_fold"], case["zone"])
    )
    assert arithmetic.punched_minutes([punch], ZoneInfo(case["zone"])) * 60 == case["seconds"]


@pytest.mark.parametrize("case", QUARTERS, ids=lambda case: case["id"])
def test_punches_are_rounded_to_quarters_of_an_hour(case):
    assert Rounding(case["step"]).minutes(case["minutes_past"]) == case["expected_minutes"]


@pytest.mark.parametrize(
    ("mode", "step", "rounded"),
    [
        ("nearest", 15, {0: 0, 1: 0, 7: 0, 8: 15, 14: 15, 22: 15, 23: 30}),
        ("nearest", 10, {4: 0, 5: 10, 14: 10, 15: 20}),
        ("up", 15, {0: 0, 1: 15, 15: 15, 16: 30}),
        ("down", 15, {0: 0, 14: 0, 15: 15, 29: 15}),
        ("nearest", 1, {0: 0, 59: 59}),
    ],
)
def test_every_way_of_rounding(mode, step, rounded):
    assert {past: Rounding(step, mode).minutes(past) for past in rounded} == rounded


def test_punches_are_rounded_without_seconds_because_a_time_clock_shows_none():
    punch = Punch(at("02T08:07:59"), at("02T16:08:00"))
    assert arithmetic.punched_minutes([punch], ZoneInfo("UTC"), Rounding(15)) == 8 * 60 + 15


def test_without_rounding_the_sum_of_the_day_is_to_the_nearest_minute():
    punches = [Punch(at("02T08:00:00"), at("02T08:00:20")), Punch(at("02T09:00:00"), at("02T09:00:10"))]
    assert arithmetic.punched_minutes(punches, ZoneInfo("UTC")) == 1
    assert arithmetic.punched_minutes(punches[:1], ZoneInfo("UTC")) == 0


def test_punches_are_rounded_by_the_local_time():
    """Kathmandu is 5:45 ahead: 02:10 there is 20:25 in Greenwich."""
    punch = Punch(at("02T20:25"), at("02T22:25"))
    assert arithmetic.rounded(punch.start, ZoneInfo("Asia/Kathmandu"), Rounding(60)) == at("02T20:15")
    assert arithmetic.rounded(punch.start, ZoneInfo("UTC"), Rounding(60)) == at("02T20:00")


@st.composite
def _days(draw):
    """Punches of a day around a change of clocks, in order, with the seconds that are worked."""
    begin = draw(st.sampled_from(CHANGES)) + datetime.timedelta(minutes=draw(st.integers(-1500, 600)))
    punches, worked = [], 0
    for gap, length in draw(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 600)), min_size=1, max_size=4)):
        start = begin + datetime.timedelta(minutes=gap)
        begin = start + datetime.timedelta(minutes=length)
        punches.append(Punch(start, begin))
        worked += length
    return punches, worked


@given(_days(), st.sampled_from(ZONES))
def test_whatever_the_clocks_do_the_worked_minutes_are_those_that_passed(day, zone):
    punches, worked = day
    local = [Punch(punch.start.astimezone(ZoneInfo(zone)), punch.end.astimezone(ZoneInfo(zone))) for punch in punches]
    assert arithmetic.punched_minutes(local, ZoneInfo(zone)) == worked
    assert arithmetic.punched_minutes([Punch.of(punch.stored()) for punch in local], ZoneInfo(zone)) == worked


@given(_days(), st.sampled_from(ZONES), st.sampled_from([5, 6, 10, 15, 30]), st.sampled_from(["nearest", "up", "down"]))
def test_rounding_moves_each_end_of_a_punch_by_less_than_a_step(day, zone, step, mode):
    punches, worked = day
    rounded = arithmetic.punched_minutes(punches, ZoneInfo(zone), Rounding(step, mode))
    assert abs(rounded - worked) <= 2 * step * len(punches)
    assert rounded >= 0


def _codes(punches, day, zone):
    """The codes of the complaints about the punches of a day, looked at later."""
    now = datetime.datetime(2026, 1, 1, tzinfo=UTC)
    return {complaint.code for complaint in arithmetic.punch_complaints(punches, day, ZoneInfo(zone), now)}


@given(_days(), st.sampled_from(ZONES))
def test_punches_are_accepted_in_order_and_refused_out_of_order(day, zone):
    punches, _ = day
    first = arithmetic.local_day(punches[0].start, ZoneInfo(zone))
    assert _codes(punches, first, zone) <= {"other_day"}
    if len(punches) > 1:
        swapped = [*punches[1:], punches[0]]
        assert "overlaps" in _codes(swapped, first, zone)


@pytest.mark.parametrize(
    ("status", "halves", "minutes"),
    [
        ("present", 0, 455), ("present", 1, 227), ("present", 2, 0), ("remote", 0, 455), ("half_day", 0, 227),
        ("absent", 0, 0), ("on_leave", 2, 0), ("holiday", 0, 0),
    ],
)  # fmt: skip
def test_a_day_without_punches_counts_as_scheduled(status, halves, minutes):
    assert arithmetic.unpunched_minutes(status, 455, halves) == minutes


@pytest.mark.parametrize(
    ("status", "halves", "minutes"),
    [
        (None, 0, 480),
        ("present", 1, 240),
        ("absent", 2, 0),
        ("half_day", 0, 480),
        ("on_leave", 0, 0),
        ("holiday", 0, 0),
    ],
)
def test_no_work_is_expected_on_leave_and_holidays(status, halves, minutes):
    assert arithmetic.expected_minutes(status, 480, halves) == minutes
