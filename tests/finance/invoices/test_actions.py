"""What may be done with documents, payments and entries now: what `can` offers works, the rest is refused."""

import pytest

from erp.store.router import Router
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.finance.write_downs.deductions import write_off


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-10T09:00:00Z")


def draft(office):
    return invoice(office, draft=True)


def negative_draft(office):
    return invoice(office, line("-5.00"), draft=True)


def locked_draft(office):
    made = invoice(office, issueDate="2026-01-05", draft=True)
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    return made


def issued(office):
    return invoice(office)


def sent(office):
    made = invoice(office)
    office.ok("POST", f"/finance/invoices/{made['id']}/mark-sent", {"via": "post"})
    return made


def partly_paid(office):
    made = invoice(office)
    payment(office, "40.00", invoiceId=made["id"])
    return made


def paid(office):
    made = invoice(office)
    payment(office, "100.00", invoiceId=made["id"])
    return made


def void(office):
    return office.ok("POST", f"/finance/invoices/{invoice(office)['id']}/void", {})


def partly_credited(office):
    made = invoice(office)
    credit(office, made, {"lineId": made["lines"][0]["id"], "amount": "40.00"})
    return made


def credited(office):
    made = invoice(office)
    credit(office, made)
    return made


def credited_by_a_void_note(office):
    made = invoice(office)
    office.ok("POST", f"/finance/invoices/{credit(office, made)['id']}/void", {})
    return made


def written_off(office):
    return write_off(office, invoice(office))


def partly_written_off(office):
    return write_off(office, invoice(office), amount="40.00")


def doubtful(office):
    return write_off(office, invoice(office), category="doubtful")


def paid_with_a_discount(office):
    made = invoice(office)
    payment(office, "98.00", invoiceId=made["id"], discountAmount="2.00")
    return made


def note_of_an_invoice(office):
    return credit(office, invoice(office))


def note_alone(office):
    return invoice(office, kind="sales_credit_note")


def deposit(office):
    return invoice(office, kind="deposit_invoice")


def final(office):
    """A final invoice that deducts a deposit which was never paid."""
    asked = deposit(office)
    return invoice(office, kind="final_invoice", customerId=asked["customerId"], depositIds=[asked["id"]])


def deducted_deposit(office):
    (asked,) = final(office)["deposits"]
    return office.ok("GET", f"/finance/invoices/{asked['invoiceId']}")


STATES = {
    deposit: "update pay void duplicate send mark_sent",
    deducted_deposit: "update duplicate send mark_sent",
    final: "update pay void write_off duplicate send mark_sent",
    draft: "update delete issue duplicate",
    negative_draft: "update delete duplicate",
    locked_draft: "update delete duplicate",
    issued: "update pay credit void duplicate write_off send mark_sent",
    partly_paid: "update pay credit duplicate write_off send mark_sent",
    paid: "update credit duplicate send mark_sent",
    void: "update duplicate",
    sent: "update pay credit void duplicate write_off send unmark_sent",
    partly_credited: "update pay credit duplicate write_off send mark_sent",
    credited: "update duplicate send mark_sent",
    credited_by_a_void_note: "update pay credit void duplicate write_off send mark_sent",
    written_off: "update pay duplicate undo_write_off send mark_sent",
    partly_written_off: "update pay credit duplicate write_off undo_write_off send mark_sent",
    doubtful: "update pay duplicate write_off undo_write_off send mark_sent",
    paid_with_a_discount: "update credit duplicate send mark_sent",
    note_of_an_invoice: "update void duplicate send mark_sent",
    note_alone: "update pay void duplicate send mark_sent",
}
ACTIONS = [
    *("update", "delete", "issue", "pay", "credit", "void", "duplicate", "write_off", "undo_write_off"),
    *("send", "mark_sent", "unmark_sent"),
]
PATHS = {"undo_write_off": "write-off/undo", "mark_sent": "mark-sent", "unmark_sent": "unmark-sent"}
BODIES = {"send": {"to": ["anna@example.com"], "dryRun": True}}


def act(office, action, document):
    """The status of the answer to an action."""
    path = f"/finance/invoices/{document['id']}"
    if action == "update":
        return office.call("PATCH", path, {"note": "Seen."}).status_code
    if action == "delete":
        return office.call("DELETE", path).status_code
    if action == "pay":
        direction = "made" if document["kind"].endswith("credit_note") else "received"
        body = {"invoiceId": document["id"], "amount": "1.00", "direction": direction}
        return office.call("POST", "/finance/payments", body).status_code
    if action == "write_off":
        body = {"category": "uncollectable", "reason": "Insolvent"}
        return office.call("POST", f"{path}/write-off", body).status_code
    return office.call("POST", f"{path}/{PATHS.get(action, action)}", BODIES.get(action, {})).status_code


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_document_says_what_can_be_done_with_it(acme, state):
    document = acme.once(state)
    assert acme.ok("GET", f"/finance/invoices/{document['id']}")["can"] == sorted(STATES[state].split())


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_the_list_says_the_same_of_each_document(acme, state):
    acme.once(state)
    listed = acme.ok("GET", "/finance/invoices")
    assert [row["can"] for row in listed] == [acme.ok("GET", f"/finance/invoices/{row['id']}")["can"] for row in listed]


def test_the_list_says_which_bills_wait_for_approval(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billApproval": True})
    bill(acme)
    anna, viewer = acme.colleague("accountant"), acme.colleague("viewer")
    assert [row["can"] for row in acme.ok("GET", "/finance/invoices")] == [
        ["approve", "credit", "duplicate", "pay", "update", "void", "write_off"]
    ]
    for person in (acme, anna, viewer):
        (row,) = person.ok("GET", "/finance/invoices")
        assert row["can"] == person.ok("GET", f"/finance/invoices/{row['id']}")["can"]
    assert viewer.ok("GET", "/finance/invoices")[0]["can"] == []


def test_a_list_of_many_credited_and_written_off_documents_takes_no_more_statements(acme, monkeypatch):
    tangled = (partly_credited, written_off, doubtful, paid_with_a_discount, deposit)

    executed = []
    execute = Router.execute_sql

    def noted(router, sql, *given):
        executed.append(sql)
        return execute(router, sql, *given)

    def statements():
        executed.clear()
        assert {tuple(row["can"]) for row in acme.ok("GET", "/finance/invoices")}
        return len(executed)

    monkeypatch.setattr(Router, "execute_sql", noted)
    for make in tangled:
        make(acme)
    of_five = statements()
    for make in tangled * 2:
        make(acme)
    assert statements() == of_five


OFFERED = [(state, action) for state, actions in STATES.items() for action in actions.split()]


@pytest.mark.parametrize(("state", "action"), OFFERED, ids=lambda each: getattr(each, "__name__", each))
def test_what_a_document_offers_works(acme, state, action):
    assert act(acme, action, acme.once(state)) < 300


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_a_document_does_not_offer_is_refused(acme, state):
    document = acme.once(state)
    shown = acme.ok("GET", f"/finance/invoices/{document['id']}")
    for action in (action for action in ACTIONS if action not in STATES[state].split()):
        assert 400 <= act(acme, action, document) < 500, action
    assert acme.ok("GET", f"/finance/invoices/{document['id']}") == shown


def test_an_undated_draft_can_be_issued_after_its_month_is_locked(acme, clock_at):
    made = invoice(acme, draft=True)
    clock_at("2026-04-10T09:00:00Z")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-03-31", "reason": "Closed"})
    assert "issue" in acme.ok("GET", f"/finance/invoices/{made['id']}")["can"]
    assert act(acme, "issue", made) == 200


def test_every_answer_about_a_document_says_what_can_be_done(acme):
    made = invoice(acme, draft=True)
    path = f"/finance/invoices/{made['id']}"
    assert made["can"] == acme.ok("GET", path)["can"]
    given = acme.ok("POST", f"{path}/issue", {})
    assert given["can"] == acme.ok("GET", path)["can"] == sorted(STATES[issued].split())
    assert acme.ok("POST", f"{path}/void", {})["can"] == sorted(STATES[void].split())


def test_a_payment_says_what_can_be_done_with_it(acme):
    bill = invoice(acme)
    made = payment(acme, "60.00", contactId=bill["customerId"])
    path = f"/finance/payments/{made['id']}"
    assert made["can"] == ["allocate", "void"]
    part = acme.ok("POST", f"{path}/allocations", {"allocations": [{"invoiceId": bill["id"], "amount": "20.00"}]})
    assert part["can"] == ["allocate", "release", "void"]
    whole = acme.ok("POST", f"{path}/allocations", {"allocations": [{"invoiceId": bill["id"], "amount": "40.00"}]})
    assert whole["can"] == ["release", "void"]
    for allocation in whole["allocations"]:
        free = acme.ok("POST", f"{path}/allocations/{allocation['id']}/release", {})
    assert free["can"] == ["allocate", "void"]
    assert acme.ok("POST", f"{path}/void", {})["can"] == []
    assert [each["can"] for each in acme.ok("GET", "/finance/payments")] == [[]]
    acme.refused("POST", f"{path}/void", {}, status=409, code="invalid_transition")


def test_an_entry_says_whether_it_can_be_reversed(acme):
    made = entry(acme)
    assert made["can"] == ["reverse"]
    invoice(acme)
    reversal = acme.ok("POST", f"/finance/journals/{made['id']}/reverse", {})
    listed = acme.ok("GET", "/finance/journals")
    assert [(each["kind"], each["can"]) for each in listed] == [("reversal", []), ("invoice", []), ("manual", [])]
    assert acme.ok("GET", f"/finance/journals/{reversal['id']}")["can"] == []
    for each in listed:
        acme.refused("POST", f"/finance/journals/{each['id']}/reverse", {}, status=409)


def test_someone_who_may_only_read_can_do_nothing(acme):
    made, paid_in, posted = invoice(acme), payment(acme, "5.00", contactId=customer(acme)["id"]), entry(acme)
    viewer = acme.colleague("viewer")
    for path in (f"invoices/{made['id']}", f"payments/{paid_in['id']}", f"journals/{posted['id']}"):
        assert acme.ok("GET", f"/finance/{path}")["can"] != []
        assert viewer.ok("GET", f"/finance/{path}")["can"] == []


def test_a_read_only_token_and_an_archived_workspace_offer_nothing(acme):
    path = f"/finance/invoices/{invoice(acme)['id']}"
    named = {"name": "Reports", "workspaceId": acme.workspace_id, "isReadOnly": True}
    token = acme.ok("POST", "/auth/tokens", named)["token"]
    answer = acme.installation.call("GET", path, headers={"Authorization": f"Bearer {token}"})
    assert answer.json["data"]["can"] == []
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive", {})
    assert acme.ok("GET", path)["can"] == []
    acme.ok("POST", f"/workspace/{acme.workspace_id}/unarchive", {})
    assert acme.ok("GET", path)["can"] == sorted(STATES[issued].split())
