"""Expense claims from the draft to the payment."""

import pytest
from peewee import IntegrityError

from erp.store.router import WORKSPACE
from tests.finance.reports.test_tax_returns import boxes
from tests.finance.write_downs.deductions import check_is_silent
from tests.finance.write_downs.deductions import posted as entry_of
from tests.hr.employees.employees import IBAN, hire
from tests.hr.expenses.claims import PATH, act, approved, draft, path_of, posted, rates, receipt
from tests.refusals import complaint

COPY_OF_A_LINE = """
    WITH line AS (SELECT * FROM expense_line LIMIT 1)
    INSERT INTO expense_line (id, claim_id, position, kind, date, category_id, is_billable, paid_by, attachment_ids,
        amount, currency, days, amount_base, net, tax)
    SELECT 'copy', claim_id, 1, kind, date, category_id, is_billable, paid_by, attachment_ids, amount, currency, days,
        amount_base, net, tax
    FROM line"""


def test_a_receipt_goes_from_the_draft_to_the_entry_that_owes_it(office, dan):
    tax = rates(office)
    claim = draft(dan, receipt("32.10", taxRateId=tax["7"]), title="Taxi in Linz")
    assert (claim["status"], claim["number"], claim["total"], claim["taxTotal"]) == ("draft", None, "32.10", "2.10")
    assert {"change", "delete", "submit"} <= set(claim["can"])
    claim = act(dan, claim, "submit")
    assert (claim["status"], claim["number"], claim["can"]) == ("submitted", "EXP-2026-00001", ["withdraw"])
    claim = act(office, claim, "approve", note="Fine")
    assert (claim["status"], claim["decisionNote"]) == ("approved", "Fine")
    claim = act(office, claim, "post")
    assert (claim["status"], claim["postedOn"], claim["dueDate"]) == ("posted", "2026-03-10", "2026-03-24")
    assert entry_of(office, claim["journalEntryId"]) == {"1300": "2.10", "2050": "-32.10", "6400": "30.00"}


def test_all_kinds_of_lines_are_posted_by_account_with_their_tax(office, dan):
    tax = rates(office)
    journey = {
        "kind": "per_diem",
        "startAt": "2026-03-09T10:00:00+01:00",
        "endAt": "2026-03-11T17:00:00+01:00",
        "meals": [{"date": "2026-03-10", "breakfast": True}, {"date": "2026-03-11", "breakfast": True}],
    }
    lines = (
        receipt("32.10", taxRateId=tax["7"]),
        receipt("83.30", taxRateId=tax["19"]),
        {"kind": "mileage", "date": "2026-03-11", "distance": "287.0", "vehicle": "car", "from": "Ulm", "to": "Linz"},
        journey,
        receipt("59.50", taxRateId=tax["19"], paidBy="company_card"),
    )
    claim = draft(dan, *lines)
    mileage, per_diem = claim["lines"][2:4]
    assert (mileage["amountBase"], mileage["explanation"]) == ("86.10", "287.0 km × 0.30")
    assert [(day["part"], day["amount"]) for day in per_diem["days"]] == [
        ("partial", "14.00"),
        ("full", "22.40"),
        ("partial", "8.40"),
    ]
    assert (claim["ownTotal"], claim["cardTotal"], claim["taxTotal"]) == ("246.30", "59.50", "24.90")
    act(dan, claim, "submit")
    act(office, claim, "approve")
    claim = act(office, claim, "post")
    assert claim["postedOn"] == "2026-03-11"
    assert entry_of(office, claim["journalEntryId"]) == {
        "1300": "24.90",
        "2050": "-246.30",
        "2100": "-59.50",
        "6400": "150.00",
        "6410": "86.10",
        "6420": "44.80",
    }


def test_a_foreign_receipt_is_worth_its_amount_at_the_rate(office, dan):
    tax = rates(office)
    office.ok("PATCH", f"/hr/expense-categories/{_category(office, 'travel')}", {"taxRateId": tax["19"]})
    claim = draft(dan, receipt("90.00", currency="CHF", exchangeRate="1.0412"))
    (line,) = claim["lines"]
    assert (line["amountBase"], line["tax"], claim["total"]) == ("93.71", "0.00", "93.71")
    claim = draft(dan, receipt("119.00"))
    assert claim["taxTotal"] == "19.00", "a receipt in the base currency has the category's tax"
    assert draft(dan, receipt("119.00", taxRateId=None))["taxTotal"] == "0.00"


def _category(office, code):
    (found,) = [row for row in office.ok("GET", "/hr/expense-categories") if row["code"] == code]
    return found["id"]


def test_printed_tax_may_differ_by_rounding_alone(office, dan):
    tax = rates(office)
    claim = draft(dan, receipt("119.00", taxRateId=tax["19"], taxAmount="19.05"))
    assert claim["taxTotal"] == "19.05"
    lines = [receipt("119.00", taxRateId=tax["19"], taxAmount="19.06")]
    error = dan.refused("POST", PATH, {"title": "Linz", "lines": lines}, status=422, code="validation_failed")
    assert complaint(error) == ("lines[0].taxAmount", "differs")


def test_tax_that_cannot_be_deducted_is_a_cost(office, dan):
    tax = rates(office)
    path = f"/hr/expense-categories/{_category(office, 'entertainment')}"
    assert office.ok("PATCH", path, {"deductibleTaxPercent": "0"})["deductibleCostPercent"] == "70"
    claim = draft(dan, receipt("119.00", categoryId="entertainment", taxRateId=tax["19"]))
    assert (claim["lines"][0]["net"], claim["taxTotal"]) == ("119.00", "0.00")


def test_nobody_decides_on_or_posts_their_own_claim(office):
    boss = office.colleague("admin")
    hire(office, name="Ada Min", userId=boss.user["id"])
    claim = draft(boss, receipt("10.00"))
    act(boss, claim, "submit")
    refusal = boss.refused("POST", path_of(claim, "/approve"), {}, status=403, code="own_pay")
    assert refusal["message"] == ("You cannot decide on your own expense claim. Ask another Owner, Admin or HR.")
    act(office, claim, "approve")
    refusal = boss.refused("POST", path_of(claim, "/post"), {}, status=403, code="own_pay")
    assert "post your own expense claim" in refusal["message"]
    assert act(office, claim, "post")["status"] == "posted"


def test_a_claim_goes_back_and_is_handed_in_again_under_its_number(office, dan):
    claim = draft(dan, receipt("10.00"))
    act(dan, claim, "submit")
    assert act(dan, claim, "withdraw")["status"] == "draft"
    act(dan, claim, "submit")
    claim = act(office, claim, "return", reason="Which customer?")
    assert (claim["status"], claim["decisionNote"], claim["number"]) == ("draft", "Which customer?", "EXP-2026-00001")
    assert act(dan, claim, "submit")["number"] == "EXP-2026-00001"
    assert act(office, claim, "reject", reason="Private")["status"] == "rejected"
    claim = act(office, claim, "decision/undo")
    assert (claim["status"], claim["decisionNote"]) == ("submitted", None)


def test_claims_are_decided_together_or_not_at_all(office, dan):
    first, second = (draft(dan, receipt(amount)) for amount in ("10.00", "11.00"))
    act(dan, first, "submit")
    verdicts = [{"id": first["id"], "decision": "approve"}, {"id": second["id"], "decision": "return"}]
    body = {"decisions": verdicts}
    error = office.refused("POST", f"{PATH}/decide", body, status=422, code="validation_failed")
    assert [detail["field"] for detail in error["details"]] == ["decisions[1].note"]
    act(dan, second, "submit")
    verdicts[1]["note"] = "Blurred"
    shown = office.ok("POST", f"{PATH}/decide", body)["claims"]
    assert [claim["status"] for claim in shown] == ["approved", "draft"]


def test_the_books_change_accounts_and_taxes_of_an_approved_claim_alone(office, dan):
    tax = rates(office)
    claim = approved(dan, office, receipt("119.00"))
    line = receipt("119.00", attachmentIds=claim["lines"][0]["attachmentIds"])
    dan.refused("PATCH", path_of(claim), {"lines": [line]}, status=409, code="invalid_transition")
    changed = office.ok("PATCH", path_of(claim), {"lines": [line | {"taxRateId": tax["19"], "accountId": "6300"}]})
    assert (changed["taxTotal"], changed["lines"][0]["accountCode"]) == ("19.00", "6300")
    office.refused(
        "PATCH", path_of(claim), {"lines": [line | {"amount": "10.00"}]}, status=409, code="invalid_transition"
    )
    claim = act(office, claim, "post")
    assert entry_of(office, claim["journalEntryId"]) == {"1300": "19.00", "2050": "-119.00", "6300": "100.00"}


def test_a_posted_claim_is_an_open_item_that_any_payment_pays(office, dan):
    claim = posted(dan, office, receipt("90.00"))
    (item,) = office.ok("GET", "/finance/open-items", params={"contactId": claim["contactId"]})
    assert (item["number"], item["open"], item["dueDate"]) == (claim["number"], "-90.00", claim["dueDate"])
    pay(office, claim, item, "40.00")
    claim = office.ok("GET", path_of(claim))
    assert (claim["status"], claim["amountPaid"]) == ("partially_paid", "40.00")
    office.refused("POST", path_of(claim, "/void"), {}, status=409, code="still_settled")
    pay(office, claim, item, "50.00")
    assert office.ok("GET", path_of(claim))["status"] == "paid"
    assert [row["id"] for row in office.ok("GET", PATH, params={"status": "paid"})] == [claim["id"]]
    assert office.ok("GET", PATH, params={"status": "posted,partially_paid"}) == []


def pay(office, claim, item, amount):
    body = {
        "direction": "made",
        "contactId": claim["contactId"],
        "amount": amount,
        "settles": [{"itemId": item["id"], "amount": amount}],
    }
    return office.ok("POST", "/finance/payments", body)


def test_a_void_claim_reverses_its_entry(office, dan):
    claim = act(office, posted(dan, office, receipt("90.00")), "void", reason="Claimed twice")
    assert (claim["status"], claim["voidReason"], claim["can"]) == ("void", "Claimed twice", [])
    check_is_silent(office)


def test_the_contact_of_an_employee_is_listed_on_request_alone(office, dan):
    claim = posted(dan, office, receipt("90.00"))
    assert claim["contactId"] not in [row["id"] for row in office.ok("GET", "/finance/contacts")]
    (contact,) = office.ok("GET", "/finance/contacts", params={"kind": "employee"})
    assert (contact["name"], contact["employeeId"], contact["bankAccount"]["iban"]) == (
        "Dan Iel",
        claim["employeeId"],
        IBAN,
    )
    office.refused(
        "PATCH", f"/finance/contacts/{contact['id']}", {"kind": "both"}, status=422, code="validation_failed"
    )
    elsewhere = {"bankAccount": {"iban": "DE02120300000000202051"}}  # whoever may write contacts is not paid instead
    refusal = office.refused("PATCH", f"/finance/contacts/{contact['id']}", elsewhere, status=422)
    assert complaint(refusal) == ("bankAccount", "employee")
    office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"note": "Paid on Fridays"})
    assert posted(dan, office, receipt("10.00"))["contactId"] == contact["id"], "one contact a person"
    account = {"holder": "Dan", "iban": "NL91ABNA0417164300"}
    office.ok("PATCH", f"/hr/employees/{claim['employeeId']}", {"name": "Dan Noel", "bankAccount": account})
    contact = office.ok("GET", f"/finance/contacts/{contact['id']}")
    assert (contact["name"], contact["bankAccount"]["iban"]) == ("Dan Noel", account["iban"])


def test_the_tax_of_a_claim_counts_in_the_return_until_it_is_void(office, dan):
    march = {"dateFrom": "2026-03-01", "dateTo": "2026-03-31"}
    claim = posted(dan, office, receipt("119.00", taxRateId=rates(office)["19"]))
    assert boxes(office, march)["66"] == "19.00"
    act(office, claim, "void", date="2026-03-12")
    assert "66" not in boxes(office, march)
    check_is_silent(office)


@pytest.mark.parametrize(
    ("status", "statement", "reason"),
    [
        ("posted", "DELETE FROM expense_claim", "a submitted claim is never deleted"),
        ("submitted", "DELETE FROM expense_claim", "a submitted claim is never deleted"),
        ("posted", "UPDATE expense_claim SET total = total + 1, own_total = own_total + 1", "a posted claim is never"),
        ("posted", "UPDATE expense_claim SET number = 'EXP-1'", "a posted claim is never changed"),
        ("posted", "UPDATE expense_line SET tax = 0, net = amount_base", "a posted claim is never changed"),
        ("posted", "UPDATE expense_line SET date = '2026-01-01'", "a posted claim is never changed"),
        ("posted", "DELETE FROM expense_line", "a posted claim is never changed"),
        ("posted", COPY_OF_A_LINE, "a posted claim is never changed"),
    ],
)
def test_the_file_itself_keeps_a_claim(office, dan, status, statement, reason):
    """Whichever program makes the change."""
    claim = act(dan, draft(dan, receipt("32.10")), "submit")
    if status == "posted":
        act(office, act(office, claim, "approve"), "post")
    with office.books(write=True), pytest.raises(IntegrityError, match=reason):
        WORKSPACE.run(statement)
    assert dan.ok("GET", path_of(claim))["total"] == "32.10"


def test_the_file_lets_a_draft_go(office, dan):
    draft(dan, receipt("32.10"))
    with office.books(write=True):
        WORKSPACE.run("DELETE FROM expense_claim")
        assert WORKSPACE.rows("SELECT id FROM expense_line") == []
