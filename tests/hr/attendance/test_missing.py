import pytest

from tests.hr.attendance.records import NOW, employee_at_work, grant_leave, marked_day


@pytest.fixture(autouse=True)
def _wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def anna(acme):
    return employee_at_work(acme)


def missing(office, **params):
    rows = office.ok("GET", "/hr/attendance", params={"isMissing": "true", **params})
    return [(row["employeeName"], row["date"], row["expectedMinutes"]) for row in rows]


def test_working_days_without_a_record_are_listed(acme, anna):
    acme.ok("POST", "/hr/holidays", {"date": "2026-03-04", "name": "Founders' day"})
    marked_day(acme, anna, "2026-03-02")
    grant_leave(acme, anna, "2026-03-05")
    grant_leave(acme, anna, "2026-03-06", startHalf=True)
    assert missing(acme) == [
        ("Anna", "2026-03-10", 480), ("Anna", "2026-03-09", 480), ("Anna", "2026-03-06", 240),
        ("Anna", "2026-03-03", 480),
    ]  # fmt: skip
    assert missing(acme, dateFrom="2026-03-03", dateTo="2026-03-03") == [("Anna", "2026-03-03", 480)]
    assert missing(acme, dateFrom="2026-04-01", dateTo="2026-04-30") == []
    (row,) = acme.ok("GET", "/hr/attendance", params={"isMissing": "true", "dateFrom": "2026-03-10"})
    assert (row["id"], row["status"], row["employeeId"], row["workedMinutes"]) == (None, None, anna, 0)


def test_no_day_is_missing_outside_the_employment(acme):
    ben = employee_at_work(acme, "Ben", hireDate="2026-03-04")
    acme.ok("POST", f"/hr/employees/{ben}/terminate", {"date": "2026-03-06"})
    assert missing(acme, sort="date") == [("Ben", f"2026-03-0{day}", 480) for day in (4, 5, 6)]


def test_missing_days_come_in_pages_and_as_a_spreadsheet(acme, anna):
    employee_at_work(acme, "Ben")
    everything = missing(acme, dateFrom="2026-01-01", limit=200)
    assert len(everything) == 2 * (22 + 20 + 7)
    walked: list[tuple[str, str, int]] = []
    cursor: dict[str, str] = {}
    while True:
        params = {"isMissing": "true", "dateFrom": "2026-01-01", "limit": "7", "total": "true", **cursor}
        answer = acme.call("GET", "/hr/attendance", params=params).json
        walked += [(row["employeeName"], row["date"], row["expectedMinutes"]) for row in answer["data"]]
        assert answer["page"]["total"] == len(everything)
        if answer["page"]["nextCursor"] is None:
            break
        cursor = {"cursor": answer["page"]["nextCursor"]}
    assert walked == everything
    table = acme.call("GET", "/hr/attendance", params={"isMissing": "true", "dateFrom": "2026-01-01", "format": "csv"})
    assert len(table.text.splitlines()) == len(everything) + 1


@pytest.mark.parametrize(
    "params",
    [
        {"dateFrom": "2025-01-01", "dateTo": "2026-03-01"},
        {"dateFrom": "2026-03-02", "dateTo": "2026-03-01"},
        {"status": "absent"},
        {"sort": "createdAt"},
    ],
)
def test_missing_days_span_a_year_at_most_and_have_no_status(acme, params):
    acme.refused("GET", "/hr/attendance", params={"isMissing": "true", **params}, status=400, code="bad_parameter")


def test_members_see_only_their_own_missing_days(acme, anna):
    mia = acme.colleague("member")
    employee_at_work(acme, "Mia", mia)
    assert {name for name, *_ in missing(mia)} == {"Mia"}
    assert {name for name, *_ in missing(acme)} == {"Anna", "Mia"}
    mia.refused("GET", "/hr/attendance", params={"isMissing": "true", "employeeId": anna}, status=403, code="forbidden")
