"""The account of a bill's line: named, or the usual one of the supplier, and never a default one unasked."""

from tests.finance.contacts.contacts import supplier
from tests.finance.documents.bills.bills import account, refused
from tests.finance.documents.invoices import bill, line, new_bill
from tests.finance.products.products import product

PREVIEW = "/finance/invoices/preview"


def guessed(office, *texts, **fields):
    """Code and reason of the account of each line, as the preview says them."""
    body = new_bill(*[line("10.00", description=text) for text in texts], **fields)
    shown = office.ok("POST", PREVIEW, body)["lines"]
    return [(each["accountCode"], each["accountBecause"]) for each in shown]


def test_a_line_goes_where_the_suppliers_last_bill_had_that_text_or_that_word(acme):
    telekom = supplier(acme, "Telekom")["id"]
    assert guessed(acme, "Phone", supplierId=telekom) == [("5000", "default")]
    phone, paper = account(acme, "6805", "Telephone"), account(acme, "6815", "Paper")
    before = line("10.00", description="Phone October", accountId=phone)
    bill(acme, before, line("5.00", description="Paper", accountId=paper), supplierId=telekom)
    bill(acme, line("9.00", description="Set-up"), draft=True, supplierId=telekom)
    texts = ("phone  october", "Phone November", "Paper", "Router")
    usual = [("6805", "supplier"), ("6805", "supplier"), ("6815", "supplier"), ("6805", "supplier")]
    assert guessed(acme, *texts, supplierId=telekom) == usual
    made = bill(acme, line("10.00", description="Phone November"), supplierId=telekom)
    assert (made["lines"][0]["accountCode"], made["lines"][0]["accountBecause"]) == ("6805", "supplier")


def test_a_bill_is_not_issued_while_a_line_has_only_the_default_account(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billsNeedAccount": True})
    lines = [line("10.00", accountId="5000"), line("20.00")]
    error = refused(acme, *lines, code="account_needed")
    assert [(each["field"], each["code"]) for each in error["details"]] == [("lines[1].accountId", "account_needed")]
    draft = bill(acme, *lines, draft=True)
    path = f"/finance/invoices/{draft['id']}"
    assert [each["accountBecause"] for each in draft["lines"]] == ["line", "default"]
    acme.refused("POST", f"{path}/issue", {}, status=422, code="account_needed")
    acme.ok("PATCH", path, {"lines": [line("10.00", accountId="5000")]})
    assert acme.ok("POST", f"{path}/issue", {})["status"] == "issued"


def test_only_a_workspace_with_a_countrys_chart_starts_with_bills_that_need_an_account(acme, installation):
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["billsNeedAccount"] is False
    german = installation.office("Greta", country="DE")
    assert german.ok("GET", f"/workspace/{german.workspace_id}")["billsNeedAccount"] is True


def test_the_preview_of_a_sale_says_the_account_and_the_tax_of_each_line(acme):
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "Reduced", "rate": "7"})["id"]
    consulting = product(acme, accountId="4100")["id"]
    lines = [line("1.00", taxRateId=rate), {"productId": consulting, "quantity": "1", "unitPrice": "1.00"}]
    first, second = acme.ok("POST", PREVIEW, {"lines": lines})["lines"]
    assert (first["taxRateId"], first["taxRateName"], first["taxRate"]) == (rate, "Reduced", "7")
    assert (first["accountCode"], first["accountName"], first["accountBecause"]) == ("4000", "Sales", "default")
    assert (second["accountCode"], second["accountBecause"]) == ("4100", "product")
