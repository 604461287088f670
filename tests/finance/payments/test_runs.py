"""Payment runs: bills that are paid together, once each, with a file for the bank."""

from xml.etree import ElementTree

import pytest

from erp.store import router
from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.books.balances import balances, owed_by
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import bill, credit, invoice, status_and_due
from tests.finance.payments.payments import payment
from tests.finance.payments.runs import ELBE, MEYER, OURS, file_of, ids, refused, run, texts
from tests.finance.write_downs.deductions import check_is_silent
from tests.refusals import complaint, complaints

TODAY = "2026-02-07"


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at(f"{TODAY}T09:00:00Z")


@pytest.fixture
def office(acme):
    """An office with an account to pay from."""
    return acme.once(_office)


def _office(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": OURS, "legalName": "Nordlicht Beratung GmbH"})
    return acme


@pytest.fixture
def meyer(office):
    return office.once(_meyer)


def _meyer(office):
    return supplier(office, bankAccount={"iban": MEYER, "bic": "ABNANL2A"})["id"]


@pytest.fixture
def elbe(office):
    return office.once(_elbe)


def _elbe(office):
    return supplier(office, "Elbe Immobilien", bankAccount={"iban": ELBE, "holder": "Elbe Treuhand"})["id"]


@pytest.fixture
def bills(office, meyer, elbe):
    """Two of Meyer and one of Elbe, due on 02-07, 02-20 and 02-01."""
    return office.once(_bills, meyer, elbe)


def _bills(office, meyer, elbe):
    return [
        bill(office, "172.50", supplierId=meyer, supplierNumber="M-1", issueDate="2026-01-08", dueDate="2026-02-07"),
        bill(office, "27.50", supplierId=meyer, supplierNumber="M-2", issueDate="2026-01-21", dueDate="2026-02-20"),
        bill(office, "1785.00", supplierId=elbe, issueDate="2026-01-15", dueDate="2026-02-01"),
    ]


def test_a_run_pays_more_bills_than_a_page_has(office, meyer, elbe):
    """A page sends up to 1,000 in one run."""
    every = [
        bill(office, "1.00", supplierId=(meyer, elbe)[n % 2], issueDate="2026-01-08", dueDate="2026-02-07")
        for n in range(201)
    ]
    due = {"dueThrough": TODAY, "limit": "200"}
    first = office.call("GET", "/finance/bills/due", params=due).json
    rest = office.call("GET", "/finance/bills/due", params={**due, "cursor": first["page"]["nextCursor"]}).json
    assert {row["id"] for row in first["data"] + rest["data"]} == set(ids(every))
    assert rest["page"]["nextCursor"] is None
    assert office.ok("GET", "/finance/payment-runs/proposal", params={"dueThrough": TODAY})["amount"] == "201.00"
    names = [f"BILL-9999-{n:05}" for n in range(1000)]
    error = refused(office, billIds=names)
    assert {each["code"] for each in error["details"]} == {"unknown_reference"}
    made = run(office, billIds=ids(every))
    assert (made["amount"], {each["supplierName"] for each in made["transfers"]}) == (
        "201.00",
        {"Elbe Immobilien", "Meyer"},
    )
    assert texts(file_of(office, made), "PmtInf", "CtrlSum") == ["201.00"]
    assert office.ok("GET", "/finance/bills/due", params=due) == []
    office.ok("POST", f"/finance/payment-runs/{made['id']}/void", {})
    assert office.ok("GET", "/finance/payment-runs/proposal", params={"dueThrough": TODAY})["amount"] == "201.00"


def test_a_run_pays_each_supplier_once(office, bills, meyer, elbe):
    made = run(office, billIds=ids(bills))
    assert (made["number"], made["status"], made["date"]) == ("RUN-2026-001", "posted", TODAY)
    assert (made["amount"], made["currency"]) == ("1985.00", "EUR")
    rows = [(each["supplierName"], each["amount"], each["remittance"]) for each in made["transfers"]]
    assert rows == [("Elbe Immobilien", "1785.00", "BILL-2026-00003"), ("Meyer", "200.00", "M-1, M-2")]
    assert [status_and_due(office, each["id"]) for each in bills] == [("paid", "0.00")] * 3
    assert balances(office) == {"1010": -198_500, "5000": 198_500}
    assert (owed_by(office, meyer), owed_by(office, elbe)) == (0, 0)
    assert [each["reference"] for each in office.ok("GET", "/finance/payments")] == ["RUN-2026-001"] * 2
    type, data = last_event(office)
    assert (type, data["number"], len(data["paymentIds"])) == ("payment_run.posted", "RUN-2026-001", 2)
    check_is_silent(office)


def test_the_file_has_one_transfer_a_supplier(office, bills):
    root = file_of(office, run(office, billIds=ids(bills), date="2026-02-09"))
    assert texts(root, "GrpHdr", "MsgId") == ["RUN-2026-001"]
    assert texts(root, "GrpHdr", "CtrlSum") == ["1985.00"]
    assert texts(root, "ReqdExctnDt", "Dt") == ["2026-02-09"]
    assert texts(root, "Dbtr", "Nm") == ["Nordlicht Beratung GmbH"]
    assert texts(root, "DbtrAcct", "Id", "IBAN") == [OURS]
    assert texts(root, "PmtId", "EndToEndId") == ["PAY-2026-00001", "PAY-2026-00002"]
    assert texts(root, "Amt", "InstdAmt") == ["1785.00", "200.00"]
    assert texts(root, "Cdtr", "Nm") == ["Elbe Treuhand", "Meyer"]
    assert texts(root, "CdtrAcct", "Id", "IBAN") == [ELBE, MEYER]
    assert texts(root, "CdtrAgt", "FinInstnId", "BICFI") == ["ABNANL2A"]
    assert texts(root, "RmtInf", "Ustrd") == ["BILL-2026-00003", "M-1, M-2"]
    assert texts(root, "CtgyPurp", "Cd") == []


def test_the_file_keeps_the_accounts_of_the_day_of_the_run(office, bills, meyer):
    made = run(office, billIds=[bills[0]["number"]])
    first = file_of(office, made)
    office.ok("PATCH", f"/finance/contacts/{meyer}", {"bankAccount": {"iban": ELBE}})
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"iban": None})
    assert ElementTree.tostring(file_of(office, made)) == ElementTree.tostring(first)


def test_a_run_pays_what_is_due_by_a_day(office, bills):
    made = run(office, dueThrough="2026-02-07")
    assert made["amount"] == "1957.50"
    assert [status_and_due(office, each["id"])[1] for each in bills] == ["0.00", "27.50", "0.00"]
    error = refused(office, dueThrough="2026-02-07", status=409, code="nothing_due")
    assert error["message"] == "No payable bills in EUR are due through 7 Feb 2026."


def test_a_run_pays_what_is_left_of_a_bill(office, bills, meyer):
    payment(office, "72.50", direction="made", invoiceId=bills[0]["id"])
    credit(office, bills[0], {"lineId": bills[0]["lines"][0]["id"], "amount": "50.00"})
    assert run(office, billIds=[bills[0]["id"]])["amount"] == "50.00"


def test_what_a_run_cannot_pay_is_named(office, bills, meyer):
    usd = bill(office, "1.00", supplierId=meyer, currency="USD", exchangeRate="0.9")
    draft = bill(office, "1.00", supplierId=meyer, draft=True)
    sold = invoice(office, "1.00")
    payment(office, "172.50", direction="made", invoiceId=bills[0]["id"])
    names = [bills[0]["number"], bills[1]["id"], bills[1]["number"], usd["id"], draft["id"], sold["id"], "BILL-1"]
    error = refused(office, billIds=names, accountId="4000")
    assert complaints(error) == {
        "billIds[0]": "nothing_due",
        "billIds[2]": "repeated",
        "billIds[3]": "wrong_currency",
        "billIds[4]": "invoice_draft",
        "billIds[5]": "not_a_bill",
        "billIds[6]": "unknown_reference",
        "accountId": "unsuitable_account",
    }
    assert complaint(refused(office)) == ("billIds", "exactly_one")
    assert complaint(refused(office, billIds=ids(bills), dueThrough=TODAY)) == ("billIds", "exactly_one")
    error = refused(office, billIds=["BILL-1"], date="2026-03-07")
    assert complaints(error) == {"billIds[0]": "unknown_reference", "date": "date_in_future"}
    assert office.ok("GET", "/finance/payment-runs") == []


def test_a_run_takes_only_approved_bills(office, meyer):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"billApproval": True})
    made = bill(office, "10.00", supplierId=meyer, dueDate=TODAY, issueDate=TODAY)
    assert complaint(refused(office, billIds=[made["id"]])) == ("billIds[0]", "not_approved")
    refused(office, dueThrough=TODAY, status=409, code="nothing_due")
    office.ok("POST", f"/finance/invoices/{made['id']}/approve")
    assert run(office, dueThrough=TODAY)["amount"] == "10.00"


def test_a_run_needs_the_ibans_of_both_sides(office, bills):
    poor = bill(office, "1.00", supplier={"name": "Technik GmbH"})
    error = refused(office, billIds=[poor["id"], bills[0]["id"]], status=409, code="supplier_ibans_missing")
    assert "Technik GmbH" in error["message"]
    assert "Meyer" not in error["message"]
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"iban": None})
    refused(office, billIds=[bills[0]["id"]], status=409, code="workspace_iban_missing")
    assert status_and_due(office, bills[0]["id"]) == ("issued", "172.50")


def test_a_locked_period_takes_no_run(office, bills):
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    refused(office, billIds=ids(bills), date="2026-01-31", status=409, code="period_locked")
    assert run(office, billIds=ids(bills))["number"] == "RUN-2026-001"


def test_a_run_is_taken_back_as_one(office, bills, meyer, elbe):
    made = run(office, billIds=ids(bills))
    path = f"/finance/payment-runs/{made['id']}"
    shown = office.ok("POST", f"{path}/void", {"reason": "The bank refused it"})
    assert (shown["status"], shown["voidReason"]) == ("void", "The bank refused it")
    assert {each["status"] for each in shown["transfers"]} == {"void"}
    assert [status_and_due(office, each["id"])[0] for each in bills] == ["issued"] * 3
    assert (owed_by(office, meyer), owed_by(office, elbe)) == (-20_000, -178_500)
    assert last_event(office)[0] == "payment_run.void"
    office.refused("POST", f"{path}/void", {}, status=409, code="invalid_transition")
    office.refused("GET", f"{path}/file", status=409, code="nothing_to_pay")
    assert run(office, billIds=ids(bills))["number"] == "RUN-2026-002"
    check_is_silent(office)


def test_a_payment_of_a_run_that_the_bank_refused_is_voided_by_itself(office, bills):
    made = run(office, billIds=ids(bills))
    office.ok("POST", f"/finance/payments/{made['transfers'][0]['paymentId']}/void", {})
    root = file_of(office, made)
    assert texts(root, "Amt", "InstdAmt") == ["200.00"]
    assert texts(root, "GrpHdr", "CtrlSum") == ["200.00"]
    shown = office.ok("POST", f"/finance/payment-runs/{made['id']}/void", {})
    assert {each["status"] for each in shown["transfers"]} == {"void"}
    assert balances(office) == {"2000": -198_500, "5000": 198_500}


def test_a_stale_version_of_a_run_is_not_voided(office, bills):
    path = f"/finance/payment-runs/{run(office, billIds=ids(bills))['id']}/void"
    office.refused("POST", path, {}, status=412, code="version_mismatch", headers={"If-Match": '"7"'})
    office.ok("POST", path, {}, headers={"If-Match": '"1"'})


def test_runs_are_listed(office, bills):
    first = run(office, billIds=[bills[0]["id"]], date="2026-02-05")
    second = run(office, billIds=[bills[1]["id"]])
    listed = office.ok("GET", "/finance/payment-runs")
    assert listed == [second, first]
    assert office.ok("GET", "/finance/payment-runs", params={"dateTo": "2026-02-05"}) == [first]
    assert office.ok("GET", "/finance/payment-runs", params={"dateFrom": "2026-02-06", "status": "posted"}) == [second]
    assert office.ok("GET", f"/finance/payment-runs/{first['id']}") == first


def test_proposals_are_the_bills_that_are_due(office, bills, elbe):
    poor = bill(office, "1.00", supplier={"name": "Technik GmbH"}, issueDate="2026-01-01", dueDate="2026-02-03")
    invoice(office, "1.00", issueDate="2026-01-01", dueDate="2026-01-02")
    bill(office, "5.00", supplierId=elbe, draft=True, issueDate="2026-01-01", dueDate="2026-01-02")
    listed = office.ok("GET", "/finance/bills/due")
    assert ids(listed) == [bills[2]["id"], poor["id"], bills[0]["id"]]
    assert [each["hasIban"] for each in listed] == [True, False, True]
    assert listed[0] == {
        "id": bills[2]["id"],
        "number": "BILL-2026-00003",
        "supplierId": elbe,
        "supplierName": "Elbe Immobilien",
        "supplierNumber": None,
        "issueDate": "2026-01-15",
        "dueDate": "2026-02-01",
        "daysOverdue": 6,
        "currency": "EUR",
        "total": "1785.00",
        "amountDue": "1785.00",
        "prepaidOpen": "0.00",
        "prepaidHint": None,
        "cashDiscount": None,
        "supplierCredit": "0.00",
        "approval": "not_needed",
        "hasIban": True,
    }
    params = {"dueThrough": "2026-02-20", "supplierId": bills[0]["supplierId"]}
    assert ids(office.ok("GET", "/finance/bills/due", params=params)) == ids(bills[:2])
    run(office, dueThrough="2026-02-01", date="2026-02-14")
    assert bills[2]["id"] not in ids(office.ok("GET", "/finance/bills/due"))


def test_proposals_show_the_credit_of_the_supplier(office, bills, meyer):
    bill(office, "20.00", supplierId=meyer, kind="purchase_credit_note")
    bill(office, "9.00", supplierId=meyer, kind="purchase_credit_note", currency="USD", exchangeRate="0.9")
    payment(office, "7.00", direction="made", contactId=meyer)
    (shown,) = office.ok("GET", "/finance/bills/due", params={"supplierId": meyer})
    assert (shown["amountDue"], shown["supplierCredit"]) == ("172.50", "27.00")


def test_a_bill_is_paid_once_by_runs_and_payments_together(office, bills, elbe):
    by_run = ("/finance/payment-runs", {"billIds": [bills[2]["id"]]})
    by_hand = ("/finance/payments", {"direction": "made", "invoiceId": bills[2]["id"], "amount": "1785.00"})
    _, statuses = all_at_once(office, [by_run, by_hand] * 8)
    assert statuses == {201: 1, 422: 15}
    assert owed_by(office, elbe) == 0


def test_of_many_runs_over_one_bill_one_pays_it(office, bills, elbe):
    body = {"billIds": [bills[2]["id"]]}
    _, statuses = all_at_once(office, [("/finance/payment-runs", body)] * 16)
    assert statuses == {201: 1, 422: 15}
    assert owed_by(office, elbe) == 0
    assert balances(office)["1010"] == -178_500


def test_of_many_runs_of_all_that_is_due_one_pays_it(office, bills):
    _, statuses = all_at_once(office, [("/finance/payment-runs", {"dueThrough": "2026-02-28"})] * 16)
    assert statuses == {201: 1, 409: 15}
    assert balances(office) == {"1010": -198_500, "5000": 198_500}


def test_a_run_is_voided_by_one_of_those_who_try(office, bills):
    path = f"/finance/payment-runs/{run(office, billIds=ids(bills))['id']}/void"
    _, statuses = all_at_once(office, [(path, {})] * 16)
    assert statuses == {200: 1, 409: 15}
    assert balances(office) == {"2000": -198_500, "5000": 198_500}


def test_the_bank_account_of_a_contact_is_shown_and_not_logged(office, meyer):
    shown = office.ok("GET", f"/finance/contacts/{meyer}")
    assert shown["bankAccount"] == {"iban": MEYER, "bic": "ABNANL2A", "holder": None}
    error = office.refused(
        "PATCH", f"/finance/contacts/{meyer}", {"bankAccount": {"iban": "DE00", "bic": "X"}}, status=422
    )
    assert complaints(error) == {"bankAccount.iban": "not_an_iban", "bankAccount.bic": "not_a_bic"}
    assert office.ok("PATCH", f"/finance/contacts/{meyer}", {"bankAccount": None})["bankAccount"] is None
    with office.books():
        rows = router.WORKSPACE.rows("SELECT data || coalesce(recorded, '') FROM event")
    assert not [text for (text,) in rows if MEYER in text]


@pytest.mark.parametrize(("role", "may"), [("accountant", True), ("viewer", False)])
def test_a_run_offers_to_be_voided_until_it_is(office, bills, role, may):
    made, person = run(office, billIds=ids(bills)), office.colleague(role)
    path = f"/finance/payment-runs/{made['id']}"
    expected = ["void"] if may else []
    assert person.ok("GET", path)["can"] == expected
    assert [row["can"] for row in person.ok("GET", "/finance/payment-runs")] == [expected]
    assert (person.call("POST", f"{path}/void", {"reason": "Wrong account"}).status_code == 200) == may
    if may:
        assert person.ok("GET", path)["can"] == []
        person.refused("POST", f"{path}/void", {"reason": "Again"}, status=409, code="invalid_transition")


def test_an_office_may_prefer_one_transfer_that_says_how_many_more_bills_there_are(office, meyer):
    assert office.ok("PATCH", f"/workspace/{office.workspace_id}", {"remittance": "shorten"})["remittance"] == "shorten"
    days = {"issueDate": "2026-01-08", "dueDate": "2026-02-07"}
    numbers = [f"RE-2026-{n:05}" for n in range(1, 21)]
    many = [bill(office, "10.00", supplierId=meyer, supplierNumber=number, **days) for number in numbers]
    root = file_of(office, run(office, billIds=ids(many)))
    assert texts(root, "RmtInf", "Ustrd") == [f"{', '.join(numbers[:8])} + 12 more"]
    assert texts(root, "InstdAmt") == ["200.00"]
    office.refused("PATCH", f"/workspace/{office.workspace_id}", {"remittance": "cut"}, status=422)


def test_a_supplier_of_many_bills_gets_several_transfers_of_whole_numbers(office, meyer):
    numbers = [f"RE-2026-{n:05}" for n in range(1, 21)]
    days = {"issueDate": "2026-01-08", "dueDate": "2026-02-07"}
    many = [bill(office, "10.00", supplierId=meyer, supplierNumber=number, **days) for number in numbers]
    made = run(office, billIds=ids(many))
    root = file_of(office, made)
    told = [text or "" for text in texts(root, "RmtInf", "Ustrd")]
    assert (len(told), max(map(len, told)) <= 140) == (3, True)
    assert [number for text in told for number in text.split(", ")] == numbers
    assert len(set(texts(root, "PmtId", "EndToEndId"))) == 3
    assert texts(root, "GrpHdr", "NbOfTxs") == ["3"]
    assert texts(root, "GrpHdr", "CtrlSum") == [made["amount"]] == ["200.00"]
    assert {status_and_due(office, each["id"]) for each in many} == {("paid", "0.00")}
    check_is_silent(office)
