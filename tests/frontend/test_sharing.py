"""Share links in the browser: made and revoked at the document, and the plain page of whoever has one."""

from io import BytesIO

import pytest
from PIL import Image

from tests import qr_codes
from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser

WORDS = {
    "en-GB": (
        "Amount due",
        "Download the PDF",
        "This link does not open",
        "PIN of the link",
        "QR code of the transfer",
    ),
    "de-DE": (
        "Offener Betrag",
        "PDF herunterladen",
        "Dieser Link öffnet nichts",
        "PIN des Links",
        "QR-Code der Überweisung",
    ),
}


IBAN = "DE89370400440532013000"


def allow_links(desk):
    (workspace,) = {each["id"] for each in desk.api("GET", "/auth/session")["workspaces"]}
    desk.api("PATCH", f"/workspace/{workspace}", {"shareLinks": True, "iban": IBAN})


def scanned(image):
    """The squares of a code as they are on the screen, true where dark; none is smaller than two pixels."""
    size = int(image.get_attribute("viewBox").split()[-1])
    with Image.open(BytesIO(image.screenshot())) as picture:
        shades = picture.convert("L")
    step = shades.width / size
    assert step >= 2
    places = [int((i + 0.5) * step) for i in range(size)]
    dark = shades.point(lambda shade: shade < 128).load()
    assert dark is not None
    return [[dark[x, y] for x in places] for y in places]


def shared(desk, path, pin=None):
    """The dialog with a new link to the document at a path, and the secret of the link."""
    page = desk.go(path)
    desk.act("Share…")
    asked = page.get_by_role("dialog")
    if pin:
        asked.get_by_label("PIN").fill(pin)
        assert desk.refusals() == []
    asked.get_by_role("button", name="Create link").click()
    secret = asked.locator(".handed-over").inner_text().partition("#")[2]
    expect(asked.get_by_text("not seen yet")).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []
    return asked, secret


def looks_right(page):
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    assert axe.Axe().run(page).response["violations"] == []


def downloads_a_pdf(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    assert download.value.suggested_filename.endswith(".pdf")


@pytest.mark.parametrize(("width", "scheme", "locale"), [(1280, "light", "en-GB"), (360, "dark", "de-DE")])
def test_an_invoice_is_shared_by_a_link_until_it_is_revoked(at_desk, width, scheme, locale):
    desk = at_desk("ines", width, scheme, locale)
    desk.quiet = False
    allow_links(desk)
    lines = [{"description": "Work", "quantity": "1", "unitPrice": "40.00"}]
    invoice = desk.api("POST", "/finance/invoices", {"customer": {"name": f"Leda {width}"}, "lines": lines})
    asked, secret = shared(desk, f"/invoices/{invoice['id']}", pin="4711")

    due, pdf, nothing, pin, code = WORDS[locale]
    other = desk.page.context.new_page()
    other.goto(f"{desk.address}/s#{secret}")
    other.get_by_label(pin).fill("0000")
    other.keyboard.press("Enter")
    expect(other.locator(".bad")).to_be_visible()
    expect(other.get_by_label(pin)).to_be_focused()
    other.get_by_label(pin).fill("4711")
    other.keyboard.press("Enter")
    expect(other.get_by_role("heading", level=1)).to_contain_text(invoice["number"])
    expect(other.get_by_role("heading", level=1)).to_be_focused()
    expect(other.get_by_text(due, exact=True)).to_be_visible()
    looks_right(other)
    image = other.get_by_role("img", name=code)
    assert qr_codes.read(scanned(image)).splitlines()[6:] == [IBAN, "EUR47.60", "", "", invoice["number"]]
    downloads_a_pdf(other, pdf)

    asked.get_by_role("button", name="Revoke", exact=True).click()
    desk.page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(asked.get_by_text("revoked", exact=True)).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", level=1)).to_have_text(nothing)


OFFER = {
    "en-GB": {
        "accept": "Accept for €{}",
        "decline": "Decline…",
        "declines": "Decline the quote",
        "back": "Back",
        "name": "Your name",
        "note": "Note (optional)",
        "thanks": "Thank you. You have accepted the quote.",
        "signature": "no qualified electronic signature",
        "confirmation": "Download the order confirmation (PDF)",
        "totals": ("1,190.00", "1,309.00", "1,666.00"),
    },
    "de-DE": {
        "accept": "Annehmen für {}\xa0€",
        "decline": "Ablehnen…",
        "declines": "Angebot ablehnen",
        "back": "Zurück",
        "name": "Ihr Name",
        "note": "Anmerkung (optional)",
        "thanks": "Vielen Dank. Sie haben das Angebot angenommen.",
        "signature": "keine qualifizierte elektronische Signatur",
        "confirmation": "Auftragsbestätigung herunterladen (PDF)",
        "totals": ("1.190,00", "1.309,00", "1.666,00"),
    },
}


def issued(desk, name, *lines):
    allow_links(desk)
    quote = desk.api("POST", "/finance/quotes", {"customer": {"name": name}, "lines": lines})
    desk.api("POST", f"/finance/quotes/{quote['id']}/issue", {})
    return f"/quotes/{quote['id']}"


def the_receiver_accepts(page, address, words):
    """With both options, and after they nearly declined."""
    first, with_option, with_both = (words["accept"].format(total) for total in words["totals"])

    def button(name):
        return page.get_by_role("button", name=name, exact=True)

    page.goto(address)
    expect(button(first)).to_be_visible()
    expect(page.get_by_text(words["signature"])).to_be_visible()
    looks_right(page)
    page.get_by_role("checkbox", name="Training").check()
    expect(button(with_option)).to_be_enabled()
    page.get_by_role("radio", name="Workshop").check()
    expect(button(with_both)).to_be_enabled()
    expect(page.get_by_role("radio", name="Workshop")).to_be_focused()
    name = page.get_by_label(words["name"])
    name.fill("Petra Lindt")
    button(words["decline"]).click()
    expect(name).to_be_focused()
    expect(name).to_have_value("Petra Lindt")
    expect(button(words["declines"])).to_be_visible()
    looks_right(page)
    button(words["back"]).click()
    expect(name).to_be_focused()
    page.get_by_label(words["note"]).fill("By June")
    button(with_both).click()
    expect(page.get_by_text(words["thanks"])).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(name).to_have_count(0)
    looks_right(page)
    downloads_a_pdf(page, words["confirmation"])


@pytest.mark.parametrize(("width", "scheme", "locale"), [(1280, "light", "en-GB"), (360, "dark", "de-DE")])
def test_a_customer_chooses_options_and_accepts_a_quote(at_desk, width, scheme, locale):
    desk = at_desk("ines", width, scheme, locale)
    desk.quiet = False
    path = issued(
        desk,
        f"Leda Quote {width}",
        {"description": "Concept", "quantity": "10", "unit": "h", "unitPrice": "100.00"},
        {"description": "Training", "quantity": "1", "unitPrice": "100.00", "option": "optional"},
        {"description": "Workshop", "quantity": "13", "unitPrice": "100.00"}
        | {"option": "alternative", "alternativeTo": 1},
    )
    _, secret = shared(desk, path)
    page = desk.page
    page.keyboard.press("Escape")
    the_receiver_accepts(page.context.new_page(), f"{desk.address}/s#{secret}", OFFER[locale])

    page.reload()
    expect(page.get_by_text("By June")).to_be_visible()
    assert not desk.is_wide()
    assert desk.api("GET", f"/finance{path}")["acceptedTotal"] == "1666.00"
    desk.go("/")
    expect(page.get_by_text("Petra Lindt accepted quote").first).to_be_visible()


def test_a_customer_declines_a_quote_once(at_desk):
    desk = at_desk("ines", 1280, "light", "en-GB")
    path = issued(desk, "Leda No", {"description": "Work", "quantity": "1", "unitPrice": "40.00"})
    secret = desk.api("POST", f"/finance{path}/links", {})["url"].partition("#")[2]
    first, second = (desk.page.context.new_page() for _ in range(2))
    for page in (first, second):
        page.goto(f"{desk.address}/s#{secret}")
        page.get_by_role("button", name="Decline…").click()
        page.get_by_label("Your name").fill("Petra Lindt")
        page.get_by_label("Reason (optional)").fill("Too dear")
    first.keyboard.press("Enter")
    expect(first.get_by_text("You have declined the quote.")).to_be_visible()
    second.keyboard.press("Enter")
    expect(second.locator(".bad")).to_contain_text("has been answered already")
    expect(second.get_by_text("Declined", exact=True)).to_be_visible()
    assert desk.api("GET", f"/finance{path}")["declineReason"] == "Too dear"
