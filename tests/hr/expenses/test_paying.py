"""Payment runs pay posted expense claims, each once."""

from tests.crowds import all_at_once
from tests.finance.payments.runs import file_of, refused, run, texts
from tests.finance.write_downs.deductions import check_is_silent
from tests.hr.employees.employees import IBAN
from tests.hr.expenses.claims import approved, path_of, posted, receipt
from tests.refusals import complaint


def test_a_payment_run_pays_a_claim_to_the_account_of_the_person(office, dan):
    claim = posted(dan, office, receipt("90.00"))
    params = {"dueThrough": claim["dueDate"]}
    (owed,) = office.ok("GET", "/finance/payment-runs/proposal", params=params)["suppliers"]
    assert (owed["supplierName"], owed["hasIban"], owed["bills"]) == ("Dan Iel", True, [])
    assert [(row["id"], row["number"], row["amount"]) for row in owed["claims"]] == [
        (claim["id"], "EXP-2026-00001", "90.00")
    ]
    made = run(office, claimIds=[claim["number"]])
    (transfer,) = made["transfers"]
    assert (transfer["iban"], transfer["amount"], transfer["remittance"]) == (IBAN, "90.00", "EXP-2026-00001")
    assert texts(file_of(office, made), "Amt", "InstdAmt") == ["90.00"]
    paid = office.ok("GET", path_of(claim))
    assert (paid["status"], paid["amountPaid"]) == ("paid", "90.00")
    error = refused(office, claimIds=[claim["id"]])
    assert complaint(error) == ("claimIds[0]", "nothing_due")
    check_is_silent(office)
    office.ok("POST", f"/finance/payment-runs/{made['id']}/void", {})
    assert office.ok("GET", path_of(claim))["status"] == "posted"


def test_what_is_due_includes_claims(office, dan):
    claim = posted(dan, office, receipt("90.00"))
    refused(office, 409, "nothing_due", dueThrough="2026-03-23")
    assert run(office, dueThrough="2026-03-24")["amount"] == "90.00"
    assert office.ok("GET", path_of(claim))["status"] == "paid"


def test_of_sixteen_at_once_one_posts_and_one_pays(office, dan):
    claim = approved(dan, office, receipt("90.00"))
    _, counts = all_at_once(office, [(path_of(claim, "/post"), {})] * 16)
    assert counts == {200: 1, 409: 15}
    _, counts = all_at_once(office, [("/finance/payment-runs", {"claimIds": [claim["id"]]})] * 16)
    assert counts == {201: 1, 422: 15}
    assert office.ok("GET", path_of(claim))["amountPaid"] == "90.00"
    check_is_silent(office)
