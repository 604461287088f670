"""Time becomes an invoice once, to the cent, and is free again when the invoice is gone."""

import io
import re
from collections import Counter
from datetime import date, timedelta
from itertools import count

import pypdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from erp.finance.documents.models import Invoice
from erp.kernel import money
from erp.store.router import WORKSPACE
from tests.conftest import examples
from tests.crowds import all_at_once
from tests.finance.billing.time_logs import billing_of, hourly_project, project_task, time_invoice, time_log
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line
from tests.refusals import complaint

PATH = "/finance/invoices/from-time-logs"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-10T09:00:00Z")


@pytest.fixture
def globex(acme):
    return customer(acme)["id"]


@pytest.fixture
def web(acme, globex):
    """A project of Globex at 90.00 an hour."""
    return hourly_project(acme, customer_id=globex)["id"]


def refused(office, code, **body):
    return office.refused("POST", PATH, body, status=422, code=code)


def shown(draft, *fields):
    return [tuple(each[field] for field in fields) for each in draft["lines"]]


def test_a_projects_time_becomes_a_draft_with_a_line_for_each_task(acme, web, globex):
    tax = tax_rate(acme, isDefault=True)["id"]
    pages, shop = project_task(acme, web, "Pages"), project_task(acme, web, "Shop")
    first, second = time_log(acme, pages["id"], 90)["id"], time_log(acme, shop["id"], 20)["id"]
    third = time_log(acme, pages["id"], 30, "2026-03-10")["id"]
    answer = acme.call("POST", PATH, {"projectId": web})
    draft = answer.json["data"]
    assert draft.pop("leftOut") == {"minutes": 0, "amount": "0.00"}
    assert answer.headers["location"] == f"/api/v1/finance/invoices/{draft['id']}"
    assert (draft["status"], draft["kind"], draft["customerId"], draft["projectId"], draft["currency"]) == (
        "draft",
        "sales_invoice",
        globex,
        web,
        "EUR",
    )
    assert shown(draft, "description", "quantity", "unit", "unitPrice", "net", "taskId", "projectId", "taxRateId") == [
        ("Pages", "2", "h", "90.00", "180.00", pages["id"], web, tax),
        ("Shop", "0.33", "h", "90.00", "29.70", shop["id"], web, tax),
    ]
    assert shown(draft, "timeLogIds", "loggedMinutes", "billedMinutes") == [
        ([first, third], 120, 120),
        ([second], 20, 20),
    ]
    assert acme.ok("GET", f"/finance/invoices/{draft['id']}") == draft
    assert billing_of(acme, first, second, third) == [
        (draft["id"], 0, 13_500),
        (draft["id"], 1, 2_970),
        (draft["id"], 0, 4_500),
    ]


def test_the_service_is_from_the_first_to_the_last_day_of_the_time(acme, web):
    task = project_task(acme, web)["id"]
    for day in ("2026-03-02", "2026-02-27", "2026-03-01"):
        time_log(acme, task, date=day)
    draft = time_invoice(acme, projectId=web)
    assert draft["servicePeriod"] == {"from": "2026-02-27", "to": "2026-03-02"}
    assert (draft["serviceDate"], draft["taxDate"]) == (None, "2026-03-02")
    time_log(acme, task, date="2026-02-20")
    one_day = time_invoice(acme, projectId=web)
    assert (one_day["serviceDate"], one_day["servicePeriod"]) == ("2026-02-20", None)


def test_time_is_billed_by_person_or_by_day(acme, web):
    anna = acme.colleague("member")
    pages = project_task(acme, web)["id"]
    time_log(acme, pages, 60, "2026-03-03")
    time_log(acme, pages, 30, "2026-03-02", userId=anna.user["id"])
    time_log(acme, pages, 30, "2026-03-02")
    by_user = time_invoice(acme, projectId=web, groupBy="user")
    assert shown(by_user, "description", "quantity", "taskId") == [("Member", "0.5", None), ("Olga", "1.5", None)]
    acme.ok("DELETE", f"/finance/invoices/{by_user['id']}")
    by_date = time_invoice(acme, projectId=web, groupBy="date")
    assert shown(by_date, "description", "quantity", "projectId") == [
        ("2 March 2026", "1", web),
        ("3 March 2026", "1", web),
    ]


def test_people_of_the_same_name_have_a_line_each(acme, web):
    pages = project_task(acme, web)["id"]
    for colleague in (acme.colleague("member"), acme.colleague("member")):
        time_log(acme, pages, userId=colleague.user["id"])
    assert shown(time_invoice(acme, projectId=web, groupBy="user"), "description") == [("Member",), ("Member",)]


def test_each_hourly_rate_has_a_line_of_its_own(acme, web):
    pages, shop = project_task(acme, web)["id"], project_task(acme, web, "Shop", hourlyRate="120.00")["id"]
    for each, own in ((pages, None), (shop, None), (shop, "50.00"), (pages, "90.00")):
        time_log(acme, each, 60, hourlyRate=own)
    draft = time_invoice(acme, projectId=web, groupBy="date")
    assert shown(draft, "unitPrice", "quantity") == [("50.00", "1"), ("90.00", "2"), ("120.00", "1")]


def test_a_customers_projects_are_billed_together_and_named_in_each_line(acme, web, globex):
    shop = hourly_project(acme, "Shop", customer_id=globex, rate="100.00")["id"]
    elsewhere = time_log(
        acme, project_task(acme, hourly_project(acme, "Other", customer_id=customer(acme)["id"])["id"])["id"]
    )["id"]
    first, second = project_task(acme, web), project_task(acme, shop)
    time_log(acme, first["id"])
    time_log(acme, second["id"])
    draft = time_invoice(acme, customerId=globex)
    assert shown(draft, "description", "projectId", "net") == [
        ("Shop: Pages", shop, "100.00"),
        ("Web: Pages", web, "90.00"),
    ]
    assert (draft["projectId"], draft["customerId"]) == (None, globex)
    assert billing_of(acme, elsewhere) == [(None, None, 9_000)]
    assert [each["id"] for each in acme.ok("GET", f"/finance/invoices?projectId={web}")] == [draft["id"]]


def test_projects_of_a_customer_do_not_share_lines(acme, web, globex):
    shop = hourly_project(acme, "Shop", customer_id=globex)["id"]
    time_log(acme, project_task(acme, web)["id"])
    time_log(acme, project_task(acme, shop)["id"])
    assert shown(time_invoice(acme, customerId=globex, groupBy="user"), "description") == [
        ("Shop: Olga",),
        ("Web: Olga",),
    ]


def test_only_billable_time_of_the_days_asked_for_is_billed(acme, web):
    pages = project_task(acme, web)["id"]
    days = ["2026-02-28", "2026-03-01", "2026-03-09", "2026-03-10"]
    logs = [time_log(acme, pages, 60, day)["id"] for day in days]
    free = time_log(acme, pages, 60, days[1], isBillable=False)["id"]
    draft = time_invoice(acme, projectId=web, dateFrom="2026-03-01", dateTo="2026-03-09")
    assert shown(draft, "timeLogIds") == [(logs[1:3],)]
    assert billing_of(acme, free) == [(None, None, 0)]
    assert shown(time_invoice(acme, projectId=web), "timeLogIds") == [([logs[0], logs[3]],)]


def test_time_after_today_waits_unless_it_is_asked_for(acme, web, clock_at):
    clock_at("2026-03-11T09:00:00Z")
    time_log(acme, project_task(acme, web)["id"], date="2026-03-11")
    clock_at("2026-03-10T09:00:00Z")
    assert complaint(refused(acme, "nothing_to_bill", projectId=web)) == ("projectId", "nothing_to_bill")
    time_invoice(acme, projectId=web, dateTo="2026-03-11")


def test_time_is_billed_once(acme, web, globex):
    time_log(acme, project_task(acme, web)["id"])
    time_invoice(acme, projectId=web)
    error = refused(acme, "nothing_to_bill", customerId=globex)
    assert error["message"] == "No billable time entries to invoice until 10 Mar 2026."
    error = refused(acme, "nothing_to_bill", customerId=globex, dateFrom="2026-02-01", dateTo="2026-02-28")
    assert "No billable time entries to invoice from 1 Feb 2026 until 28 Feb 2026" in error["message"]
    assert complaint(error)[0] == "customerId"


def test_requests_at_the_same_moment_bill_no_time_twice(acme, web, globex):
    pages = project_task(acme, web)["id"]
    logs = [time_log(acme, pages, 7)["id"] for _ in range(20)]
    requests = [(PATH, {"projectId": web}), (PATH, {"customerId": globex})] * 4
    answers, statuses = all_at_once(acme, requests)
    assert statuses == {201: 1, 422: 7}
    (draft,) = [answer.json["data"] for answer in answers if answer.status_code == 201]
    assert sorted(draft["lines"][0]["timeLogIds"]) == sorted(logs)
    assert Counter(invoice for invoice, _, _ in billing_of(acme, *logs)) == {draft["id"]: 20}
    with acme.books():
        assert Invoice.select().count() == 1


@pytest.mark.parametrize("body", [{}, {"projectId": "none", "customerId": "none"}])
def test_either_a_project_or_a_customer_is_named(acme, body):
    assert complaint(refused(acme, "validation_failed", **body)) == ("projectId", "exactly_one")


@pytest.mark.parametrize("field", ["projectId", "customerId"])
def test_what_is_billed_is_in_the_workspace(acme, field):
    assert complaint(refused(acme, "unknown_reference", **{field: "none"})) == (field, "unknown_reference")


def test_a_project_without_a_customer_is_not_billed(acme):
    inner = hourly_project(acme, "Inner")["id"]
    time_log(acme, project_task(acme, inner)["id"])
    assert complaint(refused(acme, "no_customer", projectId=inner)) == ("projectId", "no_customer")


def test_an_archived_customer_is_not_billed(acme, web, globex):
    time_log(acme, project_task(acme, web)["id"])
    acme.ok("POST", f"/finance/contacts/{globex}/archive")
    assert complaint(refused(acme, "validation_failed", projectId=web)) == ("projectId", "archived")
    assert complaint(refused(acme, "validation_failed", customerId=globex)) == ("customerId", "archived")


def test_time_without_a_rate_is_named_and_nothing_is_billed(acme, globex):
    cheap = hourly_project(acme, "Cheap", customer_id=globex, rate=None)["id"]
    tasks = [project_task(acme, cheap) for _ in range(12)]
    for each in tasks:
        time_log(acme, each["id"], 40)
        time_log(acme, each["id"], 5)
    priced = time_log(acme, tasks[0]["id"], 60, hourlyRate="60.00")["id"]
    error = refused(acme, "time_without_rate", projectId=cheap)
    assert f"{tasks[0]['key']} (45 minutes), {tasks[1]['key']} (45 minutes)" in error["message"]
    assert error["message"].endswith(f"{tasks[9]['key']} (45 minutes), 2 more tasks.")
    assert billing_of(acme, priced) == [(None, None, 6_000)]


def test_one_minute_and_one_task_more_are_named_in_the_singular(acme, globex):
    cheap = hourly_project(acme, "Cheap", customer_id=globex, rate=None)["id"]
    tasks = [project_task(acme, cheap) for _ in range(11)]
    for each in tasks:
        time_log(acme, each["id"], 1)
    error = refused(acme, "time_without_rate", projectId=cheap)
    assert error["message"].endswith(f"{tasks[9]['key']} (1 minute), 1 more task.")


def test_a_rate_of_zero_is_a_rate(acme, globex):
    gift = hourly_project(acme, "Gift", customer_id=globex, rate="0")["id"]
    time_log(acme, project_task(acme, gift)["id"], 20)
    assert shown(time_invoice(acme, projectId=gift), "net", "unitPrice") == [("0.00", "0.00")]


def test_more_lines_than_an_invoice_holds_are_refused(acme, web):
    pages = project_task(acme, web)["id"]
    with acme.books(write=True):
        WORKSPACE.run_many(
            "INSERT INTO time_log (id, version, created_at, updated_at, task_id, project_id, user_id, date, minutes,"
            " is_billable, amount) VALUES (?, 1, '', '', ?, ?, 'x', date('2024-01-01', ? || ' days'), 60, 1, 9000)",
            [(str(day), pages, web, day) for day in range(501)],
        )
    error = refused(acme, "too_many_lines", projectId=web, groupBy="date")
    assert "501 lines are more than" in error["message"]
    assert "Group by task or user" in error["message"]
    assert shown(time_invoice(acme, projectId=web, groupBy="date", dateFrom="2024-01-02"), "quantity") == [("1",)] * 500


@pytest.mark.parametrize("role", ["manager", "hr", "member", "viewer"])
def test_a_role_without_a_right_to_the_books_bills_no_time(acme, web, role):
    time_log(acme, project_task(acme, web)["id"])
    acme.colleague(role).refused("POST", PATH, {"projectId": web}, status=403, code="forbidden")


def test_an_accountant_bills_time(acme, web):
    time_log(acme, project_task(acme, web)["id"])
    assert time_invoice(acme.colleague("accountant"), projectId=web)["subtotal"] == "90.00"


def test_rates_are_without_tax_and_in_the_currency_of_the_books(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"pricesIncludeTax": True})
    tax = tax_rate(acme, "20")["id"]
    abroad = customer(acme, currency="USD", defaultTaxRateId=tax)["id"]
    time_log(acme, project_task(acme, hourly_project(acme, customer_id=abroad)["id"])["id"])
    draft = time_invoice(acme, customerId=abroad)
    assert (draft["currency"], draft["subtotal"], draft["taxTotal"], draft["total"]) == (
        "EUR",
        "90.00",
        "18.00",
        "108.00",
    )


STEPS = (  # the figures of selling.md 5: step, mode, per; then billed minutes, quantity, net
    (15, "up", "log", 120, "2", "190.00"),
    (15, "up", "day", 105, "1.75", "166.25"),
    (15, "up", "line", 105, "1.75", "166.25"),
    (6, "nearest", "log", 90, "1.5", "142.50"),
    (6, "nearest", "day", 96, "1.6", "152.00"),
    (6, "nearest", "line", 90, "1.5", "142.50"),
    (15, "down", "log", 75, "1.25", "118.75"),
    (1, "nearest", "line", 91, "1.52", "144.40"),
)


def test_hours_are_rounded_by_log_by_day_and_by_line(acme, globex):
    """61 and 8 minutes on Monday, 22 on Tuesday, at 95.00 an hour: what is printed is multiplied."""
    web = hourly_project(acme, customer_id=globex, rate="95.00")["id"]
    task = project_task(acme, web)["id"]
    logs = [time_log(acme, task, *log)["id"] for log in ((61, "2026-03-02"), (8, "2026-03-02"), (22, "2026-03-03"))]
    for step, mode, per, billed, quantity, net in STEPS:
        rule = {"stepMinutes": step, "mode": mode, "per": per}
        draft = time_invoice(acme, projectId=web, timeBilling=rule, dryRun=True)
        expected = [(quantity, "h", net, 91, billed)]
        assert shown(draft, "quantity", "unit", "net", "loggedMinutes", "billedMinutes") == expected, rule
    draft = time_invoice(acme, projectId=web, timeBilling={"stepMinutes": 15, "mode": "down", "per": "log"})
    assert billing_of(acme, *logs) == [(draft["id"], 0, 9_500), (draft["id"], 0, 0), (draft["id"], 0, 2_375)]


def test_an_hour_and_a_minute_are_billed_to_two_places(acme, globex):
    web = hourly_project(acme, customer_id=globex, rate="95.00")["id"]
    time_log(acme, project_task(acme, web)["id"], 61)
    assert shown(time_invoice(acme, projectId=web), "quantity", "net") == [("1.02", "96.90")]


def test_time_that_is_rounded_to_nothing_is_billed_too_and_its_line_can_be_kept(acme, web):
    task = project_task(acme, web)["id"]
    log = time_log(acme, task, 8)["id"]
    rule = {"stepMinutes": 15, "mode": "down"}
    draft = time_invoice(acme, projectId=web, timeBilling=rule)
    assert shown(draft, "quantity", "net", "billedMinutes") == [("0", "0.00", 0)]
    assert billing_of(acme, log) == [(draft["id"], 0, 0)]
    (kept,) = draft["lines"]
    change = {"lines": [{name: kept[name] for name in ("id", "description", "quantity", "unit", "unitPrice")}]}
    acme.ok("PATCH", f"/finance/invoices/{draft['id']}", change)
    change["lines"].append({**change["lines"][0], "id": None})
    error = acme.refused("PATCH", f"/finance/invoices/{draft['id']}", change, status=422, code="validation_failed")
    assert complaint(error) == ("lines[1].quantity", "zero")
    assert acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")["total"] == "0.00"


def test_each_field_is_from_the_nearest_of_project_contact_and_workspace(acme, web, globex):
    def settle(path, **rule):
        return acme.ok("PATCH", path, {"timeBilling": rule})["timeBilling"]

    workspace = f"/workspace/{acme.workspace_id}"
    settle(workspace, stepMinutes=30, mode="up", lineText="{key} {task}, {person}: {note}")
    settle(f"/finance/contacts/{globex}", stepMinutes=15, timeSheet=True)
    assert settle(f"/projects/{web}", mode="down")["mode"] == "down"
    task = project_task(acme, web)
    time_log(acme, task["id"], 50, note="Fonts")
    time_log(acme, task["id"], 2, "2026-03-03", note="Icons")
    draft = time_invoice(acme, projectId=web, dryRun=True)
    assert shown(draft, "description", "quantity") == [(f"{task['key']} Pages, Olga: Fonts; Icons", "0.75")]
    assert draft["timeSheet"] is True
    for gone in (f"/projects/{web}", f"/finance/contacts/{globex}"):
        assert acme.ok("PATCH", gone, {"timeBilling": None})["timeBilling"] is None
    draft = time_invoice(acme, projectId=web, timeBilling={"lineText": "{date} ({note}) {{"}, dryRun=True)
    assert shown(draft, "description", "quantity") == [("2 March 2026 – 3 March 2026 (Fonts; Icons) {", "1")]
    assert draft["timeSheet"] is False
    for path in (workspace, f"/projects/{web}", f"/finance/contacts/{globex}"):
        error = acme.refused("PATCH", path, {"timeBilling": {"lineText": "{total}"}}, status=422)
        assert complaint(error) == ("timeBilling.lineText", "unknown_place"), path
        assert "{project}" in error["details"][0]["message"]
    error = refused(acme, "validation_failed", projectId=web, timeBilling={"stepMinutes": 7})
    assert complaint(error)[0] == "timeBilling.stepMinutes"


DAYS = (date(2010, 1, 1) + timedelta(days=number) for number in count())
"""Each log has a day of its own, for a day has but 24 hours."""

WORK = st.lists(
    st.tuples(st.integers(1, 1440), st.one_of(st.integers(0, 30_000), st.integers(0, 10**11))), min_size=1, max_size=12
)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(work=WORK)
def test_a_line_and_its_logs_come_to_minutes_times_rate_to_the_cent(acme, work):
    globex = customer(acme)["id"]
    one = project_task(acme, hourly_project(acme, customer_id=globex)["id"])["id"]
    logs = {
        time_log(acme, one, minutes, str(next(DAYS)), hourlyRate=money.text(hourly, "EUR"))["id"]: (minutes, hourly)
        for minutes, hourly in work
    }
    draft = time_invoice(acme, customerId=globex)
    amounts = {id: amount for id, (_, _, amount) in zip(logs, billing_of(acme, *logs), strict=True)}
    for each in draft["lines"]:
        minutes = sum(logs[id][0] for id in each["timeLogIds"])
        (hourly,) = {logs[id][1] for id in each["timeLogIds"]}
        hundredths = (minutes * 200 + 60) // 120
        net = (hundredths * hourly + 50) // 100
        assert each["net"] == money.text(net, "EUR")
        assert each["unitPrice"] == money.text(hourly, "EUR")
        assert sum(amounts[id] for id in each["timeLogIds"]) == net
    assert {id for each in draft["lines"] for id in each["timeLogIds"]} == set(logs)


def test_a_dry_run_shows_the_draft_and_leaves_the_time_to_be_billed(acme, web, globex):
    """90 and 30 minutes at 90.00 an hour."""
    task = project_task(acme, web, "Pages")["id"]
    logs = [time_log(acme, task, 90)["id"], time_log(acme, task, 30, "2026-03-10")["id"]]
    answer = acme.call("POST", PATH, {"projectId": web, "dryRun": True})
    preview = answer.json["data"]
    assert (answer.status_code, "location" in answer.headers) == (200, False)
    assert (preview["total"], preview["customerId"], preview["can"]) == ("180.00", globex, [])
    assert shown(preview, "quantity", "net", "timeLogIds") == [("2", "180.00", logs)]
    assert acme.ok("GET", "/finance/invoices") == []
    assert billing_of(acme, *logs) == [(None, None, 13_500), (None, None, 4_500)]
    draft = time_invoice(acme, projectId=web)
    assert shown(draft, "quantity", "net", "timeLogIds") == shown(preview, "quantity", "net", "timeLogIds")
    refused(acme, "nothing_to_bill", projectId=web, dryRun=True)


def the_paper_ends_with_the_time_sheet(content):
    totals, sheet = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages]
    assert "190.00" in totals
    words = " ".join(sheet.split())
    assert "Time sheet" in words
    assert "2 March 2026 Olga" in words
    assert re.search(r"Sum of line 1: Pages 1\.75\b", words)
    assert re.search(r"Sum of line 2: Shop 0\.25\b", words)


def test_the_time_sheet_adds_up_to_the_quantities_and_stays_as_it_was_issued(acme, globex):
    """61 and 8 minutes on Monday, 22 on Tuesday, by day to 15 minutes: 75 and 30, 1.75 h."""
    settle = {"address": {"line1": "1 Way", "city": "Bonn", "country": "DE"}, "taxNumber": "22/815/08154"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", settle)
    acme.ok("PATCH", f"/finance/contacts/{globex}", {"address": settle["address"]})
    web = hourly_project(acme, customer_id=globex, rate="95.00")["id"]
    task, other = project_task(acme, web), project_task(acme, web, "Shop")
    for minutes, day, note in (
        (61, "2026-03-02", "Fonts, 2 kinds"),
        (8, "2026-03-02", None),
        (22, "2026-03-03", "=Icons"),
    ):
        time_log(acme, task["id"], minutes, day, note=note)
    time_log(acme, other["id"], 10, "2026-03-04")
    rule = {"stepMinutes": 15, "mode": "up", "per": "day", "timeSheet": True}
    draft = time_invoice(acme, projectId=web, timeBilling=rule)
    path = f"/finance/invoices/{draft['id']}"
    assert acme.ok("POST", f"{path}/issue")["timeSheet"] is True
    answer = acme.call("GET", f"{path}/time-sheet")
    assert answer.headers["content-type"].startswith("text/csv")
    key = task["key"]
    assert answer.text.splitlines() == [
        "position,date,person,task,note,loggedMinutes,hours",
        f'1,"2026-03-02","Olga","{key} Pages","Fonts, 2 kinds",61,1.10',
        f'1,"2026-03-02","Olga","{key} Pages",,8,0.15',
        f'1,"2026-03-03","Olga","{key} Pages","\'=Icons",22,0.50',
        f'2,"2026-03-04","Olga","{other["key"]} Shop",,10,0.25',
    ]
    content = acme.call("GET", f"{path}/pdf").content
    the_paper_ends_with_the_time_sheet(content)
    acme.ok("POST", f"{path}/void")
    assert acme.call("GET", f"{path}/time-sheet").text == answer.text
    assert acme.call("GET", f"{path}/pdf").content == content
    plain = invoice(acme)["id"]
    acme.refused("GET", f"/finance/invoices/{plain}/time-sheet", status=404, code="no_time_sheet")
    error = acme.refused(
        "POST", "/finance/invoices", {"kind": "deposit_invoice", "timeSheet": True, "lines": [line()]}, status=422
    )
    assert ("timeSheet", "not_needed") in [(each["field"], each["code"]) for each in error["details"]]
