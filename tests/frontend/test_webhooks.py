"""Webhooks in the browser: added with a secret that is shown once, tried, mended, given a new secret, deleted."""

import re
import shutil

import pytest

from tests.frontend.conftest import expect, served
from tests.webhooks.receiver import receiving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def company(demo_folder, tmp_path_factory):
    """The company on a server that may send to this computer."""
    folder = shutil.copytree(demo_folder, tmp_path_factory.mktemp("company") / "data")
    with served(folder, "--webhooks-private") as address:
        yield address


@pytest.fixture
def receiver():
    with receiving() as made:
        yield made


def test_an_admin_is_shown_the_secret_once_and_sees_what_arrives(at_desk, receiver):
    desk = at_desk("ines")
    for webhook in desk.api("GET", "/workspace/webhooks"):
        desk.api("DELETE", f"/workspace/webhooks/{webhook['id']}")
    page = desk.go("/settings/webhooks")
    page.get_by_text("No webhooks yet.").wait_for()
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("URL").fill(receiver.url)
    dialog.get_by_label("Events").select_option("Only some types")
    dialog.get_by_label("Types").fill("contact.created\ntask.created")
    dialog.get_by_role("button", name="Add", exact=True).click()
    secret = dialog.locator("code").inner_text()
    assert re.fullmatch(r"whsec_\S{44}", secret)
    assert desk.refusals() == []
    dialog.get_by_role("button", name="Go to the webhook").click()
    page.get_by_role("heading", name="127.0.0.1").wait_for()
    expect(page.get_by_text(secret)).to_have_count(0)
    desk.api("POST", "/finance/contacts", {"kind": "customer", "name": "Told to others"})
    row = page.get_by_role("row").filter(has_text="contact.created")
    expect(row.get_by_text("delivered")).to_be_visible()
    assert receiver.received[0].is_signed_with(secret)
    row.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Send again").click()
    expect(row.get_by_role("cell", name="2", exact=True)).to_be_visible()
    assert len({received.id for received in receiver.received}) == 1


def test_a_test_that_fails_says_why_and_shows_the_answer(at_desk, receiver):
    desk = at_desk("ines")
    made = desk.api("POST", "/workspace/webhooks", {"url": receiver.url, "eventTypes": ["task.created"]})
    receiver.answers(500, b"The table orders is missing.")
    page = desk.go(f"/settings/webhooks/{made['id']}")
    page.get_by_role("button", name="Send a test").click()
    page.get_by_text("The test did not arrive: 500: the receiver refused it").first.wait_for()
    page.get_by_role("button", name="webhook.test").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("The table orders is missing.")).to_be_visible()
    assert desk.refusals() == []
    page.keyboard.press("Escape")
    receiver.answers(204)
    page.get_by_role("button", name="Send a test").click()
    page.get_by_text("The test arrived.").first.wait_for()


def test_a_wrong_address_and_a_wrong_type_are_marked(at_desk):
    desk = at_desk("ines")
    desk.quiet = False
    page = desk.go("/settings/webhooks")
    desk.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("URL").fill("https://user:word@example.com/")
    dialog.get_by_role("button", name="Add", exact=True).click()
    dialog.locator("[name='url'][aria-invalid=true]").wait_for()
    dialog.get_by_label("URL").fill("https://example.com/")
    dialog.get_by_label("Events").select_option("Only some types")
    dialog.get_by_label("Types").fill("task.created, task.eaten")
    dialog.get_by_role("button", name="Add", exact=True).click()
    dialog.locator("[name='eventTypes'][aria-invalid=true]").wait_for()


def test_a_webhook_is_changed_given_a_new_secret_switched_off_and_deleted(at_desk, receiver):
    desk = at_desk("ines")
    made = desk.api("POST", "/workspace/webhooks", {"url": receiver.url, "note": "Till"})
    page = desk.go(f"/settings/webhooks/{made['id']}")
    desk.press("e")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Note").fill("Web shop")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("main").get_by_text("Web shop")).to_be_visible()

    desk.act("New signing secret")
    dialog.get_by_role("button", name="New signing secret").click()
    expect(dialog.locator("code")).to_have_text(re.compile("whsec_"))
    page.keyboard.press("Escape")
    expect(page.get_by_text("Old signing secret valid until")).to_be_visible()
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_text("Turned off since")).to_be_visible()
    desk.act("Delete")
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("/settings/webhooks$"))
    assert made["id"] not in [each["id"] for each in desk.api("GET", "/workspace/webhooks")]
