"""Mail in the browser: the mail server with its test, a document sent by keys, and what became of it."""

import shutil

import pytest

from tests.frontend.conftest import expect, served
from tests.mail.mailbox import mailbox

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def company(demo_folder, tmp_path_factory):
    """The company on a server that may send through mail servers of this computer."""
    folder = shutil.copytree(demo_folder, tmp_path_factory.mktemp("company") / "data")
    with served(folder, "--mail-private") as address:
        yield address


@pytest.fixture
def box():
    with mailbox() as made:
        yield made


def sent_by(desk):
    return desk.api("GET", "/finance/invoices?status=issued&kind=sales_invoice&isSent=false")


def test_an_office_sets_its_mail_server_and_sends_an_invoice_by_keys(at_desk, box):
    desk = at_desk("ines")
    page = desk.go("/settings/mail")
    page.get_by_label("Server", exact=True).fill(box.host)
    page.get_by_label("Encryption").select_option("none, in a private network")
    page.get_by_label("Port").fill(str(box.port))
    page.get_by_label("Sender’s address").fill("office@brandt.example")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("handed to the mail server")).to_be_visible()
    assert len(box.received) == 1
    first, second, *_ = sent_by(desk)
    desk.go(f"/invoices/{first['id']}")
    desk.press("m")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="To", exact=True).fill("ap@customer.example")
    dialog.get_by_label("Text").press("Control+Enter")
    dialog.wait_for(state="detached")
    assert desk.refusals() == []
    page.goto(f"{page.url.split('/invoices')[0]}/messages?state=sent")
    expect(page.get_by_role("row").filter(has_text=first["number"])).to_be_visible()
    assert "ap@customer.example" in box.received[1].recipients
    (quote, *_) = desk.api("GET", "/finance/quotes?status=issued&isSent=false")
    desk.go(f"/quotes/{quote['id']}")
    desk.press("m")
    dialog.get_by_role("textbox", name="To", exact=True).fill("buying@customer.example")
    dialog.get_by_label("Text").press("Control+Enter")
    dialog.wait_for(state="detached")
    page.goto(f"{page.url.split('/quotes')[0]}/messages?state=sent")
    expect(page.get_by_role("row").filter(has_text=quote["number"])).to_be_visible()
    assert second["isSent"] is False
