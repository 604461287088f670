"""Text that comes with blanks around it is kept without them, wherever it goes."""

from tests.conftest import Office


def test_padded_text_is_kept_and_shown_without_its_blanks(acme: Office) -> None:
    key = {"Idempotency-Key": "padded"}
    contact = acme.ok("POST", "/finance/contacts", {"name": "  Initech ", "kind": "customer"}, headers=key)
    assert contact["name"] == "Initech"
    assert acme.ok("POST", "/finance/contacts", {"name": "  Initech ", "kind": "customer"}, headers=key) == contact
    line = {"description": " Work\n", "quantity": "1", "unitPrice": "1.00", "unit": " h "}
    draft = {"customerId": contact["id"], "reference": "\tA 7 ", "lines": [line], "draft": True}
    invoice = acme.ok("POST", "/finance/invoices", draft)
    assert invoice["reference"] == "A 7"
    assert (invoice["lines"][0]["description"], invoice["lines"][0]["unit"]) == ("Work", "h")
    assert acme.ok("PATCH", f"/finance/invoices/{invoice['id']}", {"note": " soon "})["note"] == "soon"
    change = {"name": " Acme ", "address": {"city": " Bonn "}, "numberFormats": {"payment": " P-{seq} "}}
    workspace = acme.ok("PATCH", f"/workspace/{acme.workspace_id}", change)
    assert (workspace["name"], workspace["address"]["city"]) == ("Acme", "Bonn")
    assert workspace["numberFormats"]["payment"] == "P-{seq}"
    assert acme.ok("GET", "/finance/contacts", params={"q": " Initech "})[0]["id"] == contact["id"]
