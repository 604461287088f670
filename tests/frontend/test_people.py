"""The screens of everybody's own page, of leave and of attendance: what each job costs and shows."""

import re
from datetime import timedelta

import pytest

from tests.frontend.conftest import expect, first_request, today
from tests.servers import wait_for

pytestmark = pytest.mark.browser

KEPT = """new Promise((done) => {
    const isKept = () => Object.keys(localStorage).some((name) => name.includes("/leave/"));
    const look = () => (isKept() ? done() : setTimeout(look, 20));
    look();
})"""
PROBE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'


def ask(desk, first, last, reason=None):
    return desk.api("POST", "/hr/leaves", {"startDate": first, "endDate": last, "reason": reason})


def test_leave_is_asked_for_with_four_keys_beside_the_two_days(at_desk):
    desk = at_desk("priya")
    page = desk.go("/me")
    desk.press("l")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=startDate]:focus").wait_for()
    desk.type("2027-04-05")
    desk.press("Tab")
    dialog.locator("[name=endDate]:focus").wait_for()
    desk.type("2027-04-09")
    desk.press("Tab")
    dialog.get_by_text("5 days in total.").wait_for()
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    assert desk.keys <= 4
    newest = desk.api("GET", "/hr/leaves?limit=1")[0]
    assert (newest["startDate"], newest["endDate"], newest["status"]) == ("2027-04-05", "2027-04-09", "pending")


def test_asking_shows_what_speaks_against_it_and_keeps_what_was_typed_over_a_reload(at_desk):
    desk = at_desk("mei")
    page = desk.go("/me?ask=leave")
    dialog = page.get_by_role("dialog")
    asked = first_request(desk, "Mei")
    dialog.locator("[name=startDate]").fill(f"{asked}")
    dialog.locator("[name=endDate]").fill(f"{asked + timedelta(days=1)}")
    page.keyboard.press("Tab")
    dialog.locator("p.bad").first.wait_for()  # Mei has already asked for these days
    page.evaluate(KEPT)
    desk.go("/me?ask=leave")
    dialog.get_by_text("Not saved, on this device since").wait_for()
    expect(dialog.locator("[name=startDate]")).to_have_value(re.compile(f"{asked.day} {asked:%b}"))
    dialog.get_by_role("button", name="Discard").click()
    expect(dialog.locator("[name=startDate]")).to_have_value("")


def test_leave_is_approved_by_one_click_seeing_who_else_is_away(at_desk):
    priya, rui, manager = at_desk("priya"), at_desk("rui"), at_desk("jonas", width=360, scheme="dark")
    away = ask(rui, "2027-05-03", "2027-05-04")
    asked = ask(priya, "2027-05-04", "2027-05-05", PROBE)
    manager.api("POST", f"/hr/leaves/{away['id']}/approve", {})
    manager.offer_undo_longer()
    page = manager.go("/leave")
    row = page.get_by_role("listitem").filter(has_text="4 May 2027")
    row.get_by_text("also away: Rui Carvalho").wait_for()
    expect(row).to_contain_text(PROBE)
    assert manager.refusals() == []
    assert not manager.is_wide()
    row.get_by_role("button", name="Approve").click()
    row.wait_for(state="detached")
    assert manager.api("GET", f"/hr/leaves/{asked['id']}")["status"] == "pending"
    page.get_by_role("button", name="Undo").click()
    row.wait_for()
    row.get_by_role("button", name="Approve").click()
    row.wait_for(state="detached")
    with page.expect_response("**/approve"):
        page.evaluate("dispatchEvent(new Event('pagehide'))")
    manager.go("/leave?status=approved").get_by_role("row", name="Priya Raman 4 May 2027").wait_for()
    assert manager.api("GET", f"/hr/leaves/{asked['id']}")["status"] == "approved"


def test_nobody_is_asked_to_decide_on_their_own_leave(at_desk):
    desk = at_desk("rui")
    ask(desk, "2027-06-07", "2027-06-08")
    row = desk.go("/leave").get_by_role("listitem").filter(has_text="7 Jun")
    row.get_by_role("button", name="Withdraw").wait_for()
    expect(row.get_by_role("button", name="Approve")).to_have_count(0)


def test_a_corrected_day_is_approved_by_the_manager(at_desk):
    member, manager = at_desk("mei", width=360), at_desk("jonas")
    page = member.go("/me")
    page.get_by_role("button", name="Something wrong?").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=date]").fill("2026-11-19")
    dialog.get_by_label("Clocked in at").fill("8:00")
    dialog.get_by_label("Clocked out at").fill("16:30")
    dialog.get_by_label("Break").fill("45")
    dialog.get_by_label("Reason").fill("Forgot to clock out")
    expect(dialog.get_by_label("Break")).to_have_value("0:45")
    assert member.refusals() == []
    dialog.get_by_role("button", name="Request").click()
    dialog.wait_for(state="detached")
    page = manager.go("/attendance?view=corrections")
    row = page.get_by_role("listitem").filter(has_text="Mei Takahashi requests a correction")
    expect(row).to_contain_text("8:00–16:30 · Break 0:45 · Forgot to clock out")
    expect(manager.go("/").get_by_text("8:00–16:30 · Break 0:45 · Forgot to clock out")).to_be_visible()
    manager.go("/attendance?view=corrections")
    row.get_by_role("button", name="Approve").click()
    row.wait_for(state="detached")
    expect(
        manager.go("/attendance?view=day&date=2026-11-19").get_by_role("row").filter(has_text="8:00–16:30")
    ).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
def test_several_requests_for_leave_are_decided_at_once(at_desk, width):
    member, desk = at_desk("mei"), at_desk("jonas", width)
    kind = next(one["id"] for one in member.api("GET", "/hr/leave-types") if one["name"] == "Annual leave")
    month = "09" if width == 360 else "10"
    for day in ("06", "07"):
        body = {"leaveTypeId": kind, "startDate": f"2027-{month}-{day}", "endDate": f"2027-{month}-{day}"}
        member.api("POST", "/hr/leaves", body)
    own = member.go("/leave").get_by_role("main").get_by_role("listitem").filter(has_text="2027")
    expect(own.first).to_be_visible()
    expect(own.get_by_role("checkbox")).to_have_count(0)  # no one decides on their own leave
    desk.offer_undo_longer()
    page = desk.go("/leave")
    mine = page.get_by_role("main").get_by_role("listitem").filter(has_text=re.compile("Mei Takahashi.* 2027"))
    expect(mine).to_have_count(2)
    bar = page.get_by_role("region", name="Selected rows")
    desk.press("x")
    expect(bar).to_contain_text("1 selected")
    bar.get_by_role("button", name="Select none").click()
    for one in mine.get_by_role("checkbox").all():
        one.click()
    expect(bar).to_contain_text("2 selected")
    mine.first.get_by_role("button", name="Reject").click()
    expect(bar).to_contain_text("1 selected")  # the other one is decided already
    page.get_by_role("button", name="Undo").click()
    expect(bar).to_contain_text("2 selected")
    assert not desk.is_wide()
    assert desk.refusals() == []
    decide_on_all_and_take_back(desk, mine, bar, member, month)
    page = desk.go("/leave?status=all")  # what is held is sent when the page is left
    rejected = page.locator("main [data-row]", has_text="Mei Takahashi").filter(has_text=f"6 {MONTHS[month]} 2027")
    expect(rejected).to_contain_text("rejected")
    assert {(one["status"], one["decisionNote"]) for one in asked(member, month)} == {("rejected", "Trade fair")}
    rejected.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Undo decision").click()
    expect(rejected).to_contain_text("waiting")
    for one in asked(member, month):
        if one["status"] == "pending":
            member.api("POST", f"/hr/leaves/{one['id']}/cancel", {})


def decide_on_all_and_take_back(desk, mine, bar, member, month):
    """Reject, undo, approve, undo, and reject in the end."""
    page = desk.page
    bar.get_by_role("button", name="Reject all").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Note").fill("Trade fair")
    assert desk.refusals() == []
    desk.press("Enter")
    expect(mine).to_have_count(0)
    expect(bar).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")
    page.get_by_role("button", name="Undo").click()
    expect(bar).to_contain_text("2 selected")
    bar.get_by_role("button", name="Approve all").click()
    expect(mine).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    assert {one["status"] for one in asked(member, month)} == {"pending"}
    bar.get_by_role("button", name="Reject all").click()
    dialog.get_by_label("Note").fill("Trade fair")
    desk.press("Enter")
    expect(mine).to_have_count(0)


MONTHS = {"09": "Sept", "10": "Oct"}


def asked(member, month):
    days = (f"2027-{month}-06", f"2027-{month}-07")
    return [one for one in member.api("GET", "/hr/leaves?limit=200") if one["startDate"] in days]


@pytest.mark.parametrize("width", [360, 1280])
def test_a_sick_note_of_another_person_takes_ten_keys_with_the_name(at_desk, width):
    desk = at_desk("leila", width=width)
    day = "2027-07-05" if width == 360 else "2027-07-06"
    page = desk.go("/leave")
    desk.press("n")
    dialog = page.get_by_role("dialog")
    person = dialog.locator("[name=employeeId]")
    expect(person).to_have_value("Leïla Benhaddou")
    expect(dialog.get_by_label("Approve at once")).to_have_count(0)
    desk.press("p", "r", "i")
    page.locator("[role=option]:visible", has_text="Priya").wait_for()
    desk.press("Enter")
    dialog.locator("[name=leaveTypeId]:focus").wait_for()
    desk.press("s", "Tab")
    expect(dialog.locator("[name=startDate]")).not_to_have_value("")  # today
    desk.type(day)
    desk.press("Tab")
    desk.type(day)
    dialog.get_by_text("1 day in total").wait_for()
    expect(dialog).not_to_contain_text("left now")  # of sick leave nothing is granted
    expect(dialog.get_by_label("Approve at once")).to_be_checked()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    assert desk.keys <= 10
    newest = desk.api("GET", f"/hr/leaves?dateFrom={day}&dateTo={day}")[0]
    assert [newest[name] for name in ("employeeName", "startDate", "endDate", "leaveTypeName", "status")] == [
        "Priya Raman",
        day,
        day,
        "Sick leave",
        "approved",
    ]


@pytest.mark.parametrize("width", [360, 1280])
def test_a_day_of_another_person_is_entered_changed_and_deleted(at_desk, width):
    desk = at_desk("jonas", width=width)
    day = "2026-11-22" if width == 360 else "2026-11-21"  # a weekend
    desk.offer_undo_longer()
    page = desk.go(f"/attendance?view=day&date={day}")
    row = page.locator("main [data-row]", has_text="Rui")
    expect(page.locator("main [data-row]", has_text="Jonas")).to_have_count(1)
    expect(row).not_to_contain_text("Present")
    row.locator("[data-opens]").focus()
    desk.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=punches]:focus").wait_for()
    desk.type("8-12, 12.30")
    desk.press("Enter")
    expect(dialog.locator("[name=punches][aria-invalid=true]:focus")).to_be_visible()
    dialog.locator("[name=punches]").fill("8-12, 12:30-17")
    dialog.get_by_label("Note").fill("Stocktaking")
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    desk.press("Enter")
    dialog.wait_for(state="detached")
    expect(row).to_contain_text("8:00–12:00, 12:30–17:00")
    expect(row).to_contain_text("8:30")
    (record,) = desk.api("GET", f"/hr/attendance?dateFrom={day}&dateTo={day}")
    assert (record["employeeName"], record["workedMinutes"], record["note"]) == ("Rui Carvalho", 510, "Stocktaking")
    row.click()
    expect(dialog.locator("[name=punches]")).to_have_value("8:00–12:00, 12:30–17:00")
    dialog.get_by_label("Break").fill("15")
    desk.press("Enter")
    dialog.wait_for(state="detached")
    expect(row).to_contain_text("8:15")
    row.click()
    dialog.get_by_role("button", name="Delete").click()
    expect(row).not_to_contain_text("8:15")
    page.get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("8:15")
    row.click()
    dialog.get_by_role("button", name="Delete").click()
    expect(row).not_to_contain_text("8:15")
    assert page.evaluate("document.activeElement !== document.body")
    desk.go(f"/attendance?view=day&date={day}")  # what is held back is sent when the page is left
    wait_for(lambda: desk.api("GET", f"/hr/attendance?dateFrom={day}&dateTo={day}") == [])
    expect(row).to_be_visible()
    expect(row).not_to_contain_text("8:15")


def test_the_times_of_a_day_are_no_number_of_times_in_german(at_desk):
    desk = at_desk("jonas", width=360, locale="de-DE")
    before = desk.api("GET", "/auth/session")["user"]["locale"]
    desk.api("PATCH", "/auth/me", {"locale": "de"})
    page = desk.go("/attendance?view=day&date=2026-11-22")
    page.locator("main [data-row]", has_text="Rui").locator("[data-opens]").click()
    expect(page.get_by_role("dialog").get_by_label("Zeiten")).to_be_focused()
    desk.api("PATCH", "/auth/me", {"locale": before})


@pytest.mark.parametrize("width", [360, 1280])
def test_the_same_day_of_several_people_is_entered_at_once_or_refused_by_name(at_desk, width):
    desk = at_desk("jonas", width=width, scheme="dark")
    desk.quiet = False
    day = "2026-11-16" if width == 360 else "2026-11-17"
    records = desk.api("GET", f"/hr/attendance?dateFrom={day}&dateTo={day}")
    for one in records:
        if one["employeeName"] in ("Mei Takahashi", "Rui Carvalho"):
            desk.api("DELETE", f"/hr/attendance/{one['id']}")
    page = desk.go(f"/attendance?view=day&date={day}")
    rows = page.locator("main [data-row]")
    expect(rows.filter(has_text="Rui")).to_contain_text("Missing")
    for name in ("Mei", "Priya", "Rui"):
        rows.filter(has_text=name).get_by_role("checkbox").click()
    desk.press("b")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=punches]:focus").wait_for()
    desk.type("8-17")
    dialog.get_by_label("Note").fill("Fair")
    expect(dialog.get_by_text("2 days in total.")).to_be_visible()  # Priya has a record
    dialog.get_by_label("Leave out days").click()
    refused = re.compile(f"Priya Raman, {day[-2:]} Nov 2026: .*already has a record")
    expect(dialog.get_by_text(refused)).to_be_visible()
    dialog.get_by_role("button", name="Record").click()
    expect(dialog.locator(".form-errors")).to_contain_text(refused)
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    listed = desk.api("GET", f"/hr/attendance?dateFrom={day}&dateTo={day}")
    assert len(listed) == len(records) - 2  # none is recorded
    dialog.get_by_label("Leave out days").click()
    dialog.get_by_role("button", name="Record").click()
    dialog.wait_for(state="detached")
    expect(rows.filter(has_text="Rui")).to_contain_text("8:00–17:00")
    fair = [one for one in desk.api("GET", f"/hr/attendance?dateFrom={day}&dateTo={day}") if one["note"] == "Fair"]
    assert {(one["employeeName"], one["workedMinutes"]) for one in fair} == {
        ("Mei Takahashi", 540),
        ("Rui Carvalho", 540),
    }


def test_the_decision_on_a_correction_is_undone_by_a_button(at_desk):
    member, desk = at_desk("mei"), at_desk("jonas")
    body = {"date": "2026-11-18", "status": "remote", "reason": "Was at the site"}
    made = member.api("POST", "/hr/attendance-corrections", body)
    desk.api("POST", f"/hr/attendance-corrections/{made['id']}/reject", {})
    page = desk.go("/attendance?view=corrections")
    row = page.locator("main [data-row]", has_text="Was at the site")
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Undo decision").click()
    waiting = page.get_by_role("listitem").filter(has_text="Was at the site")
    expect(waiting).to_be_visible()
    waiting.get_by_role("checkbox").click()
    bar = page.get_by_role("region", name="Selected rows")
    bar.get_by_role("button", name="Approve all").click()
    expect(waiting).to_have_count(0)
    page = desk.go("/attendance?view=day&date=2026-11-18")  # what is held is sent when the page is left
    expect(page.locator("main [data-row]", has_text="Mei")).to_contain_text("Remote")
    assert member.api("GET", f"/hr/attendance-corrections/{made['id']}")["status"] == "approved"


@pytest.mark.parametrize("view", ["now", "day", "month", "corrections"])
def test_a_manager_sees_the_attendance_of_those_who_report_to_them(at_desk, view):
    desk = at_desk("jonas", width=360, scheme="dark")
    page = desk.go(f"/attendance?view={view}")
    page.get_by_role("heading", name="Attendance").wait_for()
    desk.settle()
    assert desk.refusals() == []
    assert not desk.is_wide()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_balance_is_adjusted_with_its_reason(at_desk, width, scheme):
    desk = at_desk("leila", width, scheme)
    desk.quiet = False
    page = desk.go("/leave?view=balances")
    mine = page.locator("main [data-row]", has_text="Priya").filter(has_text="Annual leave")
    mine.get_by_role("button", name=re.compile("Actions")).click()
    page.get_by_role("menuitem", name="Adjust").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Days").fill("-1.5")
    dialog.get_by_role("button", name="Adjust").click()
    expect(dialog.locator("[name=note][aria-invalid=true]")).to_be_visible()
    assert desk.refusals() == []
    dialog.get_by_label("Reason").fill(f"Left early {width}")
    before = adjusted(desk, "Priya")
    dialog.get_by_role("button", name="Adjust").click()
    expect(dialog).to_be_hidden()
    assert adjusted(desk, "Priya") == before - 1.5
    assert not desk.is_wide()
    expect(at_desk("jonas").go("/leave?view=balances").get_by_role("button", name="Actions")).to_have_count(0)


def adjusted(desk, name):
    rows = desk.api("GET", "/hr/leave-balances")
    (row,) = [row for row in rows if row["employeeName"].startswith(name) and row["name"] == "Annual leave"]
    return float(row["adjusted"])


def test_a_leave_year_is_closed_after_a_look_at_what_is_carried_over(at_desk):
    desk, year = at_desk("leila"), str(today().year - 1)
    page = desk.go("/leave?view=balances")
    page.get_by_role("navigation", name="Year").get_by_role("link", name=year).click()
    page.get_by_role("button", name=f"Close {year}").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("You can reopen the year.")).to_be_visible()
    assert desk.refusals() == []
    dialog.get_by_role("button", name=f"Close {year}").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text(f"Leave year {year} closed.").first).to_be_visible()
    page.get_by_role("button", name=f"Reopen {year}").click()
    dialog.get_by_label("Reason").fill("Sick notes came late")
    dialog.get_by_role("button", name=f"Reopen {year}").click()
    expect(page.get_by_role("button", name=f"Close {year}")).to_be_visible()
    assert desk.api("GET", "/hr/leave-years") == []


@pytest.mark.parametrize("width", [360, 1280])
def test_someone_is_entered_as_ill_and_corrected_from_their_page(at_desk, width):
    desk = at_desk("leila", width=width)
    (person,) = desk.api("GET", "/hr/employees?q=Priya")
    page = desk.go(f"/people/{person['id']}")
    desk.press("i")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(re.compile("days? in total")).wait_for()  # none at a weekend
    expect(dialog.locator("[name=employeeId]")).to_have_value(person["name"])
    day = "2027-06-07" if width == 360 else "2027-06-08"
    for name in ("startDate", "endDate"):
        dialog.locator(f"[name={name}]").fill(day)
    page.keyboard.press("Tab")
    dialog.get_by_text("1 day in total").wait_for()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    newest = desk.api("GET", f"/hr/leaves?employeeId={person['id']}&limit=1")[0]
    assert (newest["startDate"], newest["leaveTypeName"], newest["status"]) == (day, "Sick leave", "approved")
    desk.press("v")
    expect(dialog.locator("[name=startDate]")).to_have_value("")
    page.keyboard.press("Escape")
    desk.press("t")
    expect(dialog.locator("[name=employeeId]")).to_have_value(person["name"])
