"""The personal data of a workspace: which rows name a person, how long they are kept, and what is erased of them.

This is the only list of them. A test walks the schema: a column of a table that names a person stands in `HELD`, or is
known to the test as impersonal, and a table that is left out is known to it with the reason.
"""

from typing import Literal, NamedTuple, get_args

Kind = Literal["profile", "attendance", "leave", "files", "payroll", "documents", "books"]
"""Kinds of personal data, each with a time for which it is kept."""

KINDS: tuple[Kind, ...] = get_args(Kind)

YEARS: dict[Kind, int] = {
    "profile": 0,
    "attendance": 2,
    "leave": 3,
    "files": 3,
    "payroll": 6,
    "documents": 8,
    "books": 10,
}
"""The least years for which each kind is kept, after the end of the calendar year of its last date.

Source: Germany: § 147 AO and § 257 HGB (books, documents, payroll), § 16 ArbZG (attendance), §§ 195, 199 BGB (claims
of a leaver: leave, files).
"""

EMPLOYEES = "employee_id = :employee"
CONTACTS = "contact_id IN (SELECT value FROM json_each(:contacts))"


class Held(NamedTuple):
    """Rows of a table that name a person.

    Attributes:
        whose: the SQL condition of the rows; parameters are the ids `:employee`, `:user`, the JSON array `:contacts`,
            and the `:alias` that stands in place of an erased name.
        date: the SQL of a row's date, from which its time runs.
        named: the column with the person's name, which becomes the alias.
        emptied: columns that become null.
        blanked: columns whose texts become "erased".
        shared: columns with JSON of several people, in which the person's name becomes "erased".
        deleted: whether the row is deleted as a whole.
        unless: the SQL condition that nothing personal is left in a row.
    """

    table: str
    kind: Kind
    whose: str
    date: str = "NULL"
    named: str = ""
    emptied: tuple[str, ...] = ()
    blanked: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    deleted: bool = False
    unless: str = "false"

    @property
    def personal(self) -> tuple[str, ...]:
        """The columns that are erased."""
        return (*((self.named,) if self.named else ()), *self.emptied, *self.blanked, *self.shared)

    @property
    def is_erased(self) -> bool:
        """Whether anything is erased of the rows, or all of them stays."""
        return self.deleted or bool(self.personal)

    @property
    def left(self) -> str:
        """The SQL condition of the rows of which something is left to erase."""
        return f"({self.whose}) AND NOT ({self.unless})" if self.is_erased else "false"


def _deleted(table: str, kind: Kind, whose: str, date: str = "NULL") -> Held:
    return Held(table, kind, whose, date, deleted=True)


_OWN_INVOICES = f"invoice_id IN (SELECT id FROM invoice WHERE {CONTACTS})"
_OWN_QUOTES = f"quote_id IN (SELECT id FROM quote WHERE {CONTACTS})"
_OWN_CLAIMS = f"SELECT id FROM expense_claim WHERE {EMPLOYEES}"
_OWN_SLIPS = f"SELECT id FROM payslip WHERE {EMPLOYEES}"
_NAMED_IN = (
    "EXISTS (SELECT 1 FROM json_each({0}) AS part WHERE part.value ->> 'employeeId' = :employee"
    " AND coalesce(part.value ->> 'name', part.value ->> 'employeeName', 'erased') <> 'erased')"
)
_MADE_ON = "substr(created_at, 1, 10)"

HELD = (
    _deleted("attendance_correction", "attendance", EMPLOYEES, "date"),
    _deleted("attendance_record", "attendance", EMPLOYEES, "date"),
    _deleted("leave_day", "leave", EMPLOYEES, "date"),
    _deleted("leave_entry", "leave", EMPLOYEES),  # a correction may be dated long after the person has left
    _deleted("leave_application", "leave", EMPLOYEES, "end_date"),
    _deleted("attachment", "files", "resource_type = 'employee' AND resource_id = :employee", _MADE_ON),
    _deleted(
        "attachment",
        "files",
        f"resource_type = 'employee_document' AND resource_id IN (SELECT id FROM employee_document WHERE {EMPLOYEES})",
        _MADE_ON,
    ),
    _deleted("employee_document", "files", EMPLOYEES, _MADE_ON),
    _deleted("kiosk_pin", "profile", EMPLOYEES),
    _deleted("checklist_start", "profile", EMPLOYEES),
    Held("payslip", "payroll", EMPLOYEES, "pay_date", blanked=("snapshot",), unless="snapshot ->> 'name' = 'erased'"),
    Held("payslip_line", "payroll", f"payslip_id IN ({_OWN_SLIPS})"),
    Held("paid_day", "payroll", EMPLOYEES, "date"),
    Held("compensation", "payroll", EMPLOYEES),
    Held("cost_rate", "payroll", EMPLOYEES),
    Held("opening_year", "payroll", EMPLOYEES, "through_date"),
    Held("employment", "payroll", EMPLOYEES, "ends_on"),
    Held("work_schedule", "payroll", EMPLOYEES),
    Held(
        "payroll_run",
        "payroll",
        f"id IN (SELECT run_id FROM payslip WHERE {EMPLOYEES})",
        "pay_date",
        shared=("warnings", "variance"),
        unless=f"NOT ({_NAMED_IN.format('warnings')} OR {_NAMED_IN.format('variance')})",
    ),
    Held(
        "wage_export",
        "payroll",
        "EXISTS (SELECT 1 FROM json_each(employee_ids) AS paid WHERE paid.value = :employee)",
        "date(month || '-01')",
        shared=("rows",),
        unless=f"NOT {_NAMED_IN.format('rows')}",
    ),
    _deleted(
        "attachment", "documents", f"resource_type = 'expense_claim' AND resource_id IN ({_OWN_CLAIMS})", _MADE_ON
    ),
    Held(
        "expense_line",
        "documents",
        f"claim_id IN ({_OWN_CLAIMS})",
        "date",
        emptied=("description", "supplier_name", "receipt_number", "trip", "explanation"),
        unless="coalesce(description, supplier_name, receipt_number, trip, explanation) IS NULL",
    ),
    Held(
        "expense_claim",
        "documents",
        EMPLOYEES,
        f"coalesce(posted_on, {_MADE_ON})",
        emptied=("note", "decision_note", "void_reason"),
        blanked=("title",),
        unless="title = 'erased'",
    ),
    _deleted(
        "attachment",
        "documents",
        f"resource_type = 'invoice' AND resource_id IN (SELECT id FROM invoice WHERE {CONTACTS})",
        _MADE_ON,
    ),
    _deleted("document_file", "documents", _OWN_INVOICES, _MADE_ON),
    Held(
        "invoice",
        "documents",
        CONTACTS,
        "issue_date",
        named="contact_name",
        emptied=("customer", "reference", "note", "intro", "closing"),
        unless="contact_name = :alias",
    ),
    _deleted("quote_file", "documents", _OWN_QUOTES, _MADE_ON),
    Held(
        "quote",
        "documents",
        CONTACTS,
        "issue_date",
        named="contact_name",
        emptied=(
            "customer",
            "subject",
            "reference",
            "note",
            "intro",
            "closing",
            "accepted_by",
            "accepted_note",
            "declined_by",
            "decline_reason",
            "close_reason",
        ),
        unless="contact_name = :alias",
    ),
    Held(
        "reminder",
        "documents",
        CONTACTS,
        "date",
        named="contact_name",
        emptied=("customer", "pdf_sha256"),
        unless="contact_name = :alias",
    ),
    _deleted(
        "reminder_block",
        "profile",
        "resource_id IN (SELECT value FROM json_each(:contacts))"
        f" OR resource_id IN (SELECT id FROM invoice WHERE {CONTACTS})",
    ),
    Held(
        "payment",
        "documents",
        CONTACTS,
        "date",
        emptied=("reference", "note"),
        unless="coalesce(reference, note) IS NULL",
    ),
    Held(
        "payment_run_transfer",
        "books",
        f"payment_id IN (SELECT id FROM payment WHERE {CONTACTS})",
    ),
    Held("journal_entry", "books", f"id IN (SELECT entry_id FROM posting WHERE {CONTACTS})", "date"),
    Held("posting", "books", CONTACTS, "date"),
    Held("open_item", "books", CONTACTS, "date"),
    Held("contact_offset", "books", CONTACTS, "date"),
    _deleted("bank_counterparty", "profile", CONTACTS),
    _deleted("bank_rule", "profile", CONTACTS),
    _deleted(
        "attachment",
        "profile",
        "resource_type = 'contact' AND resource_id IN (SELECT value FROM json_each(:contacts))",
    ),
    Held(
        "contact",
        "profile",
        "id IN (SELECT value FROM json_each(:contacts))",
        named="name",
        unless="name = :alias",
        emptied=(
            "legal_name",
            "email",
            "phone",
            "vat_id",
            "tax_number",
            "address",
            "note",
            "bank_account",
            "buyer_reference",
            "paper_intro",
            "paper_closing",
            "recipients",
        ),
    ),
    Held(
        "employee",
        "profile",
        "id = :employee",
        named="name",
        unless="name = :alias",
        emptied=(
            "email",
            "phone",
            "user_id",
            "job_title",
            "department",
            "termination_reason",
            "time_zone",
            "bank_account",
            "tax_number",
            "address",
            "contract_end",
            "probation_end",
            "birthday",
            "emergency_contact",
            "iban_changed_at",
            "iban_changed_by",
        ),
    ),
    _deleted("notice", "profile", "user_id = :user OR resource_id = :employee"),
    _deleted("muted_notice", "profile", "user_id = :user"),
    _deleted("notice_mail", "profile", "user_id = :user"),
    _deleted("notice_schedule", "profile", "user_id = :user"),
    _deleted("message", "payroll", f"resource_id IN ({_OWN_SLIPS})", _MADE_ON),
    _deleted("message", "profile", "resource_id = :user"),
    _deleted(
        "message",
        "documents",
        "resource_id IN (SELECT value FROM json_each(:contacts)"
        f" UNION ALL SELECT id FROM invoice WHERE {CONTACTS} UNION ALL SELECT id FROM quote WHERE {CONTACTS}"
        f" UNION ALL SELECT id FROM reminder WHERE {CONTACTS})",
        _MADE_ON,
    ),
    _deleted("timer", "profile", "user_id = :user"),
    _deleted("list_view_default", "profile", "user_id = :user"),
    _deleted("list_view", "profile", "created_by = :user AND NOT is_shared"),
    _deleted("idempotency", "profile", "user_id = :user"),
    Held("time_week", "attendance", "user_id = :user", "date_to", emptied=("note",), unless="note IS NULL"),
)


WITHOUT_ID = frozenset(
    {
        "checklist_start",
        "kiosk_pin",
        "idempotency",
        "leave_day",
        "list_view_default",
        "muted_notice",
        "notice_mail",
        "notice_schedule",
        "timer",
    }
)
"""Tables whose rows no event records."""

KEPT_EVENTS: dict[str, Kind] = {
    "compensation": "payroll",
    "payroll_run": "payroll",
    "payslip": "payroll",
    "wage_export": "payroll",
    "expense_claim": "documents",
    "invoice": "documents",
    "quote": "documents",
    "payment": "documents",
    "reminder": "documents",
    "allocation": "books",
    "bank_line": "books",
    "journal_entry": "books",
    "offset": "books",
    "open_item": "books",
    "payment_run": "books",
}
"""Types of records whose events say what the records say, and are kept as long."""
