"""Warnings, limits and duplicates; who may see and decide; the home page and the search."""

import pytest

from tests.desk.files import attach, pdf
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill
from tests.hr.employees.employees import hire
from tests.hr.expenses.claims import PATH, act, draft, path_of, posted, receipt
from tests.refusals import complaint


def category(office, **fields):
    return office.ok("POST", "/hr/expense-categories", {"code": "parking", "name": "Parking", **fields})


def codes(claim):
    return [(warning["code"], warning["line"]) for warning in claim["warnings"]]


def test_a_missing_receipt_keeps_a_claim_back_from_an_amount_on(office, dan):
    category(office, receiptFrom="5.00")
    lines = [receipt("4.99", categoryId="parking"), receipt("5.00", categoryId="parking")]
    claim = dan.ok("POST", PATH, {"title": "Parking", "lines": lines})
    assert codes(claim) == [("receipt_missing", 1)]
    error = dan.refused("POST", path_of(claim, "/submit"), {}, status=422, code="validation_failed")
    assert complaint(error) == ("lines[1].attachmentIds", "receipt_missing")


@pytest.mark.parametrize(("per", "amounts"), [("line", ["21.00"]), ("day", ["15.00", "6.00"])])
def test_a_limit_warns_and_then_blocks(office, dan, per, amounts):
    made = category(office, limit={"amount": "20.00", "per": per})
    claim = draft(dan, *(receipt(amount, categoryId="parking") for amount in amounts))
    last = len(amounts) - 1
    assert codes(claim) == [("over_limit", last)]
    office.ok("PATCH", f"/hr/expense-categories/{made['id']}", {"limitMode": "block"})
    error = dan.refused("POST", path_of(claim, "/submit"), {}, status=422, code="validation_failed")
    assert complaint(error) == (f"lines[{last}].amount", "over_limit")


def test_a_monthly_limit_counts_other_claims_and_tells_what_is_left(office, dan):
    category(office, limit={"amount": "20.00", "per": "month"}, limitMode="block")
    act(dan, draft(dan, receipt("15.00", categoryId="parking")), "submit")
    claim = draft(dan, receipt("6.00", categoryId="parking", date="2026-03-31"))
    (warning,) = claim["warnings"]
    assert warning["message"] == "Parking: at most 20.00 EUR a month, of which 5.00 EUR are left."
    assert draft(dan, receipt("6.00", categoryId="parking", date="2026-04-01"))["warnings"] == []


def test_a_file_of_another_claim_is_refused_unless_forced(office, dan):
    content = pdf()
    claims = [dan.ok("POST", PATH, {"title": title, "lines": [receipt("10.00")]}) for title in ("One", "Two")]
    for claim, amount in zip(claims, ("10.00", "11.00"), strict=True):
        file = attach(dan, content, "taxi.pdf", ("expense_claim", claim["id"]))
        dan.ok("PATCH", path_of(claim), {"lines": [receipt(amount, attachmentIds=[file["id"]])]})
    first, second = claims
    act(dan, first, "submit", force=True)
    error = dan.refused("POST", path_of(second, "/submit"), {}, status=409, code="duplicate_receipt")
    assert error["message"].startswith("EXP-2026-00001 has the same file.")
    assert codes(dan.ok("GET", path_of(second))) == [("duplicate_receipt", 0)]
    assert act(dan, second, "submit", force=True)["status"] == "submitted"


def test_a_file_of_a_bill_is_refused_and_its_number_is_for_the_books_alone(office, dan):
    content = pdf()
    number = bill(office, "10.00", supplierId=supplier(office)["id"])
    attach(office, content, "taxi.pdf", ("invoice", number["id"]))
    claim = dan.ok("POST", PATH, {"title": "Taxi", "lines": [receipt("10.00")]})
    file = attach(dan, content, "taxi.pdf", ("expense_claim", claim["id"]))
    dan.ok("PATCH", path_of(claim), {"lines": [receipt("10.00", attachmentIds=[file["id"]])]})
    error = dan.refused("POST", path_of(claim, "/submit"), {}, status=409, code="duplicate_receipt")
    assert error["message"].startswith("A bill has the same file.")


def test_the_same_amount_of_a_day_is_told_to_those_who_may_read_it(office, dan):
    act(dan, draft(dan, receipt("10.00")), "submit")
    assert [code for code, _ in codes(draft(dan, receipt("10.00")))] == ["possible_duplicate"]
    eve = office.colleague("member")
    hire(office, name="Eve", userId=eve.user["id"])
    claim = draft(eve, receipt("10.00"))
    assert claim["warnings"] == [], "Dan's claims are not hers to read"
    (first, *_) = office.ok("GET", path_of(claim))["warnings"]
    assert first["message"] == "Dan Iel has claimed the same amount of the same day: EXP-2026-00001."


def test_a_claim_is_seen_by_the_person_their_manager_and_the_office(office, dan):
    claim = draft(dan, receipt("10.00"))
    file = claim["lines"][0]["attachmentIds"][0]
    other = office.colleague("member")
    hire(office, name="Eve", userId=other.user["id"])
    other.refused("GET", path_of(claim), status=403, code="forbidden")
    other.refused("GET", f"/workspace/attachments/{file}", status=403, code="forbidden")
    assert other.ok("GET", PATH) == []
    boss = office.colleague("manager")
    manager = hire(office, name="Bo", userId=boss.user["id"])
    boss.refused("GET", path_of(claim), status=403, code="forbidden")
    office.ok("PATCH", f"/hr/employees/{claim['employeeId']}", {"managerEmployeeId": manager["id"]})
    assert [row["id"] for row in boss.ok("GET", PATH)] == [claim["id"]]
    assert boss.ok("GET", f"/workspace/attachments/{file}")["resourceName"] == "Linz"
    act(dan, claim, "submit")
    dan.refused("DELETE", f"/workspace/attachments/{file}", status=409)
    assert act(boss, claim, "approve")["status"] == "approved"
    boss.refused("POST", path_of(claim, "/post"), {}, status=403, code="forbidden")


def test_home_tells_what_waits_for_whom(office, dan):
    claim = draft(dan, receipt("10.00"))
    act(dan, claim, "submit")
    home = office.ok("GET", "/workspace/home")
    (row,) = home["claimsToDecide"]["items"]
    assert (row["number"], row["title"], row["employeeName"], row["total"]) == (
        "EXP-2026-00001",
        "Linz",
        "Dan Iel",
        "10.00",
    )
    assert home["claimsToPost"]["total"] == 0
    assert dan.ok("GET", "/workspace/home")["claimsToDecide"] is None
    act(office, claim, "approve")
    home = office.ok("GET", "/workspace/home")
    assert (home["claimsToDecide"]["total"], home["claimsToPost"]["total"]) == (0, 1)


def test_claims_are_found_by_number_and_title(office, dan):
    claim = posted(dan, office, receipt("10.00"), title="Visit in Wels")
    other = office.colleague("member")
    for text in ("EXP-2026-00001", "exp 1", "wels"):
        (hit,) = [hit for hit in office.ok("GET", "/workspace/search", params={"q": text}) if hit["id"] == claim["id"]]
        assert (hit["type"], hit["title"], hit["status"]) == ("expense_claim", "Visit in Wels", "posted")
        assert [hit["id"] for hit in dan.ok("GET", "/workspace/search", params={"q": text})] == [claim["id"]]
        assert other.ok("GET", "/workspace/search", params={"q": text}) == []
