"""The end of a fiscal year: result, months, findings and tax returns, and closing it without an entry."""

from io import BytesIO
from threading import Thread

import pytest
from pypdf import PdfReader

from erp.finance.reports.table import files, pdf
from tests.conftest import PASSWORD
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import entry
from tests.finance.test_month import _month
from tests.refusals import complaint

YEAR, LOCK = "/finance/fiscal-years/2026", "/finance/periods/lock"


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-02-10T18:00:00Z")
    return acme.once(_month)


@pytest.fixture
def in_january(acme, clock_at):
    """Let the year pass: the next time that the clock is asked, it is January, and Olga has signed in again."""

    def pass_year():
        clock_at("2027-01-10T18:00:00Z")
        sign_in_again(acme)

    return pass_year


def sign_in_again(office):
    body = {"email": office.email, "password": PASSWORD}
    office.token = office.installation.call("POST", "/auth/login", body).json["data"]["session"]["token"]
    office.select(office.workspace_id)


def year(office, name="2026"):
    return office.ok("GET", f"/finance/fiscal-years/{name}")


def months(office, name="2026"):
    """The state of each month, and how much is open in it."""
    return {
        each["month"]: (each["status"], {found["kind"]: found["count"] for found in each["findings"]})
        for each in year(office, name)["months"]
    }


def test_the_result_is_that_of_the_books_and_closing_posts_nothing(acme, month, in_january):
    shown = year(acme)
    assert (shown["startDate"], shown["endDate"], shown["result"]) == ("2026-01-01", "2026-12-31", "854.43")
    assert (shown["currency"], shown["isOver"], shown["can"]) == ("EUR", False, [])
    acme.refused("POST", f"{YEAR}/close", {}, status=409, code="year_not_over")
    in_january()
    assert year(acme)["can"] == ["close"]
    error = acme.refused("POST", f"{YEAR}/close", {}, status=422, code="reason_needed")
    assert {detail["code"] for detail in error["details"]} == {
        "unmatched_bank_entries",
        "bills_without_file",
        "lines_without_asset",
    }
    count = len(acme.ok("GET", "/finance/journals", params={"limit": 200}))
    closed = acme.ok("POST", f"{YEAR}/close", {"reason": "No statements of the old bank"})
    assert (closed["status"], closed["lockDate"], closed["result"]) == ("locked", "2026-12-31", "854.43")
    assert (closed["can"], {each["status"] for each in closed["months"]}) == ([], {"locked"})
    assert len(acme.ok("GET", "/finance/journals", params={"limit": 200})) == count
    acme.refused("POST", f"{YEAR}/close", {"reason": "Again"}, status=409, code="year_closed")
    (locked,) = acme.ok("GET", "/finance/periods")["locks"]
    assert locked["reason"] == "No statements of the old bank"


KEPT = {"resourceType": "fiscal_year", "resourceId": "2026"}


def test_closing_keeps_the_reports_of_the_year_as_files(acme, month, in_january):
    in_january()
    assert acme.ok("GET", "/workspace/attachments", params=KEPT) == []
    acme.ok("POST", f"{YEAR}/close", {"reason": "Filed"})
    files = acme.ok("GET", "/workspace/attachments", params=KEPT)
    days = "2026-01-01-2026-12-31.pdf"
    assert sorted(file["name"] for file in files) == [
        f"asset-movements-{days}",
        "balance-sheet-2026-12-31.pdf",
        f"profit-and-loss-{days}",
        f"trial-balance-{days}",
    ]
    (statement,) = [file for file in files if file["name"].startswith("profit")]
    content = acme.call("GET", f"/workspace/attachments/{statement['id']}/content").content
    text = " ".join(PdfReader(BytesIO(content)).pages[0].extract_text().split())
    assert "854.43" in text
    assert "As of event" in text
    path = f"/workspace/attachments/{statement['id']}"
    acme.refused("DELETE", path, headers={"If-Match": f'"{statement["version"]}"'}, status=409)
    acme.ok("POST", "/finance/periods/unlock", {"reason": "A late bill", "throughDate": "2026-11-30"})
    acme.ok("POST", f"{YEAR}/close", {"reason": "Again"})
    assert len(acme.ok("GET", "/workspace/attachments", params=KEPT)) == 8


def test_a_report_of_any_length_is_kept(acme, month, in_january, monkeypatch):
    monkeypatch.setitem(files.MOST_ROWS, "pdf", 1)
    in_january()
    acme.ok("POST", f"{YEAR}/close", {"reason": "Filed"})
    assert len(acme.ok("GET", "/workspace/attachments", params=KEPT)) == 4


@pytest.mark.parametrize(("day", "status"), [("2026-12-30", 503), ("2027-01-05", 200)])
def test_others_post_while_the_reports_are_drawn(acme, month, in_january, monkeypatch, day, status):
    in_january()
    drawn: list[str] = []

    def draw(report):
        if not drawn:
            thread = Thread(target=entry, args=(acme, "5.00"), kwargs={"day": day, "debit": "6400", "credit": "3000"})
            thread.start()
            thread.join()
        drawn.append(report.name)
        return write(report)

    write = pdf.write
    monkeypatch.setattr(pdf, "write", draw)
    answer = acme.call("POST", f"{YEAR}/close", {"reason": "Filed"})
    assert answer.status_code == status, answer.text
    assert len(drawn) == 4
    kept = acme.ok("GET", "/workspace/attachments", params=KEPT)
    assert (len(kept), year(acme)["status"]) == ((4, "locked") if status == 200 else (0, "open"))
    assert acme.ok("GET", "/finance/journals", params={"dateFrom": day, "dateTo": day}), "it was posted meanwhile"
    if status != 200:
        acme.ok("POST", f"{YEAR}/close", {"reason": "Filed"})


def test_a_year_that_the_books_do_not_know_has_no_files(acme):
    params = {"resourceType": "fiscal_year", "resourceId": "1999"}
    refused = acme.refused("GET", "/workspace/attachments", params=params, status=422)
    assert complaint(refused) == ("resourceId", "unknown_reference")


def test_a_loss_is_below_zero_and_the_next_year_begins_at_zero(acme, in_january):
    in_january()
    entry(acme, "5.00", day="2026-03-15", debit="6400", credit="3000")
    entry(acme, "7.00", day="2027-01-05", debit="3000", credit="4000")
    assert (year(acme)["result"], year(acme, "2027")["result"]) == ("-5.00", "7.00")


def test_months_are_a_ladder_with_what_is_open_in_each(acme, month):
    open_in_january = {"unmatched_bank_entries": 7, "bills_without_file": 4}
    assert months(acme)["2026-01"] == ("open", open_in_january)
    assert months(acme)["2026-02"] == ("open", {})
    assert len(months(acme)) == 12
    assert [each["month"] for each in year(acme)["months"] if each["can"]] == ["2026-01"], "February is not over"
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31", "reason": "Reported"})
    assert months(acme)["2026-01"] == ("locked", open_in_january)
    acme.ok("POST", LOCK, {"throughDate": "2026-02-05", "reason": "Reported"})
    assert months(acme)["2026-02"][0] == "partly_locked"
    assert year(acme)["status"] == "partly_locked"


def test_the_tax_returns_of_the_year_say_whether_they_are_locked(acme, month):
    days = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
    acme.ok("POST", "/finance/tax-returns", {**days, "reference": "T-1"})
    (filed,) = year(acme)["taxReturns"]
    assert (filed["dateTo"], filed["reference"], filed["isLocked"]) == ("2026-01-31", "T-1", False)
    acme.ok("POST", LOCK, {"throughDate": "2026-01-31", "reason": "Reported"})
    (filed,) = year(acme)["taxReturns"]
    assert filed["isLocked"] is True
    assert year(acme, "2025")["taxReturns"] == []


def test_a_year_that_begins_within_a_month_has_both_parts_of_it(installation, clock_at):
    clock_at("2026-05-10T18:00:00Z")
    office = installation.office("Una", fiscalYearStart="04-06")
    invoice(office, "10.00", issueDate="2026-04-05", dueDate="2026-04-30", customer={"name": "A"}, draft=True)
    entry(office, "5.00", day="2026-04-05", debit="1010", credit="3000")
    parts = [(each["startDate"], each["endDate"]) for each in year(office, "2026")["months"]]
    assert (parts[0], parts[-1], len(parts)) == (("2025-04-06", "2025-04-30"), ("2026-04-01", "2026-04-05"), 13)
    assert months(office, "2026")["2026-04"] == ("open", {"draft_invoices": 1, "unmatched_bank_entries": 1})
    assert months(office, "2027")["2026-04"] == ("open", {})


def test_years_without_books_are_not_found(acme, month):
    for name in ("2024", "2028", "soon"):
        acme.refused("GET", f"/finance/fiscal-years/{name}", status=404)


def test_who_may_only_read_can_close_nothing(acme, month, in_january):
    in_january()
    viewer = acme.colleague("viewer")
    assert year(viewer)["can"] == []
    assert {tuple(each["can"]) for each in year(viewer)["months"]} == {()}
    viewer.refused("POST", f"{YEAR}/close", {"reason": "Mine"}, status=403)
