"""Merging a duplicate of a contact: nothing posted changes, and everything is read by head."""

import pytest

from tests.events import last_event
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, credit, invoice, status_and_due
from tests.finance.dunning.reminders import LETTERS, RUNS, firm, germany, make, owed, proposal
from tests.finance.payments.payments import payment
from tests.finance.quotes.quotes import accepted, act, draft
from tests.finance.soundness import problems
from tests.refusals import complaint

IBAN = "NL91ABNA0417164300"
OURS = "DE89370400440532013000"
BLOCK = {"kind": "agreed", "reason": "Pays in March"}


@pytest.fixture(autouse=True)
def _in_february(clock_at):
    clock_at("2026-02-10T09:00:00Z")


@pytest.fixture
def head(acme):
    return customer(acme, "Globex GmbH", vatId="DE136695976", paymentTermsDays=14)


@pytest.fixture
def twin(acme):
    """The duplicate that an import made."""
    return customer(acme, "GLOBEX", email="office@globex.example", phone="+49 40 1", paymentTermsDays=30)


def merge(office, duplicate, into, **fields):
    return office.ok("POST", f"/finance/contacts/{duplicate['id']}/merge", {"intoContactId": into["id"], **fields})


def refused(office, duplicate, into, status, code=None, **fields):
    path = f"/finance/contacts/{duplicate['id']}/merge"
    return office.refused("POST", path, {"intoContactId": into["id"], **fields}, status=status, code=code)


def numbers(office, path, **filters):
    return sorted(row["number"] for row in office.ok("GET", path, params=filters))


def postings(office):
    trial = office.ok("GET", "/finance/reports/trial-balance")
    return office.ok("GET", "/finance/journals", params={"include": "lines"}), trial["rows"], trial["totals"]


def rows(report):
    return {
        row["label"]: row["cells"]["total"]["value"] for row in report["rows"] if "/contacts/" in (row["link"] or "")
    }


def test_the_head_has_the_balance_of_both_and_a_credit_of_one_settles_the_other(acme, head, twin):
    """100.00 and a credit of 40.00: the head has 60.00, and the credit settles the other's invoice."""
    owed = invoice(acme, "100.00", customerId=head["id"], issueDate="2026-01-05")
    paid = invoice(acme, "40.00", customerId=twin["id"], issueDate="2026-01-06")
    payment(acme, invoiceId=paid["id"], amount="40.00", date="2026-01-10")
    note = credit(acme, paid, date="2026-01-20")
    before = postings(acme)

    shown = merge(acme, twin, head, dryRun=True)
    assert (shown["balance"], shown["counts"]["documents"], shown["counts"]["payments"]) == ("60.00", 2, 1)
    assert acme.ok("GET", f"/finance/contacts/{head['id']}")["balance"] == "100.00"

    merged = merge(acme, twin, head)
    assert (merged["id"], merged["balance"], merged["unallocatedCredit"]) == (head["id"], "60.00", "40.00")
    assert postings(acme) == before
    gone = acme.ok("GET", f"/finance/contacts/{twin['id']}")
    assert (gone["headId"], gone["mergedIntoId"], gone["balance"]) == (head["id"], head["id"], "0.00")
    assert gone["archivedAt"] is not None
    assert acme.ok("GET", f"/finance/invoices/{paid['id']}")["customer"]["name"] == "GLOBEX"

    items = {item["number"]: item for item in acme.ok("GET", "/finance/open-items")}
    assert {item["contactName"] for item in items.values()} == {"Globex GmbH"}
    ends = {"fromItemId": items[note["number"]]["id"], "toItemId": items[owed["number"]]["id"]}
    acme.ok("POST", "/finance/allocations", {**ends, "amount": "40.00"})
    assert status_and_due(acme, owed["id"]) == ("partially_paid", "60.00")
    assert problems(acme) == []
    error = acme.refused("POST", f"/finance/contacts/{twin['id']}/unmerge", status=409, code="in_use")
    assert note["number"] in error["message"]
    assert owed["number"] in error["message"]


def filters_find_the_head(office, id, invoices, bought, prepaid):
    """By the id of the head as by that of the duplicate."""
    assert numbers(office, "/finance/invoices", customerId=id, kind="sales_invoice") == invoices
    assert numbers(office, "/finance/invoices", supplierId=id) == [bought["number"]]
    assert numbers(office, "/finance/payments", contactId=id) == [prepaid["number"]]
    receivable = numbers(office, "/finance/open-items", contactId=id, side="receivable")
    assert receivable == sorted([*invoices, prepaid["number"]])
    assert len(office.ok("GET", "/finance/journals", params={"contactId": id})) == 4
    statement = office.ok("GET", f"/finance/contacts/{id}/statement")
    assert (statement["name"], statement["blocks"][0]["closing"]) == ("Globex GmbH", "55.00")
    aged = office.ok("GET", "/finance/reports/aged-receivables", params={"contactId": id})
    assert rows(aged) == {"Globex GmbH": "125.00"}
    ledger = office.ok("GET", "/finance/reports/general-ledger", params={"contactId": id, "accountId": "1100"})
    assert len([row for row in ledger["rows"] if row["kind"] == "line"]) >= 3


def lists_and_reports_name_the_head(office, head, prepaid):
    for text in ("globex gmbh", "GLOBEX"):
        assert numbers(office, "/finance/payments", q=text) == [prepaid["number"]]
    listed = office.ok("GET", "/finance/invoices", params={"kind": "sales_invoice"})
    assert {row["customerId"] for row in listed} == {head["id"]}
    assert [row["contactId"] for row in office.ok("GET", "/finance/payments")] == [head["id"]]
    assert rows(office.ok("GET", "/finance/reports/aged-payables")) == {"Globex GmbH": "70.00"}
    forecast = office.ok("GET", "/finance/reports/cash-forecast")
    assert {row["label"] for row in forecast["rows"] if row["cells"].get("number")} == {"Globex GmbH"}
    names = [row["name"] for row in office.ok("GET", "/finance/contacts", params={"q": "GLOBEX"})]
    assert names == ["Globex GmbH"]
    hits = {(hit["type"], hit["title"]): hit for hit in office.ok("GET", "/workspace/search", params={"q": "gmbh"})}
    assert hits["payment", prepaid["number"]]["name"] == "Globex GmbH"
    due = office.ok("GET", "/workspace/home")["overdueInvoices"]
    assert due is None or {row["customerId"] for row in due["items"]} == {head["id"]}


def the_bill_is_the_heads(office, head, twin, bought):
    """It is due to the head, who may not give its number again, and paying it pays the head."""
    for id in (head["id"], twin["id"]):
        due = office.ok("GET", "/finance/bills/due", params={"supplierId": id, "dueThrough": "2026-12-31"})
        assert [(each["supplierId"], each["hasIban"]) for each in due] == [(head["id"], True)]
    lines = [{"description": "Paper", "quantity": "1", "unitPrice": "1.00"}]
    body = {"kind": "purchase_invoice", "supplierId": head["id"], "supplierNumber": "A-1", "lines": lines}
    same = body | {"issueDate": "2026-01-09"}
    office.refused("POST", "/finance/invoices", same, status=409, code="supplier_number_taken")
    run = office.ok("POST", "/finance/payment-runs", {"billIds": [bought["id"]], "iban": OURS})
    assert [(each["supplierId"], each["supplierName"]) for each in run["transfers"]] == [(head["id"], "Globex GmbH")]
    assert status_and_due(office, bought["id"]) == ("paid", "0.00")


def test_every_report_list_and_filter_reads_by_head(acme, head, twin):
    acme.ok("PATCH", f"/finance/contacts/{head['id']}", {"kind": "both"})
    acme.ok("PATCH", f"/finance/contacts/{twin['id']}", {"kind": "both", "bankAccount": {"iban": IBAN}})
    one = invoice(acme, "100.00", customerId=head["id"], issueDate="2026-01-05")
    other = invoice(acme, "30.00", customerId=twin["id"], issueDate="2026-01-06")
    bought = bill(acme, "70.00", supplierId=twin["id"], issueDate="2026-01-07", supplierNumber="A-1")
    prepaid = acme.ok(
        "POST",
        "/finance/payments",
        {"direction": "received", "contactId": twin["id"], "amount": "5.00", "date": "2026-01-08", "accountId": "1000"},
    )
    acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Third"})
    merge(acme, twin, head)
    both = sorted([one["number"], other["number"]])
    for id in (head["id"], twin["id"]):
        filters_find_the_head(acme, id, both, bought, prepaid)
    lists_and_reports_name_the_head(acme, head, prepaid)
    the_bill_is_the_heads(acme, head, twin, bought)
    assert problems(acme) == []


@pytest.fixture
def unposted(acme, twin):
    """The paths of a draft, a project, a rule of the bank and a recurring invoice, all of the duplicate."""
    draft = invoice(acme, "10.00", customerId=twin["id"], draft=True)
    project = acme.ok("POST", "/projects", {"name": "Web", "customerId": twin["id"]})
    rule = acme.ok("POST", "/finance/bank/rules", {"text": "globex", "accountId": "1100", "contactId": twin["id"]})
    lines = [{"description": "Hosting", "quantity": "1", "unitPrice": "20.00"}]
    template = {"kind": "sales_invoice", "customerId": twin["id"], "lines": lines}
    monthly = {"every": 1, "unit": "month", "from": "2026-03-01", "mode": "draft"}
    recurring = acme.ok("POST", "/finance/recurring", {"name": "Hosting", **monthly, "invoice": template})
    return (
        f"/finance/invoices/{draft['id']}",
        f"/projects/{project['id']}",
        f"/finance/bank/rules/{rule['id']}",
        f"/finance/recurring/{recurring['id']}",
    )


def owners(office, unposted):
    draft, project, rule, recurring = (office.ok("GET", path) for path in unposted)
    return [draft["customerId"], project["customerId"], rule["contactId"], recurring["invoice"]["customerId"]]


def test_what_is_not_posted_moves_and_goes_back(acme, head, twin, unposted):
    shown = merge(acme, twin, head, dryRun=True)
    moving = {name: count for name, count in shown["counts"].items() if count}
    assert moving == {"drafts": 1, "recurringDocuments": 1, "projects": 1, "bankRules": 1}
    assert shown["filled"] == ["email", "phone"]
    assert {each["field"]: (each["kept"], each["dropped"]) for each in shown["differences"]} == {
        "name": ("Globex GmbH", "GLOBEX"),
        "paymentTermsDays": ("14", "30"),
    }
    merged = merge(acme, twin, head)
    assert (merged["email"], merged["paymentTermsDays"]) == ("office@globex.example", 14)
    type, data = last_event(acme)
    assert (type, data["intoContactId"], data["moved"]["project"]) == ("contact.merged", head["id"], 1)
    assert "office@globex.example" not in str(data)

    assert owners(acme, unposted) == [head["id"]] * 4
    assert problems(acme) == []
    back = acme.ok("POST", f"/finance/contacts/{twin['id']}/unmerge")
    assert (back["headId"], back["mergedIntoId"], back["archivedAt"]) == (twin["id"], None, None)
    assert owners(acme, unposted) == [twin["id"]] * 4
    assert acme.ok("GET", f"/finance/contacts/{head['id']}")["email"] is None
    assert last_event(acme)[0] == "contact.unmerged"
    acme.refused("POST", f"/finance/contacts/{twin['id']}/unmerge", status=409, code="invalid_transition")
    merge(acme, twin, head)
    issued = acme.ok("POST", f"{unposted[0]}/issue")
    assert (issued["customerId"], issued["customerName"]) == (head["id"], "Globex GmbH")
    assert problems(acme) == []


def test_duplicates_of_duplicates_count_for_the_last_head(acme, head, twin):
    third = customer(acme, "Globex Ltd")
    invoice(acme, "7.00", customerId=third["id"])
    merge(acme, third, twin)
    merge(acme, twin, head)
    shown = acme.ok("GET", f"/finance/contacts/{third['id']}")
    assert (shown["headId"], shown["mergedIntoId"]) == (head["id"], twin["id"])
    assert acme.ok("GET", f"/finance/contacts/{head['id']}")["balance"] == "7.00"
    back = acme.ok("POST", f"/finance/contacts/{twin['id']}/unmerge")
    assert back["balance"] == "7.00"
    assert acme.ok("GET", f"/finance/contacts/{third['id']}")["headId"] == twin["id"]
    assert problems(acme) == []


def test_a_merge_is_refused(acme, head, twin):
    archived = customer(acme, "Old")
    acme.ok("POST", f"/finance/contacts/{archived['id']}/archive")
    for into, code in ((twin, "same_contact"), (archived, "archived"), ({"id": "none"}, "unknown_reference")):
        assert complaint(refused(acme, twin, into, 422)) == ("intoContactId", code)
    rival = customer(acme, "Globex AG", vatId="DE811569869", currency="USD")
    eur = customer(acme, "Globex SE", currency="EUR")
    error = refused(acme, rival, head, 409, "conflict")
    assert "VAT number" in error["message"]
    assert "Currency" in refused(acme, rival, eur, 409, "conflict")["message"]
    conflicts = merge(acme, rival, head, dryRun=True)["differences"]
    assert [each["field"] for each in conflicts if each["isConflict"]] == ["vatId"]
    merge(acme, rival, head, force=True)
    assert complaint(refused(acme, twin, rival, 422)) == ("intoContactId", "merged")
    refused(acme, rival, twin, 409, "invalid_transition")
    path = f"/finance/contacts/{rival['id']}"
    acme.refused("PATCH", path, {"phone": "1"}, status=409, code="invalid_transition")
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    assert acme.colleague("member").call("POST", f"{path}/unmerge").status_code == 403


def test_kinds_that_differ_make_both_and_new_documents_name_the_head(acme, head):
    seller = customer(acme, "Globex Handel", kind="supplier")
    bought = bill(acme, "12.00", supplierId=seller["id"])
    merged = merge(acme, seller, head)
    assert (merged["kind"], merged["debtorNumber"]) == ("both", head["debtorNumber"])
    assert merged["creditorNumber"] not in (None, seller["creditorNumber"])
    new = bill(acme, "3.00", supplierId=seller["id"])
    assert (new["supplierId"], new["supplierName"]) == (head["id"], "Globex GmbH")
    owed = invoice(acme, "12.00", customerId=head["id"])
    parts = [{"invoiceId": each["id"], "amount": "12.00"} for each in (owed, bought)]
    made = acme.ok("POST", "/finance/offsets", {"contactId": seller["id"], "items": parts})
    assert (made["contactId"], made["contactName"]) == (head["id"], "Globex GmbH")
    assert [each["number"] for each in acme.ok("GET", "/finance/offsets", params={"contactId": seller["id"]})] == [
        made["number"]
    ]
    acme.refused("POST", f"/finance/contacts/{seller['id']}/unmerge", status=409, code="in_use")
    assert problems(acme) == []


def test_lists_hint_at_equal_vat_numbers_and_addresses(acme, head, twin):
    same = customer(acme, "Globex again", vatId="DE136695976", email="Office@Globex.example")
    listed = {row["id"]: row["alike"] for row in acme.ok("GET", "/finance/contacts")}
    assert [(each["because"], each["contactId"]) for each in listed[same["id"]]] == [
        ("vat_id", head["id"]),
        ("email", twin["id"]),
    ]
    assert [(each["because"], each["name"], each["others"]) for each in listed[head["id"]]] == [
        ("vat_id", "Globex again", 1)
    ]
    merge(acme, same, head)
    assert {row["id"]: row["alike"] for row in acme.ok("GET", "/finance/contacts")}[head["id"]] == [
        {"because": "email", "contactId": twin["id"], "name": "GLOBEX", "others": 1}
    ]


def the_block_is_of_the_head(office, head, twin, invoices):
    """No letter is proposed for either, both of their invoices are blocked, and there is no second block."""
    found = proposal(office, "2026-02-10", contactId=twin["id"])
    assert [(each["contactId"], each["why"]) for each in found["skipped"]] == [(head["id"], "blocked_contact")]
    assert found["letters"] == []
    for made in invoices:
        shown = office.ok("GET", f"/finance/invoices/{made['id']}")
        assert (shown["isBlocked"], shown["reminderBlock"]["blocks"]) == (True, "contact")
    blocked = office.ok("GET", "/finance/invoices", params={"isBlocked": "true"})
    assert {row["id"] for row in blocked} == {made["id"] for made in invoices}
    path = f"/finance/contacts/{twin['id']}/reminder-block"
    office.refused("POST", path, BLOCK, status=409, code="invalid_transition")


def the_letter_binds_the_two(office, head, twin, letter):
    """Until it is undone; the block of the head then stays with the head."""
    office.ok("POST", f"/finance/contacts/{head['id']}/reminder-block", BLOCK)
    path = f"/finance/contacts/{twin['id']}/unmerge"
    error = office.refused("POST", path, status=409, code="in_use")
    assert letter["number"] in error["message"]
    office.ok("POST", f"{LETTERS}/{letter['id']}/undo", {"reason": "Not the same firm"})
    assert office.ok("POST", path)["reminderBlock"] is None


def test_a_reminder_goes_to_the_head_for_the_items_of_both(acme, head, twin):
    """Each has an overdue invoice, the duplicate a letter, a credit and a block: all of it is the head's."""
    germany(acme)
    first = owed(acme, "80.00", "2026-01-10", twin)
    old = make(acme, "2026-01-20")
    payment(acme, "30.00", contactId=twin["id"], direction="received", date="2026-01-21")
    other = owed(acme, "100.00", "2026-01-20", head)
    acme.ok("POST", f"/finance/contacts/{twin['id']}/reminder-block", BLOCK)
    assert merge(acme, twin, head, dryRun=True)["counts"]["reminderBlocks"] == 1
    assert merge(acme, twin, head)["reminderBlock"]["reason"] == "Pays in March"

    the_block_is_of_the_head(acme, head, twin, [first, other])
    acme.ok("POST", f"/finance/contacts/{head['id']}/reminder-block/lift")

    (letter,) = proposal(acme, "2026-02-10")["letters"]
    assert (letter["contactId"], letter["contactName"], letter["level"]) == (head["id"], "Globex GmbH", 2)
    assert (letter["credit"], letter["open"]) == ("30.00", "150.00")
    assert [(item["number"], item["lastLevel"], item["level"]) for item in letter["items"]] == [
        (first["number"], 1, 2),
        (other["number"], 0, 1),
    ]
    run = {"date": "2026-02-10", "letters": [{"contactId": twin["id"], "currency": "EUR"}]}
    (sent,) = acme.ok("POST", RUNS, run)["letters"]
    assert (sent["contactId"], sent["contactName"]) == (head["id"], "Globex GmbH")
    for id in (head["id"], twin["id"]):
        listed = acme.ok("GET", LETTERS, params={"contactId": id})
        assert [(each["number"], each["contactId"]) for each in listed] == [
            (sent["number"], head["id"]),
            (old["number"], head["id"]),
        ]
    assert acme.ok("GET", f"/finance/contacts/{head['id']}")["reminderLevel"] == 2
    assert problems(acme) == []
    the_letter_binds_the_two(acme, head, twin, sent)


def test_a_quote_of_the_duplicate_is_the_heads_and_can_be_invoiced(acme, head, twin):
    offered = accepted(acme, customerId=twin["id"])
    planned = draft(acme, customerId=twin["id"])
    assert {name: n for name, n in merge(acme, twin, head, dryRun=True)["counts"].items() if n} == {
        "drafts": 1,
        "quotes": 1,
    }
    merge(acme, twin, head)
    for id in (head["id"], twin["id"]):
        listed = {row["id"]: row for row in acme.ok("GET", "/finance/quotes", params={"customerId": id})}
        assert {id: (row["customerId"], row["customerName"]) for id, row in listed.items()} == {
            offered["id"]: (head["id"], "GLOBEX"),
            planned["id"]: (head["id"], "Globex GmbH"),
        }
    back = acme.ok("POST", f"/finance/contacts/{twin['id']}/unmerge")
    assert acme.ok("GET", f"/finance/quotes/{planned['id']}")["customerId"] == back["id"]
    merge(acme, twin, head)
    assert act(acme, planned, "issue")["customerName"] == "Globex GmbH"
    made = act(acme, offered, "invoice", share="50")
    assert (made["customerId"], made["customerName"], made["netTotal"]) == (head["id"], "Globex GmbH", "4800.00")
    error = acme.refused("POST", f"/finance/contacts/{twin['id']}/unmerge", status=409, code="in_use")
    assert offered["number"] in error["message"]
    assert problems(acme) == []


def test_charges_of_a_letter_to_the_duplicate_go_to_the_head_and_join_both(acme, head, twin):
    firm(germany(acme), fee="5.00")
    owed(acme, "80.00", "2026-01-10", twin)
    letter = make(acme, "2026-01-20")
    merge(acme, twin, head)
    charged = acme.ok("POST", f"{LETTERS}/{letter['id']}/charge", {})
    assert acme.ok("GET", f"/finance/invoices/{charged['chargeInvoiceId']}")["customerId"] == head["id"]
    error = acme.refused("POST", f"/finance/contacts/{twin['id']}/unmerge", status=409, code="in_use")
    assert charged["chargeInvoiceNumber"] in error["message"]
    assert problems(acme) == []
    acme.ok("POST", f"/finance/invoices/{charged['chargeInvoiceId']}/void", {})
    acme.ok("POST", f"/finance/contacts/{twin['id']}/unmerge")
    assert problems(acme) == []
