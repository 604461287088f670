"""Whatever is asked for, decided, changed and closed, in any order, the balances are what a recount finds."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from erp.store.router import WORKSPACE
from erp.system.checks import people
from tests.conftest import examples
from tests.hr.employees.employees import at
from tests.hr.leave.applications import balance, hired, leave, type_id, week

FIRST = date(2026, 11, 2)
MOST = 3
"""Days that are carried over at most."""

PLACES = st.integers(0, 150), st.integers(0, 12), st.booleans(), st.booleans()
STEP = st.one_of(
    st.tuples(st.sampled_from(["ask", "enter", "ill", "ill"]), *PLACES),
    st.tuples(st.sampled_from(["approve", "reject", "cancel", "cancel", "decision/undo"]), st.integers(0, 30)),
    st.tuples(st.just("holiday"), st.integers(0, 150), st.sampled_from(["day", "morning", "afternoon"])),
    st.tuples(st.just("workday"), st.integers(0, 9)),
    st.tuples(st.just("schedule"), st.integers(0, 150), st.sampled_from(["1111100", "1110000", "0011111"])),
    st.tuples(st.just("adjust"), st.sampled_from([2026, 2027]), st.sampled_from([-4, -1, 2])),
    st.tuples(st.sampled_from(["close", "close", "reopen"])),
)


class Walk:
    """An employee's leave, and the steps that change it; a step that a rule refuses changes nothing."""

    def __init__(self, office):
        self.office = office
        self.employee = hired(office, workSchedule=week("1111100"))
        self.leaves = []
        self.holidays = []

    def step(self, what, *values):
        if what in ("ask", "enter", "ill"):
            self._enter(what, *values)
        elif what in ("close", "reopen"):
            self.send("POST", f"/hr/leave-years/2026/{what}", {"reason": "Test"} if what == "reopen" else {})
        elif hasattr(self, f"_{what}"):
            getattr(self, f"_{what}")(*values)
        elif self.leaves:
            self.send("POST", f"/hr/leaves/{self.leaves[values[0] % len(self.leaves)]}/{what}", {})

    def _holiday(self, start, part):
        body = {"date": str(FIRST + timedelta(days=start)), "name": "Off", "part": part}
        made = self.send("POST", "/hr/holidays", body)
        self.holidays += [made["id"]] if made else []

    def _workday(self, place):
        if self.holidays:
            self.office.ok("DELETE", f"/hr/holidays/{self.holidays.pop(place % len(self.holidays))}")

    def _schedule(self, start, days):
        version = self.office.ok("GET", f"/hr/employees/{self.employee}")["version"]
        begins = {"workScheduleFrom": str(FIRST + timedelta(days=start)), "version": version}
        self.send("PATCH", f"/hr/employees/{self.employee}", {"workSchedule": week(days), **begins})

    def _adjust(self, year, days):
        body = {"employeeId": self.employee, "year": year, "days": str(days), "note": "Test"}
        self.send("POST", "/hr/leave-adjustments", body)

    def _enter(self, what, start, length, start_half, end_half):
        first = FIRST + timedelta(days=start)
        code = "sick" if what == "ill" else "annual"
        body = leave(str(first), str(first + timedelta(days=length)), startHalf=start_half, endHalf=end_half)
        body |= {"employeeId": self.employee, "leaveTypeId": type_id(self.office, code), "approve": what != "ask"}
        made = self.send("POST", "/hr/leaves", body)
        self.leaves += [made["id"]] if made else []

    def send(self, verb, path, body):
        """The answer, or None if a rule refuses."""
        answer = self.office.call(verb, path, body)
        assert answer.status_code in (200, 201, 409, 422), answer.text
        return answer.json["data"] if answer.status_code < 300 else None


def hundredths(text):
    return round(float(text) * 100)


def recount(walk):
    """Check every balance against the days of the leave and the rule of the close."""
    taken: Counter[tuple[str, int]] = Counter()
    waiting: Counter[tuple[str, int]] = Counter()
    share: Counter[str] = Counter()
    for row in walk.office.ok("GET", "/hr/leaves", params={"employeeId": walk.employee, "limit": 200}):
        if row["status"] in ("pending", "approved"):
            assert sum(hundredths(day["counted"]) for day in row["dayDetails"]) == hundredths(row["days"])
        for day in row["dayDetails"]:
            if row["status"] in ("pending", "approved"):
                sums = taken if row["status"] == "approved" else waiting
                sums[row["leaveTypeName"], int(day["date"][:4])] += hundredths(day["counted"])
            if row["status"] == "approved":
                share[day["date"]] += hundredths(day["fraction"])
    assert all(halves <= 100 for halves in share.values())
    closed = bool(walk.office.ok("GET", "/hr/leave-years"))
    carried = 0
    for year in (2026, 2027):
        found = balance(walk.office, walk.employee, year=year)
        annual = {name: hundredths(value) for name, value in found.items() if name in FIGURES}
        assert annual["taken"] == taken["Annual leave", year]
        assert annual["pending"] == waiting["Annual leave", year]
        assert annual["carriedIn"] == carried
        before = annual["allocated"] + annual["carriedIn"] + annual["adjusted"] - annual["taken"]
        is_closed = closed and year == 2026
        carried = min(before, 100 * MOST) if is_closed else 0
        assert annual["carriedOut"] == carried
        assert annual["expired"] == (before - carried if is_closed else 0)
        assert annual["balance"] == (0 if is_closed else before)
        sick = balance(walk.office, walk.employee, "sick", year=year)
        assert hundredths(sick["balance"]) == -taken["Sick leave", year]


FIGURES = ("allocated", "adjusted", "taken", "pending", "carriedIn", "carriedOut", "expired", "balance")


@pytest.mark.thorough
def test_balances_are_what_a_recount_finds_after_any_order_of_steps(acme, clock_at):
    at(acme, clock_at, "2027-02-15")
    acme.ok("PATCH", f"/hr/leave-types/{type_id(acme)}", {"carryForwardMaxDays": str(MOST)})

    @settings(
        max_examples=examples(40),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(st.lists(STEP, min_size=5, max_size=16))
    def run(steps):
        walk = Walk(acme)
        for step in steps:
            note(f"step {step}")
            walk.step(*step)
            recount(walk)
        with acme.books():
            assert [row for rule in people.RULES for row in WORKSPACE.rows(rule.query)] == []
        for holiday in walk.holidays:
            acme.ok("DELETE", f"/hr/holidays/{holiday}")
        walk.send("POST", "/hr/leave-years/2026/reopen", {"reason": "Next walk"})
        for id in walk.leaves:
            walk.send("POST", f"/hr/leaves/{id}/cancel", {})

    run()
