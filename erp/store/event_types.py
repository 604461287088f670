"""Every type of event that the program writes: a noun, and what happened to it."""

from typing import TYPE_CHECKING, Literal

ACTS = {
    "account": "archived created deleted unarchived updated",
    "allocation": "created released",
    "asset": "created deleted disposed disposal_undone in_use life_changed updated",
    "attachment": "added filed removed returned",
    "attendance": "clocked_in clocked_out deleted imported recorded updated",
    "attendance_correction": "approved cancelled decision_undone pending rejected",
    "bank_account": "updated",
    "bank_line": "matched unmatched",
    "bank_rule": "created deleted updated",
    "bank_statement": "imported",
    "base_rate": "created deleted updated",
    "calendar_address": "created revoked",
    "checklist": "created deleted started updated",
    "column_mapping": "created deleted updated",
    "compensation": "set",
    "component_set": "acknowledged applied",
    "contact": "archived created deleted merged reminder_blocked reminder_lifted unarchived unmerged updated",
    "cost_rate": "created deleted",
    "datev_stack": "created received",
    "budget": "created deleted updated",
    "depreciation_run": "posted void",
    "dimension": "archived created unarchived updated",
    "dimension_value": "archived created unarchived updated",
    "employee": (
        "created kiosk_pin_removed kiosk_pin_set linked rehired terminated termination_undone updated year_to_date_set"
    ),
    "employee_document": "archived created deleted done unarchived updated",
    "expense_category": "archived created unarchived updated",
    "expense_claim": (
        "approved decision_undone deleted draft paid posted rejected returned submitted updated void withdrawn"
    ),
    "expense_rate": "created deleted",
    "exchange_rate": "created deleted imported updated",
    "holiday": "created deleted updated",
    "holidays": "imported",
    "invite": "pending revoked",
    "invoice": (
        "approved deleted draft filed issued reminder_blocked reminder_lifted sent unsent updated void"
        " write_off_undone written_off"
    ),
    "journal_entry": "posted reversed",
    "kiosk": "created deleted",
    "leave": "adjusted approved cancelled decision_undone pending recounted rejected",
    "leave_type": "archived created deleted unarchived updated",
    "leave_year": "closed reopened",
    "mail": "paused resumed updated",
    "member": "joined left removed updated",
    "message": "cancelled discarded failed handed_over prepared queued sent unsure waiting",
    "offset": "posted void",
    "open_item": "write_off_undone written_off",
    "pay_component": "archived created deleted unarchived updated",
    "payment": "allocated posted void",
    "payment_run": "posted void",
    "payroll_run": "approved deleted draft paid payment_undone recalculated reversed",
    "payslip": "line_added line_removed overridden",
    "period": "locked unlocked",
    "person": "erased exported",
    "process_chapter": "archived created unarchived updated",
    "product": "archived created deleted unarchived updated",
    "project": "archived created deleted duplicated unarchived updated",
    "quote": "accepted closed declined deleted draft filed issued reopened revised sent unsent updated",
    "recurring_document": "active created deleted ending failed made paused updated",
    "reminder": "charged filed made sent undone unsent waived",
    "reminder_level": "created deleted updated",
    "retention": "updated",
    "revaluation": "posted void",
    "share_link": "created locked revoked seen",
    "site": "created deleted updated",
    "task": "archived commented created deleted moved unarchived updated",
    "tax_rate": "archived created deleted unarchived updated",
    "tax_return": "filed settled unsettled",
    "text": "deleted updated",
    "time_log": "created deleted imported updated",
    "time_week": "approved reminded reopened returned submitted withdrawn",
    "timer": "discarded started",
    "transfer": "posted void",
    "user": "active disabled",
    "view": "created deleted updated",
    "wage_export": "created",
    "wage_type": "created deleted updated",
    "webhook": "created deleted rotated switched_off updated",
    "workspace": "archived backup_failed created duplicated exported imported restored unarchived updated",
}
"""The verbs of events, by noun; a new event is added here."""

TYPES = frozenset(f"{noun}.{act}" for noun, acts in ACTS.items() for act in acts.split())
"""The types that the program writes."""

SENT = frozenset(type for type in TYPES if not type.startswith("view."))
"""The types that webhooks send: views concern no other program."""

RESOURCES = (*ACTS, "exchange_rate_import", "holiday", "leave_adjustment", "time_import")
"""The kinds of records that are changed."""

if TYPE_CHECKING:
    EventType = str
    ResourceType = str
else:
    ResourceType = Literal[tuple(sorted(RESOURCES))]
    EventType = Literal[tuple(sorted(TYPES))]
