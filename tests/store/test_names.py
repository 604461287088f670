"""Wherever an answer shows the id of another record, its name stands beside it."""

import re

import pytest

from erp.store import names
from erp.store.router import WORKSPACE
from tests.documented import document
from tests.finance.documents.invoices import bill, invoice, line
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.projects.projects import plan
from tests.tasks.tasks import add

NAMING = re.compile(r"(Name|Code|Number|Key|Title)s?$")
NO_RECORD = (
    "vatId",
    "companyId",
    "requestId",
    "sessionId",
    "activeWorkspaceId",
    "workspaceId",
    "timeLogIds",
    "creditedLineId",
    "expenseLineId",
)
"""Ids of something that has no name."""
NAMED_ITSELF = {
    "AbsenceView": {"employeeId"},
    "AccountLedgerRow": {"entryId"},
    "AwayPersonView": {"employeeId"},
    "CashAccountView": {"accountId"},
    "ComponentToDate": {"componentId"},
    "DifferenceLine": {"componentId"},
    "ContactStatement": {"contactId"},
    "ContactStatementLine": {"entryId"},
    "AppliedDepositView": {"invoiceId"},
    "LeaveBalanceView": {"leaveTypeId"},
    "OffsetItemView": {"itemId", "documentId"},
    "OpenItemView": {"documentId"},
    "OpeningPayView": {"componentId"},
    "OpeningView": {"journalEntryId"},
    "PayrollVariance": {"employeeId"},
    "PayslipLineView": {"componentId"},
    "PersonTime": {"userId"},
    "ProposedCreditView": {"itemId", "documentId"},
    "ProposedOverride": {"employeeId"},
    "ProposedItemView": {"itemId", "invoiceId"},
    "ReminderItemView": {"itemId", "invoiceId"},
    "RevaluationLineView": {"itemId"},
    "SkippedView": {"itemId"},
    "TaskTime": {"taskId"},
    "TimeLogSum": {"userId", "projectId", "taskId"},
    "TriedLine": {"componentId"},
}
"""Rows whose own `name`, `number`, `code` or `key` is that of the record."""
EXCUSED = {
    "AssetView": {"lineId", "saleLineId"},  # a line has no name; `invoiceNumber` names its document
    "ScheduledAssetView": {"lineId", "saleLineId"},
    "CandidateView": {"lineId"},
    "MonthBatchView": {"stackId"},  # a batch and a return are known by their days, which stand beside
    "MonthReturnView": {"taxReturnId"},
    "ContactView": {"employeeId", "groupWorkspaceId"},  # it bears that name; the session names workspaces
    "ExpenseLineView": {"attachmentIds"},  # the list of files has their names
    "ActiveWorkspaceView": {"employeeId"},  # the caller's own
    "ClockView": {"employeeId"},  # the caller's own
    "InvoiceAllocationView": {"allocationId"},  # the documents are named
    "TimeCellView": {"logIds"},  # a log has no name
    "TimeWeekView": {"userId"},  # that of the request
    "KioskView": {"siteId"},  # sites are in another file; a client has their list
    "CreatedKioskView": {"siteId"},
    "WebhookDeliveryView": {"eventId"},  # an event has no name, and its type stands there
    "CompensationView": {"replacedById"},  # a compensation has no name
    "PayChangePreview": {"replacedById"},
    "PayChangeView": {"replacedById"},
    "LeaveDayView": {"replacedByLeaveId"},  # leave has no name
    "ItemAllocationView": {"fromItemId", "toItemId"},  # `fromNumber` and `toNumber` name their documents
    "LeaverWithAccessView": {"memberId"},  # the employee is named
    "ConfirmedLineView": {"lineId"},  # a bank line has no name
    "SkippedLineView": {"lineId"},
    "SuggestedItemView": {"documentId"},  # `itemNumber` names it
    "MatchCandidateView": {"entryId", "itemId"},  # `number` names it
    "MatchView": {"documentId"},  # `entryNumber` and the description name it
    "MessageView": {"messageId", "retryOfId"},  # the header of that name; a message has no name
    "ShareLinkView": {"messageId"},  # a message has no name
    "MemberView": {"employeeId"},  # the member's own name stands there
    "OpeningBalancesView": {"replacedEntryId", "journalEntryId"},  # what a request has just made
    "OwnPayslip": {"runId"},  # one's own; a run is not shown to its employees
    "PasswordResetView": {"userId"},  # the answer to a request that names the user
    "PaymentAllocationView": {"fromItemId", "toItemId"},  # the documents are named
    "PaymentRunCreditView": {"allocationId"},  # the documents are named
    "PayrollRunRow": {"employeeIds", "ofRunIds"},  # the run's payslips name the people, and their lines the runs
    "PayrollRunView": {"employeeIds", "ofRunIds"},
    "PayrollRunPreview": {"employeeIds", "ofRunIds"},
    "PayslipLineView": {"claimId", "originPayslipId"},  # `name` has the claim's number, `originRunNumber` the run's
    "PayslipView": {"employeeId"},  # the snapshot has the name of that day
    "ProjectSummary": {"projectId"},  # the answer about one project
    "RecountedLeaveView": {"leaveId"},  # leave has no name
}


def unnamed():
    """The ids of answers without a name beside them, by schema."""
    for name, schema in document()["components"]["schemas"].items():
        fields = schema.get("properties", {})
        is_answer = name.endswith(("View", "Row", "Summary", "Statement", "Line", "Preview", "Sum", "Time", "Variance"))
        for field in fields if is_answer else ():
            stem = re.sub(r"(User|Employee)?Ids?$", "", field) or "employee"
            has_name = any(other.startswith(stem) and NAMING.search(other) for other in fields if other != field)
            if re.search(r"[a-z]Ids?$", field) and field not in NO_RECORD and not has_name:
                yield name, field


def test_every_id_of_an_answer_has_a_name_beside_it():
    excused = {(name, field) for table in (NAMED_ITSELF, EXCUSED) for name, some in table.items() for field in some}
    typed = {"TypedJournalLine", "TypedLine", "TypedQuoteLine"}
    bodies = typed | {
        "AssetLine",
        "CreditedLine",
        "InvoiceLineChange",
        "NewBudgetLine",
        "NewClaimLine",
        "NewInvoiceLine",
        "NewJournalLine",
        "NewOneOffLine",
        "NewQuoteLine",
        "OpeningLine",
    }
    assert sorted({(name, field) for name, field in unnamed() if name not in bodies} - excused) == []


def test_a_line_says_what_its_account_tax_rate_project_task_and_product_are_called(acme):
    site = plan(acme, "Site", code="WEB")
    task = add(acme, "Sketches", projectId=site["id"])
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "19 %", "rate": "19", "category": "S"})
    product = acme.ok("POST", "/finance/products", {"name": "Poster", "unitPrice": "20.00", "taxRateId": rate["id"]})
    lines = [
        line(accountId="4100", taxRateId=rate["id"], projectId=site["id"], taskId=task["id"]),
        {"productId": product["id"], "quantity": "1"},
    ]
    made = invoice(acme, *lines, projectId=site["id"])
    first, second = made["lines"]
    assert (first["accountCode"], first["accountName"], first["taxRateName"]) == ("4100", "Services", "19 %")
    assert (first["projectName"], first["taskKey"], first["taskTitle"]) == ("Site", task["key"], "Sketches")
    assert (second["productName"], second["accountName"], second["taskKey"]) == ("Poster", "Sales", None)
    assert (made["taxBreakdown"][0]["taxRateName"], made["projectName"], made["createdByName"]) == (
        "19 %",
        "Site",
        "Olga",
    )
    posted = acme.ok("GET", f"/finance/journals/{made['journalEntryId']}")
    assert made["journalEntryNumber"] == posted["number"]
    assert acme.ok("GET", f"/finance/invoices/{made['id']}") == made
    assert acme.ok("GET", "/finance/invoices")[0]["projectName"] == "Site"
    assert {row["contactName"] for row in posted["lines"]} == {"Globex", None}
    assert {row["projectName"] for row in posted["lines"]} == {"Site", None}
    assert [row["accountName"] for row in acme.ok("GET", "/finance/open-items")] == ["Accounts receivable"]


def test_a_new_name_shows_at_once_but_a_document_keeps_its_customer(acme):
    made = invoice(acme)
    acme.ok("PATCH", f"/finance/contacts/{made['customerId']}", {"name": "Initech"})
    sales = next(account for account in acme.ok("GET", "/finance/accounts") if account["code"] == "4000")
    acme.ok("PATCH", f"/finance/accounts/{sales['id']}", {"name": "Turnover"})
    shown = acme.ok("GET", f"/finance/invoices/{made['id']}")
    assert (shown["customerName"], shown["lines"][0]["accountName"]) == ("Globex", "Turnover")
    paid = payment(acme, "100.00", invoiceId=made["id"])
    assert (paid["contactName"], paid["accountCode"], paid["accountName"]) == ("Initech", "1010", "Bank")


def test_those_who_acted_are_named_to_others_even_after_they_have_left(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"billApproval": True})
    anna = acme.colleague("accountant")
    made = invoice(anna)
    asked = bill(anna)
    approved = acme.ok("POST", f"/finance/invoices/{asked['id']}/approve", {})
    assert (approved["createdByName"], approved["approvedByName"]) == ("Accountant", "Olga")
    members = acme.ok("GET", "/workspace/members")
    (membership,) = [member for member in members if member["user"]["id"] == anna.user["id"]]
    acme.ok("DELETE", f"/workspace/members/{membership['id']}")
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["createdByName"] == "Accountant"
    assert acme.ok("GET", "/finance/contacts")[0]["createdByName"] == "Accountant"


def test_people_on_tasks_and_projects_are_named_in_the_order_of_their_ids(acme):
    member = acme.colleague("member")
    ids = [acme.user["id"], member.user["id"]]
    site = plan(acme, "Site", code="WEB", ownerUserId=ids[1], memberUserIds=ids)
    called = dict(zip(ids, ("Olga", "Member"), strict=True))
    assert (site["ownerName"], site["memberNames"]) == ("Member", [called[id] for id in site["memberUserIds"]])
    first = add(acme, "First", projectId=site["id"])
    whole = add(acme, "Whole", projectId=site["id"])
    task = add(acme, "Then", projectId=site["id"], assigneeUserIds=ids, dependsOn=[first["id"]], parentId=whole["id"])
    assert task["assigneeNames"] == [called[id] for id in task["assigneeUserIds"]]
    assert (task["reporterName"], task["dependsOnKeys"]) == ("Olga", ["WEB-1"])
    assert (task["parentKey"], task["parentTitle"], task["projectCode"]) == ("WEB-2", "Whole", "WEB")
    assert member.ok("GET", f"/tasks/{task['id']}")["createdByName"] == "Olga"


def test_a_reversal_and_what_it_reverses_name_each_other(acme):
    made = entry(acme)
    back = acme.ok("POST", f"/finance/journals/{made['id']}/reverse", {})
    assert back["reversesNumber"] == made["number"]
    listed = {row["number"]: row for row in acme.ok("GET", "/finance/journals")}
    assert listed[made["number"]]["reversedByNumber"] == back["number"]
    assert listed[back["number"]]["reversesNumber"] == made["number"]


@pytest.fixture
def statements(monkeypatch):
    """The statements that a workspace's file is asked, counted by the test."""
    asked = []
    run = WORKSPACE.execute_sql

    def counted(sql, params=None):
        asked.append(sql)
        return run(sql, params)

    monkeypatch.setattr(WORKSPACE, "execute_sql", counted)
    return asked


@pytest.mark.parametrize("path", ["/finance/products", "/finance/tax-rates", "/finance/payments", "/hr/pay-components"])
def test_names_cost_one_statement_a_page(acme, statements, path):
    for i in range(3):
        rate = acme.ok("POST", "/finance/tax-rates", {"name": f"{i}", "rate": "19", "category": "S"})
        acme.ok("POST", "/finance/products", {"name": f"{i}", "accountId": "4000", "taxRateId": rate["id"]})
        payment(acme, "10.00", contactId=invoice(acme)["customerId"])
        component = {"name": f"Bonus {i}", "code": f"B{i}", "kind": "earning", "calculation": "fixed"}
        acme.ok("POST", "/hr/pay-components", component | {"amount": "1.00", "expenseAccountId": "6000"})
    counts = []
    for limit in (3, 1, 3):
        statements.clear()
        acme.ok("GET", path, params={"limit": limit})
        counts.append(len(statements))
    assert counts[1] == counts[2], "\n".join(s[:90] for s in statements)


def test_nothing_is_asked_where_nothing_is_named(acme, statements):
    with acme.books():
        statements.clear()
        assert names.of(account=[None], task=[]).name(None) is None
        assert statements == []
