"""Papers beside documents, and bills that are paid when they are entered, in a real browser."""

import io
import re

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser
FRAMED = re.compile("/api/v1/finance/invoices/preview/")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_bill_takes_its_product_and_is_paid_from_the_till(at_desk, width):
    desk = at_desk("amara", width)
    bought = {"purchasePrice": "80.00", "purchaseAccountId": "6400", "unitPrice": "120.00", "unit": "m"}
    desk.api("POST", "/finance/products", {"name": f"Ash planks {width}", **bought})
    desk.api("POST", "/finance/contacts", {"kind": "supplier", "name": f"Sawmill {width}"})
    page = desk.go("/bills/new")
    page.get_by_role("combobox", name="Supplier").fill(f"Sawmill {width}")
    page.get_by_role("option", name=re.compile(f"Sawmill {width}")).click()
    page.get_by_role("combobox", name="Description, line 1").press_sequentially("Ash")
    page.get_by_role("option", name=re.compile(f"Ash planks {width}")).click()
    expect(page.locator("[name='lines[0].unitPrice']")).to_have_value("80.00")
    expect(page.get_by_role("combobox", name="Account, line 1")).to_have_value(re.compile("^6400 "))
    paid_from = page.get_by_label("Already paid from")
    paid_from.select_option(index=1)
    assert not desk.is_wide()
    assert desk.refusals() == []
    desk.act("Post")
    page.get_by_role("alertdialog").get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url(re.compile(r"/bills/[0-9a-f-]{36}$"))
    bill = desk.api("GET", f"/finance/invoices/{page.url.rpartition('/')[2]}")
    assert (bill["status"], bill["lines"][0]["accountBecause"]) == ("paid", "product")


def test_the_paper_of_what_is_typed_stands_beside_it(at_desk):
    desk = at_desk("amara")
    page = desk.go("/invoices/new")
    page.locator("[name='lines[0].description']").fill("Signage")
    page.locator("[name='lines[0].unitPrice']").fill("100")
    page.locator("main h1").focus()
    with page.expect_response(FRAMED) as shown:
        desk.press("v")
    assert shown.value.headers["content-type"] == "application/pdf"
    frame = page.locator("main iframe[title=Paper]")
    expect(frame).to_be_visible()
    with page.expect_response(FRAMED):
        page.locator("[name='lines[0].unitPrice']").fill("200")
    page.locator("main h1").focus()
    assert desk.refusals() == []
    desk.press("v")
    expect(frame).to_have_count(0)
    issued = desk.api("GET", "/finance/invoices?kind=sales_invoice&status=issued&limit=1")[0]
    desk.go(f"/invoices/{issued['id']}")
    desk.press("v")
    expect(page.locator("main .paper iframe")).to_be_visible()
    assert desk.refusals() == []
    assert not desk.is_wide()


def test_a_photo_of_a_phone_is_made_smaller_and_becomes_a_bill(at_desk):
    pillow = pytest.importorskip("PIL.Image")
    photo = io.BytesIO()
    pillow.effect_noise((2400, 1200), 60).convert("RGB").save(photo, "JPEG", quality=95)
    desk = at_desk("amara", 360)
    page = desk.go("/inbox")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Photograph a receipt").click()
    file = {"name": "Receipt 7.jpg", "mimeType": "image/jpeg", "buffer": photo.getvalue()}
    chooser.value.set_files(file)
    page.wait_for_url(re.compile("/inbox/"))
    page.get_by_role("link", name="Open the file").wait_for()
    kept = page.context.request.get(
        f"{desk.address}/api/v1/workspace/attachments/{page.url.rpartition('/')[2]}/content"
    )
    assert pillow.open(io.BytesIO(kept.body())).size == (2000, 1000)
