"""Reminders in the browser: proposed, one taken out, the others made, sent and undone; blocks, levels and rates."""

import datetime
import re

import pytest

from tests.frontend.conftest import expect, today

pytestmark = pytest.mark.browser

TODAY = today()


def overdue(desk, name, days=40):
    """An invoice of a new customer that has been overdue for some days."""
    customer = desk.api("POST", "/finance/contacts", {"kind": "customer", "name": name, "email": "ap@paul.example"})
    due = TODAY - datetime.timedelta(days=days)
    dates = {"issueDate": f"{due - datetime.timedelta(days=10)}", "dueDate": f"{due}"}
    lines = [{"description": "Plan", "quantity": "1", "unitPrice": "500", "taxRateId": None, "accountId": "4000"}]
    return desk.api("POST", "/finance/invoices", {"customerId": customer["id"], "lines": lines, **dates})


def row(page, text):
    return page.locator("main [data-row]", has_text=text)


def is_fine(desk):
    assert not desk.is_wide()
    assert desk.refusals() == []


def the_letter_is_mailed(desk, letter):
    """From its page, which is shown."""
    page = desk.page
    desk.press("m")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("ap@paul.example")).to_be_visible()
    is_fine(desk)
    dialog.get_by_label("Text").press("Control+Enter")
    dialog.wait_for(state="detached")
    (message,) = desk.api("GET", f"/workspace/messages?resourceId={letter['id']}")
    assert (message["status"], message["subject"]) == ("prepared", f"Zahlungserinnerung {letter['number']}")


def the_letter_is_marked_and_undone(desk):
    page = desk.page
    desk.act("Mark as sent")
    page.get_by_role("dialog").get_by_role("button", name="Mark as sent").click()
    expect(page.locator("main").get_by_text("sent", exact=True).first).to_be_visible()
    desk.act("Undo letter")
    page.get_by_role("dialog").get_by_label("Reason").fill("Too early")
    page.get_by_role("dialog").get_by_role("button", name="Undo letter").click()
    expect(page.locator("main").get_by_text("undone", exact=True)).to_be_visible()
    is_fine(desk)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_letters_are_proposed_taken_out_and_made(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    left, kept = overdue(desk, f"Abel {width}"), overdue(desk, f"Bauer {width}")
    page = desk.go("/reminders")
    row(page, f"Abel {width}").wait_for()
    is_fine(desk)
    row(page, f"Abel {width}").locator("[data-opens]").focus()
    page.keyboard.press("x")
    expect(row(page, f"Abel {width}")).to_contain_text("taken out")
    page.keyboard.press("Enter")
    expect(page.get_by_text("40 days overdue").first).to_be_visible()
    is_fine(desk)
    page.get_by_role("button", name="Close").click()
    assert page.evaluate("document.activeElement !== document.body")
    page.keyboard.press("Control+Enter")
    asked = page.get_by_role("alertdialog")
    expect(asked.get_by_text(re.compile("Make .* letter"))).not_to_have_count(0)
    is_fine(desk)
    page.keyboard.press("Enter")
    page.get_by_text(re.compile(r"letters? made\.")).first.wait_for()
    row(page, f"Bauer {width}").wait_for()
    is_fine(desk)
    (letter,) = desk.api("GET", f"/finance/reminders?invoiceId={kept['id']}")
    assert desk.api("GET", f"/finance/reminders?invoiceId={left['id']}") == []
    row(page, f"Bauer {width}").get_by_role("link").first.click()
    page.get_by_role("heading", name=f"Reminder {letter['number']}").wait_for()
    is_fine(desk)
    the_letter_is_mailed(desk, letter)
    the_letter_is_marked_and_undone(desk)


def test_the_level_and_the_items_of_a_letter_are_chosen_by_keys_on_a_phone(at_desk):
    desk = at_desk("amara", 360, "dark")
    first = overdue(desk, "Franz")
    lines = [{"description": "Plan", "quantity": "1", "unitPrice": "200", "taxRateId": None, "accountId": "4000"}]
    due = f"{TODAY - datetime.timedelta(days=20)}"
    body = {"customerId": first["customerId"], "lines": lines, "issueDate": due, "dueDate": due}
    second = desk.api("POST", "/finance/invoices", body)
    page = desk.go("/reminders")
    row(page, "Franz").locator("[data-opens]").focus()
    desk.press("Enter")
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.get_by_label("Level", exact=True).select_option(label="2 · Reminder")
    page.get_by_label(first["number"]).focus()
    desk.press("Space")
    expect(row(page, "Franz")).to_contain_text("200.00")
    expect(row(page, "Franz")).to_contain_text("changed")
    expect(page.get_by_label(first["number"])).to_be_focused()
    is_fine(desk)
    for other in page.locator("main [data-row]").all():
        if "Franz" not in other.text_content():
            other.locator("[data-opens]").focus()
            desk.press("x")
    desk.press("Control+Enter")
    page.get_by_role("alertdialog").get_by_role("button", name="Make 1 letter").click()
    page.get_by_text("1 letter made.").first.wait_for()
    (letter,) = desk.api("GET", f"/finance/reminders?invoiceId={second['id']}")
    assert (letter["level"], letter["total"], len(letter["items"])) == (2, "200.00", 1)


def test_letters_are_made_and_sent_in_five_keys(at_desk):
    desk = at_desk("amara", 1280, "light")
    kept = overdue(desk, "Dorn")
    page = desk.go("/")
    desk.press("Control+k")
    desk.type("reminders")
    page.get_by_role("option", name="Reminders").first.wait_for()
    desk.press("Enter")
    row(page, "Dorn").wait_for()
    desk.press("m")
    asked = page.get_by_role("alertdialog")
    asked.wait_for()
    is_fine(desk)
    desk.press("Enter")
    page.get_by_text(re.compile(r"letters? made. (Its message is|Their messages are) prepared")).first.wait_for()
    assert desk.keys <= 5
    (letter,) = desk.api("GET", f"/finance/reminders?invoiceId={kept['id']}")
    (message,) = desk.api("GET", f"/workspace/messages?resourceId={letter['id']}")
    assert [to["address"] for to in message["to"]] == ["ap@paul.example"]


def test_an_invoice_is_blocked_and_levels_and_rates_are_kept(at_desk):
    desk = at_desk("amara", 360, "light")
    invoice = overdue(desk, "Curie")
    page = desk.go(f"/invoices/{invoice['id']}")
    page.get_by_text("Curie").first.wait_for()
    desk.act("Block reminders")
    page.get_by_role("dialog").get_by_label("Reason").fill("Hours are wrong")
    is_fine(desk)
    page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("Hours are wrong").first).to_be_visible()
    desk.act("Lift block from reminders")
    expect(page.get_by_text("Curie").first).to_be_visible()
    page = desk.go("/settings/reminder-levels")
    row(page, "Final reminder").wait_for()
    is_fine(desk)
    desk.go("/settings/base-rates")
    desk.act("New base rate")
    page.get_by_role("dialog").locator("[name=validFrom]").fill("01.01.2020")
    page.get_by_role("dialog").locator("[name=rate]").fill("-0.88")
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    expect(row(page, "2020")).to_contain_text("0.88")
    is_fine(desk)
