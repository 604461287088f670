"""The words of the scenario: kinds of entries with their places in the API, and fields that name records."""

from typing import NamedTuple

from erp.demo.scenario import Fields


class Kind(NamedTuple):
    """The requests that entries of a kind become, and the names of their records.

    Attributes:
        path: where they are created, with the names of fields that belong into it.
        dated: the field that is set to the day of the entry, unless the entry sets it.
        fixed: fields that make it this kind.
        item: where one record is, if not below `path`.
        called: the field of a record that names it, unless the entry has `as`.
        records: the kind under which its records are found.
    """

    path: str
    dated: str = ""
    fixed: Fields = {}
    item: str = ""
    called: str = "name"
    records: str = ""


_INVOICES = "/finance/invoices"
KINDS = {
    "account": Kind("/finance/accounts", called="code"),
    "asset": Kind("/finance/assets"),
    "bankFormat": Kind("/finance/bank/accounts/{accountId}/format"),
    "bankRule": Kind("/finance/bank/rules"),
    "baseRate": Kind("/finance/base-rates", called="validFrom"),
    "bill": Kind(_INVOICES, "issueDate", {"kind": "purchase_invoice"}, records="invoice"),
    "budget": Kind("/finance/budgets"),
    "comment": Kind("/tasks/{taskId}/comments"),
    "compensation": Kind("/hr/employees/{employeeId}/compensations"),
    "contact": Kind("/finance/contacts"),
    "costRate": Kind("/hr/employees/{employeeId}/cost-rates"),
    "creditNote": Kind(_INVOICES, "issueDate", {"kind": "sales_credit_note"}, records="invoice"),
    "depreciationRun": Kind("/finance/depreciation-runs"),
    "dimension": Kind("/finance/dimensions"),
    "dimensionValue": Kind("/finance/dimensions/{dimensionId}/values"),
    "employee": Kind("/hr/employees"),
    "expenseClaim": Kind("/hr/expense-claims", called="title"),
    "file": Kind("/workspace/attachments"),
    "hours": Kind(f"{_INVOICES}/from-time-logs", item=_INVOICES, records="invoice"),
    "invoice": Kind(_INVOICES, "issueDate"),
    "journal": Kind("/finance/journals", "date"),
    "leave": Kind("/hr/leaves"),
    "leaveType": Kind("/hr/leave-types"),
    "lock": Kind("/finance/periods/lock"),
    "member": Kind("/workspace/members"),
    "payComponent": Kind("/hr/pay-components"),
    "payment": Kind("/finance/payments", "date"),
    "paymentRun": Kind("/finance/payment-runs", "date"),
    "payroll": Kind("/hr/payroll/run", item="/hr/payroll/runs"),
    "product": Kind("/finance/products"),
    "project": Kind("/projects"),
    "quote": Kind("/finance/quotes", "issueDate", called="subject"),
    "recurring": Kind("/finance/recurring"),
    "reminderRun": Kind("/finance/reminder-runs", "date"),
    "revaluation": Kind("/finance/revaluations", "date"),
    "site": Kind("/hr/sites"),
    "task": Kind("/tasks", called="title"),
    "taxRate": Kind("/finance/tax-rates"),
    "taxReturn": Kind("/finance/tax-returns"),
    "view": Kind("/workspace/views"),
    "workspace": Kind("/workspace"),
}
REFERENCES = {
    "assignees": ("user", "assigneeUserIds"),
    "component": ("payComponent", "componentId"),
    "customer": ("contact", "customerId"),
    "defaultTaxRate": ("taxRate", "defaultTaxRateId"),
    "dependsOn": ("task", "dependsOn"),
    "dimension": ("dimension", "dimensionId"),
    "employee": ("employee", "employeeId"),
    "invoice": ("invoice", "invoiceId"),
    "leaveType": ("leaveType", "leaveTypeId"),
    "manager": ("employee", "managerEmployeeId"),
    "members": ("user", "memberUserIds"),
    "owner": ("user", "ownerUserId"),
    "parent": ("task", "parentId"),
    "product": ("product", "productId"),
    "project": ("project", "projectId"),
    "supplier": ("contact", "supplierId"),
    "task": ("task", "taskId"),
    "taxRate": ("taxRate", "taxRateId"),
}
"""Fields that name records: the kind of those, and the field of the API."""
SEVERAL = {"assignees", "dependsOn", "members"}
"""Fields that name several records; a list in any other means one of them."""
OWN = {"as", "bought", "by", "on", "since", "through", "then", "under", "pays", "what", "named", "do"}
"""Words of the scenario that no request has."""
