"""Lists of time, and its sums."""

import csv
import io
from typing import Any

import pytest

from tests.conftest import Installation
from tests.tasks.tasks import add
from tests.tasks.time.time_logs import LOGS, hourly_task, listed, log, minutes, put_on_invoice, span


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    """An office with the time of two people on three tasks; the minutes are those that tests know the logs by."""
    olga = Installation(tmp_path_factory.mktemp("time")).office("Olga")
    mia = olga.colleague("member")
    customer = olga.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Heron"})
    site, pages = hourly_task(olga, customerId=customer["id"])
    texts, loose = add(olga, "Texts", projectId=site["id"]), add(olga, "Coffee")
    log(olga, loose, 5, date="2026-03-04", note="100 % beans")
    log(olga, pages, 10, date="2026-03-02", note="Front page")
    billed = log(mia, pages, 20, date="2026-03-03", note="Back page")
    log(mia, texts, 40, date="2026-03-03", isBillable=False)
    log(olga, texts, **span("2026-03-03T08:00", "2026-03-03T09:20"))
    put_on_invoice(olga, billed, issued=False)
    vars(olga).update(mia=mia, customer=customer, site=site, pages=pages, texts=texts, loose=loose)
    return olga


def sums(person, group_by, **params):
    """Groups by name: minutes, those billable, those unbilled, and the two amounts."""
    fields = ("minutes", "billableMinutes", "unbilledMinutes", "amount", "unbilledAmount")
    groups = person.ok("GET", LOGS, params={"groupBy": group_by, **params})
    return {group["name"]: tuple(group.get(field) for field in fields) for group in groups}


def test_time_is_listed_the_newest_day_first(office):
    assert minutes(office) == [5, 80, 40, 20, 10]
    assert minutes(office, sort="date") == [10, 20, 40, 80, 5]
    assert minutes(office, sort="createdAt") == [5, 10, 20, 40, 80]
    assert minutes(office, sort="-createdAt") == [80, 40, 20, 10, 5]


def test_time_is_found(office):
    for params, found in (
        ({"userId": "me"}, [5, 80, 10]),
        ({"userId": office.mia.user["id"]}, [40, 20]),
        ({"projectId": office.site["id"]}, [80, 40, 20, 10]),
        ({"customerId": office.customer["id"]}, [80, 40, 20, 10]),
        ({"customerId": office.customer["id"], "sort": "createdAt"}, [10, 20, 40, 80]),
        ({"taskId": office.texts["id"]}, [80, 40]),
        ({"dateFrom": "2026-03-03"}, [5, 80, 40, 20]),
        ({"dateTo": "2026-03-03"}, [80, 40, 20, 10]),
        ({"dateFrom": "2026-03-03", "dateTo": "2026-03-03"}, [80, 40, 20]),
        ({"isBillable": "true"}, [80, 20, 10]),
        ({"isBillable": "false"}, [5, 40]),
        ({"isInvoiced": "true"}, [20]),
        ({"isInvoiced": "false"}, [5, 80, 40, 10]),
        ({"isBillable": "true", "isInvoiced": "false", "userId": "me", "projectId": office.site["id"]}, [80, 10]),
        ({"q": "PAGE"}, [20, 10]),
        ({"q": "page", "sort": "date"}, [10, 20]),
        ({"q": "%"}, [5]),
    ):
        assert minutes(office, **params) == found, params


def test_the_time_of_a_task_is_listed(office):
    path = f"/tasks/{office.texts['id']}/time-logs"
    assert [each["minutes"] for each in office.ok("GET", path)] == [80, 40]
    assert [each["minutes"] for each in office.mia.ok("GET", path)] == [40]
    (group,) = office.ok("GET", path, params={"groupBy": "task"})
    assert (group["taskId"], group["minutes"]) == (office.texts["id"], 120)
    office.refused("GET", "/tasks/none/time-logs", status=404, code="not_found")
    office.refused("GET", path, params={"taskId": "x"}, status=400, code="bad_parameter")


@pytest.mark.parametrize("params", [{}, {"q": "page"}, {"customerId": True}])
@pytest.mark.parametrize("sort", ["date", "-date", "createdAt", "-createdAt"])
def test_time_comes_page_by_page(office, sort, params):
    params = {"sort": sort, **params} | ({"customerId": office.customer["id"]} if "customerId" in params else {})
    found: list[Any] = []
    cursor: Any = {}
    while cursor is not None:
        answer = office.call("GET", LOGS, params={**params, "limit": "1", "total": "true", **cursor}).json
        found += answer["data"]
        following = answer["page"]["nextCursor"]
        cursor = following and {"cursor": following}
    assert found == listed(office, **params)
    assert answer["page"]["total"] == len(found)


def test_a_member_lists_only_her_own_time(office):
    mia = office.mia
    assert minutes(mia) == minutes(mia, userId="me") == minutes(mia, userId=mia.user["id"]) == [40, 20]
    assert sums(mia, "user") == {"Member": (60, 20, 0, None, None)}
    for params in ({}, {"groupBy": "task"}):
        params = {"userId": office.user["id"], **params}
        mia.refused("GET", LOGS, params=params, status=403, code="forbidden")


def test_time_is_summed_by_person_project_task_and_day(office):
    site, pages, texts = office.site, office.pages, office.texts
    whole: dict[str, Any] = {
        "user": {"Olga": (95, 90, 90, "135.00", "135.00"), "Member": (60, 20, 0, "30.00", "0.00")},
        "project": {
            f"{site['code']} Website": (150, 110, 90, "165.00", "135.00"),
            None: (5, 0, 0, "0.00", "0.00"),
        },
        "task": {
            f"{pages['key']} Design": (30, 30, 10, "45.00", "15.00"),
            f"{texts['key']} Texts": (120, 80, 80, "120.00", "120.00"),
            f"{office.loose['key']} Coffee": (5, 0, 0, "0.00", "0.00"),
        },
        "date": {
            "2026-03-04": (5, 0, 0, "0.00", "0.00"),
            "2026-03-03": (140, 100, 80, "150.00", "120.00"),
            "2026-03-02": (10, 10, 10, "15.00", "15.00"),
        },
    }
    for group_by, groups in whole.items():
        assert sums(office, group_by) == groups
    assert list(sums(office, "date")) == list(whole["date"])
    assert list(sums(office, "project")) == list(whole["project"])
    assert sums(office, "user", q="page") == {
        "Olga": (10, 10, 10, "15.00", "15.00"),
        "Member": (20, 20, 0, "30.00", "0.00"),
    }
    assert sums(office, "task", isInvoiced="true") == {f"{pages['key']} Design": (20, 20, 0, "30.00", "0.00")}
    assert sums(office, "date", dateTo="2026-03-01") == {}


def test_groups_name_what_they_are_grouped_by(office):
    for group_by, field, ids in (
        ("user", "userId", {office.user["id"], office.mia.user["id"]}),
        ("project", "projectId", {office.site["id"], None}),
        ("task", "taskId", {office.pages["id"], office.texts["id"], office.loose["id"]}),
        ("date", "date", {"2026-03-02", "2026-03-03", "2026-03-04"}),
    ):
        groups = office.ok("GET", LOGS, params={"groupBy": group_by})
        assert {group[field] for group in groups} == ids
        others = {"userId", "projectId", "taskId", "date"} - {field}
        assert not [group for group in groups if others & group.keys()]


@pytest.mark.parametrize("group_by", ["user", "project", "task", "date"])
def test_sums_equal_the_list(office, group_by):
    for params in ({}, {"isBillable": "true"}, {"userId": "me"}, {"isInvoiced": "false", "dateFrom": "2026-03-03"}):
        groups = office.ok("GET", LOGS, params={"groupBy": group_by, **params})
        assert sum(group["minutes"] for group in groups) == sum(minutes(office, **params))
        cents = [int(each["amount"].replace(".", "")) for each in listed(office, **params)]
        assert sum(int(group["amount"].replace(".", "")) for group in groups) == sum(cents)


def test_a_list_is_summed_with_its_total(office):
    def page(person, path=LOGS, **params):
        return person.call("GET", path, params={"total": "true", "limit": "1", **params}).json["page"]

    whole = {"name": None, "minutes": 155, "billableMinutes": 110, "unbilledMinutes": 90}
    assert page(office)["sums"] == [whole | {"amount": "165.00", "unbilledAmount": "135.00"}]
    assert page(office, taskId=office.texts["id"])["sums"][0]["minutes"] == 120
    assert page(office, f"/tasks/{office.texts['id']}/time-logs")["sums"][0]["minutes"] == 120
    assert page(office.mia)["sums"] == [whole | {"minutes": 60, "billableMinutes": 20, "unbilledMinutes": 0}]
    assert (page(office, q="no such note")["sums"], page(office, q="no such note")["total"]) == ([], 0)
    assert "sums" not in page(office, total="false")


@pytest.mark.parametrize("extra", [{"cursor": "x"}, {"limit": "10"}, {"total": "true"}])
def test_groups_come_all_at_once(office, extra):
    error = office.refused("GET", LOGS, params={"groupBy": "user", **extra}, status=400, code="bad_parameter")
    assert next(iter(extra)) in error["message"]


def test_time_and_its_sums_open_in_a_spreadsheet(office):
    text = office.call("GET", LOGS, params={"format": "csv", "sort": "date", "limit": "2"}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["userName"], row["projectName"]) for row in rows][-2:] == [("Olga", office.site["name"]), ("Olga", "")]
    assert [row["minutes"] for row in rows] == ["10", "20", "40", "80", "5"]
    assert (rows[0]["taskKey"], rows[0]["isBillable"], rows[0]["amount"]) == (office.pages["key"], "true", "15.00")
    text = office.call("GET", LOGS, params={"format": "csv", "groupBy": "date"}).text
    groups = list(csv.DictReader(io.StringIO(text)))
    assert (groups[0]["date"], groups[0]["minutes"]) == ("2026-03-04", "5")
    assert "taskKey" not in groups[0]


def test_time_of_somebody_who_left_is_still_listed(tmp_path):
    olga = Installation(tmp_path / "gone").office("Olga")
    mia = olga.colleague("member")
    logged = log(mia, add(olga, "Pages"), 20)
    assert logged["userName"] == mia.user["name"]
    (member,) = [each for each in olga.ok("GET", "/workspace/members") if each["user"]["id"] == mia.user["id"]]
    olga.ok("DELETE", f"/workspace/members/{member['id']}")
    (shown,) = olga.ok("GET", LOGS)
    assert (shown["userId"], shown["userName"], shown["minutes"]) == (mia.user["id"], mia.user["name"], 20)
