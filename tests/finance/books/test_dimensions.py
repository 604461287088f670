"""Dimensions such as cost centres: what they are, and which postings get them."""

import pytest

from tests.events import events_of, last_event
from tests.finance.books.dimensions import analysed, debit, dimension, expense
from tests.finance.documents.invoices import bill, credit, invoice, line, new_bill, new_invoice
from tests.finance.journals.journals import new_entry
from tests.refusals import complaint, complaints

CC = {"cc": "100"}


def values_of(office, id, **params):
    return [value["code"] for value in office.ok("GET", f"/finance/dimensions/{id}/values", params=params)]


def test_a_dimension_has_a_code_for_ever_and_values_below_others(acme):
    id = dimension(acme, "100", datev="kost1")
    assert acme.ok("GET", "/finance/dimensions")[0]["datev"] == "kost1"
    values = f"/finance/dimensions/{id}/values"
    child = acme.ok("POST", values, {"code": "110", "name": "Night shift", "parentCode": "100"})
    assert child["parentCode"] == "100"
    renamed = acme.ok("PATCH", f"/finance/dimension-values/{child['id']}", {"name": "Late shift", "parentCode": None})
    assert (renamed["name"], renamed["parentCode"]) == ("Late shift", None)
    assert acme.ok("PATCH", f"/finance/dimensions/{id}", {"name": "Team", "datev": None})["name"] == "Team"
    assert (values_of(acme, id), values_of(acme, id, q="late")) == (["100", "110"], ["110"])
    assert events_of(acme, child["id"]) == ["dimension_value.created", "dimension_value.updated"]
    assert last_event(acme)[0] == "dimension.updated"
    acme.refused("PATCH", f"/finance/dimensions/{id}", {"code": "dd"}, status=422)


def test_a_value_is_never_below_itself_and_codes_are_unique(acme):
    id = dimension(acme, "100", "200")
    path = f"/finance/dimensions/{id}/values"
    first, second = acme.ok("GET", path)
    acme.ok("PATCH", f"/finance/dimension-values/{second['id']}", {"parentCode": "100"})
    error = acme.refused("PATCH", f"/finance/dimension-values/{first['id']}", {"parentCode": "200"}, status=422)
    assert complaint(error) == ("parentCode", "too_deep")
    unknown = acme.refused("POST", path, {"code": "300", "name": "X", "parentCode": "999"}, status=422)
    assert complaint(unknown) == ("parentCode", "unknown_reference")
    acme.refused("POST", path, {"code": "100", "name": "X"}, status=409, code="already_exists")
    acme.refused("POST", "/finance/dimensions", {"code": "cc", "name": "X"}, status=409, code="already_exists")


def test_there_are_at_most_three_dimensions_each_with_its_own_field_for_datev(acme):
    ids = [dimension(acme, code=code) for code in ("cc", "unit", "car")]
    fourth = {"code": "more", "name": "More"}
    acme.refused("POST", "/finance/dimensions", fourth, status=409, code="too_many_dimensions")
    acme.ok("POST", f"/finance/dimensions/{ids[2]}/archive")
    assert [each["code"] for each in acme.ok("GET", "/finance/dimensions")] == ["cc", "unit"]
    acme.ok("POST", "/finance/dimensions", fourth)
    acme.refused("POST", f"/finance/dimensions/{ids[2]}/unarchive", status=409, code="too_many_dimensions")
    acme.ok("PATCH", f"/finance/dimensions/{ids[0]}", {"datev": "kost1"})
    acme.refused("PATCH", f"/finance/dimensions/{ids[1]}", {"datev": "kost1"}, status=409, code="already_exists")


def test_income_and_expenses_alone_are_posted_with_dimensions(acme):
    dimension(acme, "100")
    lines = [debit("6100", "900.00", cc="100"), {"accountId": "1010", "credit": "900.00", "dimensions": CC}]
    entry = acme.ok("POST", "/finance/journals", {"date": "2026-01-15", "description": "Rent", "lines": lines})
    assert analysed(acme, entry["id"]) == [("6100", CC), ("1010", {})]
    reversal = acme.ok("POST", f"/finance/journals/{entry['id']}/reverse", {"date": "2026-01-16"})
    assert analysed(acme, reversal["id"]) == [("6100", CC), ("1010", {})]


@pytest.mark.parametrize(
    ("codes", "field", "code"),
    [
        ({"xx": "100"}, "lines[0].dimensions.xx", "unknown_reference"),
        ({"cc": "999"}, "lines[0].dimensions.cc", "unknown_reference"),
        ({"cc": "200"}, "lines[0].dimensions.cc", "archived"),
    ],
)
def test_unknown_and_archived_values_are_refused_at_their_field(acme, codes, field, code):
    id = dimension(acme, "100", "200")
    (value,) = acme.ok("GET", f"/finance/dimensions/{id}/values", params={"q": "200"})
    acme.ok("POST", f"/finance/dimension-values/{value['id']}/archive")
    assert complaint(expense(acme, debit("6100", "1.00", **codes), status=422)) == (field, code)
    draft = new_bill(line(accountId="6100", dimensions=codes), draft=True)
    assert complaint(acme.refused("POST", "/finance/invoices", draft, status=422)) == (field, code)


def test_what_was_posted_with_a_value_stays_when_it_is_archived(acme):
    id = dimension(acme, "100")
    entry = expense(acme, debit("6100", "1.00", cc="100"))
    (value,) = acme.ok("GET", f"/finance/dimensions/{id}/values")
    acme.ok("POST", f"/finance/dimension-values/{value['id']}/archive")
    reversal = acme.ok("POST", f"/finance/journals/{entry['id']}/reverse", {"date": "2026-01-16"})
    assert analysed(acme, reversal["id"])[0] == ("6100", CC)
    acme.ok("POST", f"/finance/dimension-values/{value['id']}/unarchive")
    expense(acme, debit("6100", "1.00", cc="100"))


def test_a_required_value_is_missed_on_posting_and_not_in_drafts(acme):
    dimension(acme, "100", requiredFor=[{"from": "6000", "to": "61"}])
    assert complaint(expense(acme, debit("6100", "1.00"), status=422)) == (
        "lines[0].dimensions.cc",
        "dimension_required",
    )
    expense(acme, debit("6200", "1.00"))
    shown = acme.ok("POST", "/finance/journals/preview", new_entry(debit="6100", credit="1010"))
    assert [detail["code"] for detail in shown["lines"][0]["details"]] == ["dimension_required"]
    draft = bill(acme, line(accountId="6200"), line(accountId="6100"), draft=True)
    issue = f"/finance/invoices/{draft['id']}/issue"
    assert complaint(acme.refused("POST", issue, {}, status=422)) == ("lines[1].dimensions.cc", "dimension_required")
    lines = [line(accountId="6200"), line(accountId="6100", dimensions=CC)]
    acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"lines": lines})
    assert acme.ok("POST", issue, {})["lines"][1]["dimensions"] == CC


def test_a_line_takes_the_value_of_its_account_else_of_its_product_else_of_its_contact(acme):
    dimension(acme, "100", "200", "300")
    dimension(acme, "a", code="unit")
    customer = acme.ok(
        "POST",
        "/finance/contacts",
        {"kind": "customer", "name": "Globex", "dimensions": {"cc": "300", "unit": "a"}},
    )["id"]
    product = acme.ok("POST", "/finance/products", {"name": "Care", "dimensions": {"cc": "200"}})["id"]
    accounts = {account["code"]: account["id"] for account in acme.ok("GET", "/finance/accounts")}

    def of(**fields):
        issued = invoice(acme, line(accountId="4100", **fields), customerId=customer)
        assert analysed(acme, issued["journalEntryId"])[1] == ("4100", issued["lines"][0]["dimensions"])
        return issued["lines"][0]["dimensions"]

    assert of() == {"cc": "300", "unit": "a"}
    assert of(productId=product) == {"cc": "200", "unit": "a"}
    shown = acme.ok("PATCH", f"/finance/accounts/{accounts['4100']}", {"dimensions": CC})
    assert shown["dimensions"] == CC
    assert of(productId=product) == {"cc": "100", "unit": "a"}
    assert of(productId=product, dimensions={"cc": "200"}) == {"cc": "200", "unit": "a"}
    assert expense(acme, debit("4100", "1.00"))["lines"][0]["dimensions"] == CC


def test_an_invoice_posts_a_line_for_each_value_and_its_credit_notes_take_them_back(acme):
    id = dimension(acme, "100", "200")
    issued = invoice(
        acme,
        *(line(price, accountId="4100", dimensions={"cc": value}) for price, value in (("100", "100"), ("60", "200"))),
        line("40", accountId="4100", dimensions=CC),
        issueDate="2026-01-10",
    )
    assert analysed(acme, issued["journalEntryId"])[1:] == [("4100", CC), ("4100", {"cc": "200"})]
    acme.ok("PATCH", f"/finance/dimensions/{id}", {"requiredFor": [{"from": "4", "to": "4"}]})
    acme.ok("POST", f"/finance/dimensions/{id}/archive")
    part = credit(acme, issued, {"lineId": issued["lines"][1]["id"], "quantity": "0.5"}, date="2026-01-11")
    assert ("4100", {"cc": "200"}) in analysed(acme, part["journalEntryId"])
    rest = credit(acme, issued, date="2026-01-12")
    assert sorted(code for name, codes in analysed(acme, rest["journalEntryId"]) for code in codes.values()) == [
        "100",
        "200",
    ]


def test_the_defaults_of_a_new_customer_are_refused_at_their_field(acme):
    customer = {"name": "Globex", "dimensions": {"cc": "100"}}
    error = acme.refused("POST", "/finance/invoices", new_invoice(customer=customer), status=422)
    assert complaint(error) == ("customer.dimensions.cc", "unknown_reference")


def test_a_draft_and_its_duplicate_keep_the_values_of_their_lines(acme):
    dimension(acme, "100")
    draft = invoice(acme, line(dimensions=CC), draft=True)
    assert draft["lines"][0]["dimensions"] == CC
    changed = acme.ok("PATCH", f"/finance/invoices/{draft['id']}", {"reference": "4711"})
    assert changed["lines"][0]["dimensions"] == CC
    copy = acme.ok("POST", f"/finance/invoices/{draft['id']}/duplicate", {})
    assert copy["lines"][0]["dimensions"] == CC


def test_dimensions_come_in_tables_as_text(acme):
    dimension(acme, "100")
    rows = "entry,date,text,accountId,debit,credit,dimensions\n1,2026-01-15,Rent,6100,5.00,,cc:100\n"
    acme.ok("POST", "/finance/journals/import", {"csv": f"{rows}1,2026-01-15,Rent,1010,,5.00,\n"})
    (entry,) = acme.ok("GET", "/finance/journals", params={"include": "lines"})
    assert [each["dimensions"] for each in entry["lines"]] == [CC, {}]


@pytest.mark.parametrize("wrong", [["cc"], {"cc": 100}, {"cc": ""}, {"CC": "100"}, {"cc": "a b"}, 7])
def test_a_value_of_another_form_is_refused(acme, wrong):
    dimension(acme, "100")
    body = new_entry(debit="6100", credit="1010")
    body["lines"][0]["dimensions"] = wrong
    assert complaints(acme.refused("POST", "/finance/journals", body, status=422)).keys() == {"lines[0].dimensions"}


def test_a_range_of_accounts_does_not_end_before_it_begins(acme):
    body = {"code": "cc", "name": "X", "requiredFor": [{"from": "7000", "to": "6999"}]}
    assert complaint(acme.refused("POST", "/finance/dimensions", body, status=422)) == (
        "requiredFor[0].to",
        "too_early",
    )


@pytest.mark.parametrize(("span", "field"), [({"from": "", "to": "9"}, "from"), ({"from": "4", "to": 9}, "to")])
def test_a_range_of_accounts_with_a_wrong_end_is_refused_at_that_end(acme, span, field):
    body = {"code": "cc", "name": "X", "requiredFor": [span]}
    refused = complaints(acme.refused("POST", "/finance/dimensions", body, status=422))
    assert refused.keys() == {f"requiredFor[0].{field}"}
