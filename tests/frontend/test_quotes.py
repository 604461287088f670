"""Quotes in the browser: written with options, accepted, invoiced in six keys, and declined."""

import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


def is_fine(desk):
    assert not desk.is_wide()
    assert desk.refusals() == []


def issued(desk, subject, **fields):
    """A quote of ten days that is out."""
    line = {"description": "Concept", "quantity": "10", "unit": "day", "unitPrice": "960.00"}
    body = {"customer": {"name": f"Client of {subject}"}, "subject": subject, "lines": [line], **fields}
    made = desk.api("POST", "/finance/quotes", body)
    return desk.api("POST", f"/finance/quotes/{made['id']}/issue", {})


def a_quote_is_written(desk, subject, say):
    """With an option; the quote, issued."""
    page = desk.go("/quotes/new")
    page.locator("[name=customerId]").fill("Hansen")
    page.get_by_role("option", name=re.compile("Hansen")).first.click()
    page.locator("[name=subject]").fill(subject)
    for at, (text, quantity, price) in enumerate([("Concept", "10", "960"), ("Training", "2", "480")]):
        if at:
            page.locator("[name='lines[0].unitPrice']").press("Enter")
        page.locator(f"[name='lines[{at}].description']").fill(text)
        page.locator(f"[name='lines[{at}].quantity']").fill(quantity)
        page.locator(f"[name='lines[{at}].unitPrice']").fill(price)
    option = page.locator("[name='lines[1].option']")
    option.select_option(label=say("Alternative to item 1", "Alternative zu Pos. 1"))
    page.locator("[name='lines[0].quantity']").press("Alt+ArrowDown")
    expect(page.locator("[name='lines[0].option']")).to_have_value("alternative:2")
    is_fine(desk)
    page.keyboard.press("Control+Enter")
    page.get_by_role("alertdialog").get_by_role("button", name=say("Issue", "Ausstellen")).click()
    page.get_by_role("heading", name=re.compile("QUO-")).wait_for()
    (made,) = desk.api("GET", f"/finance/quotes?q={subject.replace(' ', '+')}")
    assert (made["status"], made["netTotal"]) == ("issued", "9600.00")
    is_fine(desk)
    return made


def the_quote_shown_is_accepted(desk, quote, say):
    page = desk.page
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=by]").fill("Petra Lindt")
    dialog.get_by_label("Training").check()
    is_fine(desk)
    dialog.get_by_role("button", name=say("Accept", "Annehmen")).click()
    expect(page.get_by_text("Petra Lindt")).to_be_visible()
    now = desk.api("GET", f"/finance/quotes/{quote['id']}")
    assert (now["acceptedNet"], now["acceptedBy"]) == ("960.00", "Petra Lindt")
    is_fine(desk)


def a_quote_is_declined(desk, quote, say):
    page = desk.go(f"/quotes/{quote['id']}")
    page.keyboard.press("Shift+D")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=reason]").fill("Too dear")
    dialog.get_by_role("button", name=say("Decline", "Ablehnen")).click()
    expect(page.get_by_text("Too dear")).to_be_visible()
    is_fine(desk)


@pytest.mark.parametrize(("width", "scheme", "language"), [(1280, "light", "en"), (360, "dark", "de")])
def test_a_quote_with_options_is_written_accepted_and_declined(at_desk, width, scheme, language):
    desk = at_desk("amara", width, scheme)
    desk.quiet = False
    desk.api("PATCH", "/auth/preferences", {"locale": language})
    say = (lambda _english, german: german) if language == "de" else (lambda english, _german: english)
    page = desk.go("/quotes?state=to_invoice")
    expect(page.get_by_text(say("To invoice", "Abzurechnen"), exact=True).first).to_be_visible()
    is_fine(desk)

    made = a_quote_is_written(desk, f"Shop {width}", say)
    the_quote_shown_is_accepted(desk, made, say)
    a_quote_is_declined(desk, issued(desk, f"Bar {width}"), say)
    desk.api("PATCH", "/auth/preferences", {"locale": "en"})


def test_an_accepted_quote_becomes_an_issued_invoice_in_six_keys(at_desk):
    desk = at_desk("amara")
    quote = issued(desk, "Six keys")
    desk.api("POST", f"/finance/quotes/{quote['id']}/accept", {})
    page = desk.go(f"/quotes/{quote['id']}")
    desk.press("i")
    page.get_by_role("dialog").locator("[name=share]").wait_for()
    desk.press("4", "0")
    expect(page.get_by_text(re.compile("3,840.00.* net, "))).to_be_visible()
    desk.press("Enter")
    page.get_by_role("heading", name=re.compile("Invoice, draft")).wait_for()
    desk.press("Control+Enter")
    page.get_by_role("alertdialog").wait_for()
    desk.press("Enter")
    expect(page.get_by_text(re.compile(r"issued\.")).first).to_be_visible()
    assert desk.keys == 6
    (invoice,) = desk.api("GET", f"/finance/invoices?quoteId={quote['id']}")
    assert (invoice["status"], invoice["netTotal"]) == ("issued", "3840.00")
    page = desk.go(f"/quotes/{quote['id']}")
    expect(page.get_by_role("meter", name="Invoiced")).to_have_attribute("aria-valuenow", "40")

    desk.quiet = False
    desk.press("i")
    page.get_by_role("dialog").locator("[name=share]").wait_for()
    desk.press("7", "0")
    expect(page.get_by_text("Only 5,760.00 EUR of")).to_have_count(1)
    desk.press("Enter")
    expect(page.locator("[name=share][aria-invalid=true]")).to_be_focused()
    page.get_by_label("Invoice more than was accepted").check()
    desk.press("Control+Enter")
    page.get_by_role("heading", name=re.compile("Invoice, draft")).wait_for()
    assert desk.api("GET", f"/finance/quotes/{quote['id']}")["draftNet"] == "6720.00"


def test_what_is_refused_of_an_option_is_marked_in_its_column(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/quotes/new")
    page.locator("[name='lines[0].description']").fill("Concept")
    page.locator("[name='lines[0].unitPrice']").fill("100")
    page.locator("[name='lines[0].option']").select_option(label="Optional")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[name=customerId][aria-invalid=true]")).to_be_visible()


def test_an_accepted_quote_joins_a_project_that_there_is(at_desk):
    """And the project that is to be named is asked for at its field."""
    desk = at_desk("ines", 360)
    desk.quiet = False
    quote = issued(desk, "Joins a project")
    project = desk.api("GET", "/projects?limit=1")[0]
    page = desk.go(f"/quotes/{quote['id']}")
    desk.press("a")
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=which]").select_option(label="Existing project")
    desk.press("Control+Enter")
    expect(dialog.locator("[name=projectId][aria-invalid=true]")).to_be_focused()
    desk.type(project["name"])
    page.get_by_role("option", name=re.compile(re.escape(project["name"]))).first.click()
    is_fine(desk)
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    expect(page.get_by_role("link", name=project["name"])).to_be_visible()
    now = desk.api("GET", f"/finance/quotes/{quote['id']}")
    assert (now["status"], now["projectId"]) == ("accepted", project["id"])


@pytest.mark.parametrize("width", [1280, 360])
def test_a_quote_that_was_accepted_without_a_project_begins_one_afterwards(at_desk, width):
    desk = at_desk("ines", width)
    quote = issued(desk, f"Begins later {width}")
    desk.api("POST", f"/finance/quotes/{quote['id']}/accept", {})
    page = desk.go(f"/quotes/{quote['id']}")
    desk.act("Begin project")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Project name")).to_have_value(f"Begins later {width}")
    is_fine(desk)
    dialog.get_by_role("button", name="Begin project").click()
    dialog.wait_for(state="detached")
    expect(page.get_by_role("link", name=f"Begins later {width}", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Begin project")).to_have_count(0)
    now = desk.api("GET", f"/finance/quotes/{quote['id']}")
    assert [task["title"] for task in desk.api("GET", f"/tasks?projectId={now['projectId']}")] == ["Concept"]


def draft_of_two(desk, subject):
    """A draft with an alternative to its line."""
    lines = [
        {"description": "Concept", "quantity": "10", "unitPrice": "960.00"},
        {
            "description": "Other concept",
            "quantity": "1",
            "unitPrice": "900.00",
            "option": "alternative",
            "alternativeTo": 1,
        },
    ]
    body = {"customer": {"name": f"Client of {subject}"}, "subject": subject, "lines": lines}
    return desk.api("POST", "/finance/quotes", body)


def both_have_changed_the_quote(desk, made):
    """The other puts a line first and an alternative to it last; one's own lines stay, and theirs come after them."""
    page, path = desk.go(f"/quotes/{made['id']}/edit"), f"/finance/quotes/{made['id']}"
    page.locator("[name='lines[0].unitPrice']").fill("200")
    kept = [
        {name: one[name] for name in ("id", "description", "quantity", "unitPrice", "option")} for one in made["lines"]
    ]
    first = {"description": "Theirs", "quantity": "1", "unitPrice": "5.00"}
    instead = {"option": "alternative", "alternativeTo": 1}
    second = {"description": "Instead", "quantity": "1", "unitPrice": "4.00", **instead}
    desk.api("PATCH", path, {"subject": "Theirs", "lines": [first, kept[0], kept[1] | {"alternativeTo": 2}, second]})
    desk.press("Control+s")
    both = page.get_by_role("dialog", name="Someone else has changed this")
    both.get_by_role("row", name=re.compile("Subject Theirs")).wait_for()
    is_fine(desk)
    both.get_by_role("button", name="Keep mine").click()
    page.get_by_text("Draft saved.").first.wait_for()
    now = desk.api("GET", path)
    assert now["subject"] == made["subject"]
    assert [(one["description"], one["option"], one["alternativeTo"]) for one in now["lines"]] == [
        ("Concept", "included", None),
        ("Other concept", "alternative", 1),
        ("Theirs", "included", None),
        ("Instead", "alternative", 3),
    ]


def theirs_are_taken(desk, made):
    page = desk.page
    page.locator("[name=subject]").fill("Mine")
    desk.api("PATCH", f"/finance/quotes/{made['id']}", {"subject": "Theirs again"})
    desk.press("Control+s")
    page.get_by_role("dialog", name="Someone else has changed this").get_by_role("button", name="Keep theirs").click()
    expect(page.locator("[name=subject]")).to_have_value("Theirs again")
    expect(page.locator("[name='lines[3].option']")).to_have_value("alternative:3")


def test_of_a_quote_that_two_have_changed_one_version_is_kept_and_a_deleted_draft_comes_back(at_desk):
    desk = at_desk("amara")
    desk.quiet = False
    made = draft_of_two(desk, "Two hands")
    both_have_changed_the_quote(desk, made)
    theirs_are_taken(desk, made)
    desk.offer_undo_longer()
    page = desk.go(f"/quotes/{made['id']}")
    desk.act("Delete draft")
    page.get_by_role("heading", name="Quotes", level=1).wait_for()
    row = page.get_by_role("row").filter(has_text="Two hands")
    page.get_by_role("button", name="Undo").wait_for()
    page.locator("main .row-link").first.wait_for()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_have_count(1)
    assert desk.api("GET", f"/finance/quotes/{made['id']}")["status"] == "draft"
