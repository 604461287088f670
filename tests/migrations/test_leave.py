"""A file of an earlier version: leave types go on as they were, and leavers keep the leave of the days employed."""

import json
from contextlib import closing

from erp.migrations import migrate, people
from erp.migrations.workspace import STEPS
from erp.store import connections

BEFORE = STEPS[: STEPS.index(people.part_time_and_attendance)]
NOW = "'2026-03-02T09:00:00.000Z'"


def person(file, id, *employments):
    file.execute(
        "INSERT INTO employee (id, version, created_at, updated_at, employee_number, name, employment_type, hire_date)"
        f" VALUES (?, 1, {NOW}, {NOW}, ?, ?, 'full_time', ?)",
        (id, id, id, employments[-1][0]),
    )
    for n, (start, end) in enumerate(employments):
        file.execute("INSERT INTO employment VALUES (?, ?, ?, ?)", (f"{id}-{n}", id, start, end))


def granted(file, id, day, days, kind="allocation"):
    values = (f"{id}-{day}", id, int(day[:4]), day, kind, days)
    file.execute(
        "INSERT INTO leave_entry (id, created_at, employee_id, leave_type_id, year, date, kind, days)"
        f" VALUES (?1, {NOW}, ?2, 'annual', ?3, ?4, ?5, ?6)",
        values,
    )


def imported(file, year):
    data = json.dumps({"year": year, "country": "DE", "subdivision": "BY", "added": 13})
    file.execute(
        f"INSERT INTO event VALUES (1, 'e1', 'holidays.imported', {NOW}, '{{}}', 'holiday', 'DE-2026', ?, ?, 'x')",
        (data, "0" * 64),
    )


def test_an_earlier_file_is_brought_up_to_date(tmp_path):
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        migrate(file, BEFORE)
        file.execute(
            "INSERT INTO leave_type (id, version, created_at, updated_at, name, code, paid, allowance_days, accrual,"
            f" carry_forward_max_days, allow_negative, position) VALUES ('annual', 1, {NOW}, {NOW}, 'Annual', 'annual',"
            " 1, 2000, 'yearly', 0, 0, 0)"
        )
        person(file, "stays", ("2020-01-01", None))
        person(file, "left", ("2020-01-01", "2026-09-18"))
        person(file, "back", ("2020-01-01", "2026-02-28"), ("2026-07-01", None))
        person(file, "monthly", ("2020-01-01", "2026-02-14"))
        for id in ("stays", "left", "back"):
            granted(file, id, "2026-01-01", 2000)
        granted(file, "left", "2025-01-01", 2000)
        granted(file, "monthly", "2026-01-01", 200, "accrual")
        granted(file, "monthly", "2026-02-01", 200, "accrual")
        imported(file, 2026)
        file.commit()
        migrate(file, STEPS)
        sums = file.execute(
            "SELECT employee_id, year, sum(days) FROM leave_entry GROUP BY employee_id, year"
        ).fetchall()
        assert sorted(sums) == [
            ("back", 2026, 1332),  # 20 × 243 ÷ 365
            ("left", 2025, 2000),
            ("left", 2026, 1430),  # 20 × 261 ÷ 365
            ("monthly", 2026, 300),
            ("stays", 2026, 2000),
        ]
        assert file.execute("SELECT allowance_basis FROM leave_type").fetchall() == [("calendar",)]
        assert file.execute("SELECT DISTINCT keeps_attendance FROM employee").fetchall() == [(1,)]
        assert file.execute("SELECT year, country, subdivision FROM holiday_import").fetchall() == [(2026, "DE", "BY")]
