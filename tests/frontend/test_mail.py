"""Mail in the browser: the mail server with its test, a document sent by keys, and what became of it."""

import re
import shutil

import pytest

from tests.frontend.conftest import TIMEOUT, expect, served
from tests.frontend.test_sharing import allow_links
from tests.mail.mailbox import certificate, mailbox

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


def the_mail_server_is_set(desk, box):
    page = desk.go("/settings/mail")
    page.get_by_label("Server", exact=True).fill(box.host)
    page.get_by_label("Encryption").select_option("none, in a private network")
    page.get_by_label("Port").fill(str(box.port))
    page.get_by_label("Sender’s address").fill("office@brandt.example")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("handed to the mail server")).to_be_visible()
    assert len(box.received) == 1


def an_invoice_is_sent(desk, box, invoice):
    """As an e-invoice, with a link, to an address that was wrong at first."""
    allow_links(desk)
    page = desk.go(f"/invoices/{invoice['id']}")
    desk.press("m")
    dialog = page.get_by_role("dialog")
    desk.quiet = False
    dialog.get_by_role("textbox", name="To", exact=True).fill("nonsense")
    desk.press("Control+Enter")
    expect(dialog.locator(".field-error")).to_contain_text("nonsense: ")
    dialog.get_by_role("button", name="Remove nonsense").click()
    dialog.get_by_role("textbox", name="To", exact=True).fill("ap@customer.example")
    desk.press("Tab")
    expect(dialog.get_by_text("ap@customer.example")).to_be_visible()
    expect(dialog.locator(".chip button").first).to_be_focused()
    dialog.get_by_label("Attachment").select_option("E-invoice (XML)")
    text, tick = dialog.get_by_label("Text", exact=True), dialog.get_by_label("With a link")
    tick.check()
    expect(text).to_have_value(re.compile("{link}"))
    tick.uncheck()
    expect(text).not_to_have_value(re.compile("{link}"))
    tick.check()
    expect(text).to_have_value(re.compile("{link}"))
    assert desk.refusals() == []
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    assert desk.refusals() == []
    page.goto(f"{page.url.split('/invoices')[0]}/messages?state=sent")
    expect(page.get_by_role("row").filter(has_text=invoice["number"])).to_be_visible()
    assert "ap@customer.example" in box.received[1].recipients
    assert "/s#" in box.received[1].text
    (message,) = desk.api("GET", f"/workspace/messages?q={invoice['number']}")
    assert [file["name"].rpartition(".")[2] for file in message["attachments"]] == ["xml"]


def a_quote_is_sent(desk, quote):
    page = desk.go(f"/quotes/{quote['id']}")
    desk.press("m")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="To", exact=True).fill("buying@customer.example")
    dialog.get_by_label("Text").press("Control+Enter")
    dialog.wait_for(state="detached")
    page.goto(f"{page.url.split('/quotes')[0]}/messages?state=sent")
    expect(page.get_by_role("row").filter(has_text=quote["number"])).to_be_visible()


def a_statement_is_sent(desk, customer_id):
    dialog = desk.go(f"/contacts/{customer_id}").get_by_role("dialog")
    desk.press("m")
    dialog.locator(".chip").first.wait_for()
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    (statement,) = desk.api("GET", f"/workspace/messages?kind=statement&resourceId={customer_id}")
    assert statement["status"] in ("queued", "sending", "sent")


def test_an_office_sets_its_mail_server_and_sends_an_invoice_by_keys(at_desk, box):
    desk = at_desk("ines")
    the_mail_server_is_set(desk, box)
    first, second, *_ = sent_by(desk)
    an_invoice_is_sent(desk, box, first)
    (quote, *_) = desk.api("GET", "/finance/quotes?status=issued&isSent=false")
    a_quote_is_sent(desk, quote)
    assert second["isSent"] is False
    a_statement_is_sent(desk, second["customerId"])


def test_a_contact_names_who_gets_which_messages(at_desk):
    """On a phone; what is refused stands at its row."""
    desk = at_desk("ines", width=360)
    desk.quiet = False
    made = desk.api("POST", "/finance/contacts", {"name": "Two desks", "kind": "customer"})
    page = desk.go(f"/contacts/{made['id']}?view=about")
    desk.press("e")
    dialog = page.get_by_role("dialog")
    add = dialog.get_by_role("button", name="Add recipient")
    add.click()
    desk.type("ap@two.example")
    add.click()
    desk.type("nonsense")
    second = dialog.get_by_role("group", name="Recipient 2")
    second.get_by_label("Invoices").uncheck()
    desk.press("Control+Enter")
    expect(second.locator(".field-error")).to_have_count(2)
    expect(second.get_by_label("Recipient 2", exact=True)).to_be_focused()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    second.get_by_label("Recipient 2", exact=True).fill("cfo@two.example")
    for kind in ("Account statements", "Reminders"):
        second.get_by_label(kind).check()
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    fact = page.locator("dl div").filter(has=page.locator("dt", has_text="Recipients")).locator("dd > div")
    expect(fact).to_have_text(["ap@two.example: Invoices", "cfo@two.example: Reminders, Account statements"])
    desk.press("e")
    dialog.get_by_role("button", name="Remove Recipient 1").click()
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    assert desk.api("GET", f"/finance/contacts/{made['id']}")["recipients"] == [
        {"email": "cfo@two.example", "kinds": ["reminder", "statement"]}
    ]


def test_twenty_invoices_are_sent_from_the_list_in_four_keys(at_desk):
    desk = at_desk("ines")
    customer = desk.api("POST", "/finance/contacts", {"name": "Twenty", "kind": "customer", "email": "ap@t.example"})
    lines = [{"description": "Plan", "quantity": "1", "unitPrice": "50", "taxRateId": None, "accountId": "4000"}]
    for _ in range(20):
        desk.api("POST", "/finance/invoices", {"customerId": customer["id"], "lines": lines})
    page = desk.go(f"/invoices?customerId={customer['id']}")
    expect(page.get_by_text("20 documents")).to_be_visible()
    desk.press("Control+a")
    expect(page.get_by_text("20 selected")).to_be_visible()
    assert desk.refusals() == []
    desk.press("m")
    page.get_by_role("alertdialog", name="Send 20 documents?").wait_for()
    desk.press("Enter")
    expect(page.get_by_text("20 messages queued.").first).to_be_visible(timeout=3 * TIMEOUT)  # of 20 PDFs to make
    assert desk.keys <= 4
    found = desk.api("GET", "/workspace/messages?kind=invoice&q=ap@t.example&limit=50")
    assert len(found) == 20


def sent_to(box, address):
    """What arrived for one address; messages of other tests may arrive too."""
    return [sent for sent in box.received if sent.recipients == [address]]


def an_invite_is_sent(desk):
    """With the form, and once more from its row; the link is in the message alone."""
    page = desk.go("/settings/members")
    desk.press("n")
    desk.type("nora@new.example")
    page.get_by_role("dialog").get_by_role("button", name="Send by mail").click()
    expect(page.get_by_role("dialog").get_by_text("Handed to the mail server at")).to_be_visible()
    assert desk.refusals() == []
    desk.press("Escape")
    page.get_by_role("button", name="Send the invite to nora@new.example by mail").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("nora@new.example")).to_be_visible()
    dialog.get_by_role("button", name="Send", exact=True).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Send again").click()  # it just went out
    expect(dialog.get_by_text("Handed to the mail server at")).to_be_visible()
    expect(dialog.get_by_role("button", name="Close").last).to_be_focused()


def a_password_link_is_sent(desk):
    page = desk.go("/server/users")
    person = page.get_by_role("row").filter(has_text="priya@")
    person.get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name="Send password link by mail").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("priya@alderfinch.example")).to_be_visible()
    dialog.get_by_role("button", name="Send", exact=True).click()
    expect(dialog.get_by_text("Handed to the mail server at")).to_be_visible()


def the_pdf_is_to_be_attached(desk, person):
    """Refused at its field until there is a password, which the page never shows."""
    page = desk.go(f"/people/{person['id']}")
    desk.press("e")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Payslips by mail").select_option("PDF with a password")
    desk.press("Control+Enter")
    expect(dialog.locator("[name=payslipPassword][aria-invalid=true]")).to_be_focused()
    assert desk.refusals() == []
    desk.type("Übers Meer 7")
    desk.press("Control+Enter")
    dialog.wait_for(state="detached")
    fact = page.locator("dl div").filter(has=page.locator("dt", has_text="Payslip password")).locator("dd")
    expect(fact).to_have_text("set")


def the_payslips_of_a_run_are_sent(desk, box, person):
    """All or none: who lacks an address is named first."""
    (_, run, *_) = desk.api("GET", "/hr/payroll/runs?status=paid")  # of the last, one has just been sent
    count = len(desk.api("GET", f"/hr/payroll/runs/{run['id']}")["payslips"])
    desk.api("PATCH", f"/hr/employees/{person['id']}", {"email": None, "userId": None})
    page = desk.go(f"/payroll/{run['id']}")
    desk.press("m")
    lacking = page.get_by_role("dialog", name="The payslips cannot be sent yet")
    expect(lacking.get_by_role("link", name=person["name"])).to_be_visible()
    assert desk.refusals() == []
    desk.press("Escape")
    desk.api("PATCH", f"/hr/employees/{person['id']}", {"email": "rui@private.example"})
    desk.press("m")
    page.get_by_role("alertdialog").get_by_role("button", name=f"Send {count} payslips").click()
    expect(page.get_by_text(f"{count} payslips handed to the mail server.")).to_be_visible()
    assert desk.refusals() == []
    (own,) = sent_to(box, "rui@private.example")
    assert [file.get_content_type() for file in own.mail.iter_attachments()] == ["application/pdf"]
    slip = next(
        one for one in desk.api("GET", f"/hr/payroll/runs/{run['id']}")["payslips"] if one["employeeId"] == person["id"]
    )
    page = desk.go(f"/payslips/{slip['id']}")
    expect(page.get_by_text("Handed to the mail server at")).to_be_visible()


def test_invites_password_links_and_payslips_go_out_by_mail(at_desk, box):
    desk = at_desk("ines")
    desk.quiet = False
    server = {"host": box.host, "port": box.port, "security": "none", "fromAddress": "office@brandt.example"}
    desk.api("PATCH", "/workspace/mail", server)
    an_invite_is_sent(desk)
    first, second = sent_to(box, "nora@new.example")
    assert "#invite=" in first.text != second.text
    a_password_link_is_sent(desk)
    assert len(sent_to(box, "priya@alderfinch.example")) == 1
    (person,) = desk.api("GET", "/hr/employees?q=Rui")
    the_pdf_is_to_be_attached(desk, person)
    the_payslips_of_a_run_are_sent(desk, box, person)


def test_a_test_says_that_the_password_was_refused(at_desk):
    desk = at_desk("ines")
    with mailbox("tls") as box:
        body = {"host": box.host, "port": box.port, "security": "tls", "fromAddress": "office@brandt.example"}
        login = {"userName": "olga", "password": "wrong", "certificate": certificate()}
        desk.api("PATCH", "/workspace/mail", {**body, **login})
        page = desk.go("/settings/mail")
        expect(page.get_by_label("Port")).to_have_value(str(box.port))  # without a mark between thousands
        page.get_by_role("button", name="Send a test").click()
        expect(page.get_by_text("The mail server refused the user name or the password.").first).to_be_visible()
        desk.api("DELETE", "/workspace/mail")
