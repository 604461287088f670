"""Columns and tables of a workspace that name no one, or that the list of personal data leaves out for a reason."""

COMMON = frozenset({"id", "version", "created_at", "updated_at", "created_by"})
"""Columns that are about the record; an id names no one once its name is erased."""


IMPERSONAL: dict[str, str] = {
    "compensation": "employee_id effective_from pay_type amount currency frequency components replaced_by_id",
    "contact": (
        "kind currency payment_terms_days payment_terms default_tax_rate_id archived_at language debtor_number "
        "creditor_number dimensions employee_id group_workspace_id time_billing buyer_kind head_id merged_into_id "
        "merged_parts"
    ),
    "contact_offset": (
        "number fiscal_year seq status date contact_id currency amount note journal_entry_id voided_at void_reason"
    ),
    "cost_rate": "employee_id effective_from method hourly_cost employer_percent",
    "employee": (
        "employee_number payroll_number manager_employee_id employment_type hire_date termination_date "
        "successor_employee_id keeps_attendance expects_time site_id payslip_mail"
    ),
    "employment": "employee_id starts_on ends_on",
    "expense_claim": (
        "number fiscal_year seq employee_id status total own_total card_total tax_total submitted_at decided_by "
        "decided_at contact_id journal_entry_id posted_on due_date voided_at pay_by"
    ),
    "expense_line": (
        "claim_id position kind date category_id project_id task_id is_billable paid_by account_id attachment_ids "
        "amount currency exchange_rate tax_rate_id tax_amount days amount_base net tax"
    ),
    "invoice": (
        "kind number fiscal_year seq status contact_id issue_date due_date currency exchange_rate prices_include_tax "
        "tax_rounding discount_amount discount_percent project_id subtotal discount_total charge_total tax_total "
        "rounding_amount total base_total amount_paid amount_credited is_adjusted deposit_total prepaid_amount "
        "journal_entry_id credited_invoice_id issued_at voided_at void_reason terms supplier_number approval "
        "approved_at approved_by service_from service_to tax_date payment_terms paper time_sheet quote_id "
        "sent_at sent_via"
    ),
    "journal_entry": (
        "number fiscal_year seq date description reference kind source_type source_id reverses_id total last_line hash"
    ),
    "open_item": (
        "entry_id line document_type document_id number account_id contact_id date document_date due_date tax_rate_id "
        "currency amount base_amount open open_base settled_on released_on"
    ),
    "opening_year": "employee_id year through_date currency taxable lines",
    "paid_day": "employee_id date payslip_id",
    "payment": (
        "number fiscal_year seq direction status contact_id amount currency exchange_rate base_amount date method "
        "account_id fee_amount journal_entry_id voided_at void_reason"
    ),
    "payment_run_transfer": "run_id payment_id bank_account remittance",
    "payroll_run": (
        "number fiscal_year seq period_start period_end pay_date status kind includes_differences employee_ids "
        "of_run_ids rules currency exchange_rate gross deductions employer_contributions net payable payable_base "
        "carried_base approved_on approved_by paid_on paid_by reversed_on reversed_by reverse_reason "
        "money_returned_on prepared_by accrual_entry_id payment_entry_id payable_account_id bank_account_id"
    ),
    "payslip": (
        "run_id employee_id pay_date working_days paid_days unpaid_leave_days paid_leave_days worked_minutes gross "
        "deductions employer_contributions net base taxable carried_in payable time_source parts earlier year_to_date "
        "reimbursements"
    ),
    "payslip_line": (
        "payslip_id position component_id code name kind quantity rate amount computed_amount override_reason line_id "
        "reason origin_payslip_id explanation expense_account_id liability_account_id claim_id"
    ),
    "posting": (
        "entry_id line account_id date amount contact_id project_id description currency foreign_amount dimensions"
    ),
    "quote": (
        "number fiscal_year seq revision status contact_id issue_date valid_until currency prices_include_tax "
        "tax_rounding discount_amount discount_percent project_id service_from service_to payment_terms subtotal "
        "discount_total charge_total tax_total rounding_amount total terms paper issued_at accepted_at accepted_on "
        "accepted_via accepted_paper_sha256 accepted_net accepted_tax accepted_total is_above declined_at declined_via "
        "closed_at sent_at sent_via"
    ),
    "reminder": (
        "number fiscal_year seq status contact_id currency date pay_by level_id level level_name open credit fee "
        "interest lump_sum charged_fee charged_interest charged_lump_sum total paper undone_at undo_reason waived_at "
        "waive_reason sent_at sent_via"
    ),
    "time_week": "user_id date_from date_to status submitted_at decided_by decided_at logged_minutes billable_minutes",
    "wage_export": "number month format employee_ids wage_type_ids warnings",
    "work_schedule": "employee_id effective_from mon tue wed thu fri sat sun hours",
}
"""Columns that stay: figures, days, states and ids. The texts of sealed rows of the books follow the books."""


EXCUSED: dict[str, str] = {
    "asset": "names the employee who has it by id",
    "bank_feed": "the office's own accounts",
    "bank_line": "what the bank says, a part of the books",
    "billable_expense": "names a line of a claim by its id",
    "erasure": "has no row outside of the transaction that erases",
    "event": "the log: `redaction` blanks what it says of the person",
    "payment_run": "names the office's own account",
    "person": "names of former members: `erasing` gives them the alias",
    "project": "work of the office; names its people by id",
    "project_member": "names a user by id",
    "recurring_document": "names a contact by id",
    "share_link": "names a document by id, and of its receiver nothing",
    "settings": "the office's own data, which its documents show",
    "task": "work of the office; names its people by id",
    "task_assignee": "names a user by id",
    "task_comment": "work of the office; names its author by id",
    "time_log": "work of the office, which invoices count; names its user by id",
    "webhook": "names an address of another program",
}
"""Tables that the list leaves out, with the reason."""
