"""Merging contacts in the browser: a hint, what the merge does in figures, and undoing it."""

import pytest

from tests.frontend.conftest import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_duplicate_is_merged_and_the_merge_undone(at_desk, width, scheme):
    desk = at_desk("amara", width, scheme)
    _, twin = (
        desk.api("POST", "/finance/contacts", {"name": f"{name} {width}", "email": f"{width}@x.example", **more})
        for name, more in (
            ("Kalypso GmbH", {"kind": "customer", "language": "de"}),
            ("Kalypso", {"kind": "both", "language": "en"}),
        )
    )
    lines = [{"description": "Work", "quantity": "1", "unitPrice": "40.00"}]
    desk.api("POST", "/finance/invoices", {"customerId": twin["id"], "lines": lines, "draft": True})
    page = desk.go(f"/contacts?q=Kalypso+{width}")
    expect(page.get_by_text("Perhaps twice")).to_have_count(2)
    desk.go(f"/contacts/{twin['id']}")
    hint = page.get_by_text(f"Kalypso GmbH {width} has the same e-mail address.")
    expect(hint).to_be_visible()
    page.locator(".alert").get_by_role("button", name="Merge…").click()
    asked = page.get_by_role("dialog")
    expect(asked.get_by_label("Contact that stays")).to_have_value(f"Kalypso GmbH {width}")
    expect(asked.get_by_text("1 draft")).to_be_visible()
    expect(asked.get_by_text(f"Name: Kalypso GmbH {width}, not Kalypso {width}")).to_be_visible()
    expect(asked.get_by_text("Language of documents: German, not English")).to_be_visible()
    expect(asked.get_by_text("Customer and supplier")).to_be_visible()
    expect(asked.get_by_text(", not both")).to_have_count(0)
    assert desk.refusals() == []
    assert not desk.is_wide()
    asked.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Kalypso GmbH {width}")
    expect(hint).to_have_count(0)
    page = desk.go(f"/contacts/{twin['id']}")
    expect(page.get_by_text("Merged into another contact")).to_be_visible()
    assert desk.refusals() == []
    desk.act("Undo the merge")
    expect(page.locator(".toast-text", has_text="is a contact of its own again.")).to_be_visible()
    expect(page.get_by_text(f"Kalypso GmbH {width} has the same e-mail address.")).to_be_visible()
    assert desk.api("GET", f"/finance/contacts/{twin['id']}")["archivedAt"] is None
