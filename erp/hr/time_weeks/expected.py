"""The minutes that people are expected to log: their schedule less holidays and leave."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from datetime import date

from erp.hr.attendance import punches
from erp.hr.attendance.days import halves_of_leave
from erp.hr.calendar import work_calendar
from erp.store import sql
from erp.store.router import WORKSPACE

ByDay = Mapping[date, int]

_PEOPLE = """
SELECT id, user_id FROM employee WHERE user_id IS NOT NULL AND expects_time = true
AND (CAST(:users AS TEXT) IS NULL OR user_id IN (SELECT value FROM json_each(:users)))
"""


def minutes(user_ids: Collection[str] | None, start: date, end: date) -> dict[str, ByDay]:
    """The expected minutes of each working day from `start` to `end`, by user; four queries for any number.

    Args:
        user_ids: None for everyone of whom time is expected.
    """
    users = None if user_ids is None else sql.array(user_ids)
    people = dict(WORKSPACE.rows(_PEOPLE, {"users": users}))
    calendars, leave = work_calendar.of(people, start, end), halves_of_leave(people, start, end)
    by_user: dict[str, Counter[date]] = defaultdict(Counter)
    for employee_id, user_id in people.items():
        for day in calendars[employee_id].days(start, end):
            expected = punches.less_leave(day.expected_minutes, leave.get((employee_id, day.date), 0))
            if expected:
                by_user[user_id][day.date] += expected
    return dict(by_user)
