"""The kinds of texts, their places, and the texts that they have until a workspace changes them."""

from collections.abc import Mapping
from typing import Literal, get_args

from erp.kernel.language import Sentence, says

TextKind = Literal[
    "invoice",
    "credit_note",
    "deposit_invoice",
    "final_invoice",
    "quote",
    "order_confirmation",
    "reminder_1",
    "reminder_2",
    "reminder_3",
    "reminder_4",
    "reminder_5",
    "statement",
    "payslip",
    "invite",
    "password_reset",
]
KINDS: tuple[TextKind, ...] = get_args(TextKind)
TextField = Literal["mail_subject", "mail_text", "intro", "closing"]
FIELDS: tuple[TextField, ...] = get_args(TextField)
ON_PAPER: tuple[TextField, ...] = ("intro", "closing")
"""The fields that a paper prints; `payslip`, `invite` and `password_reset` have none."""
WITHOUT_PAPER: tuple[TextKind, ...] = ("payslip", "invite", "password_reset")

_OFFICE = ("office", "sender")
_DOCUMENT = ("number", "date", "total", "customer", *_OFFICE, "reference", "project")
_DEMAND = (*_DOCUMENT, "due", "open", "period", "link")
_LETTER = ("number", "date", "total", "open", "customer", *_OFFICE, "payBy")
PLACES: Mapping[TextKind, tuple[str, ...]] = {
    "invoice": _DEMAND,
    "credit_note": (*_DOCUMENT, "period", "link"),
    "deposit_invoice": _DEMAND,
    "final_invoice": _DEMAND,
    "quote": (*_DOCUMENT, "subject", "validUntil", "link"),
    "order_confirmation": (*_DOCUMENT, "subject", "link"),
    "reminder_1": _LETTER,
    "reminder_2": _LETTER,
    "reminder_3": _LETTER,
    "reminder_4": _LETTER,
    "reminder_5": _LETTER,
    "statement": ("date", "open", "customer", *_OFFICE, "period"),
    "payslip": ("number", *_OFFICE, "period"),
    "invite": (*_OFFICE, "link"),
    "password_reset": (*_OFFICE, "link"),
}
OF_CONTACTS = tuple(dict.fromkeys(place for kind in KINDS if kind not in WITHOUT_PAPER for place in PLACES[kind]))
"""The places of a contact's own texts, which stand on papers of every kind."""

_INVOICE = says(
    "Dear Sir or Madam,\n\nplease find attached our invoice {number} of {date}. The total is {total}, payable by"
    " {due}.\n\n{link}\n\nKind regards\n{sender}\n{office}"
)
_DEPOSIT = says(
    "Dear Sir or Madam,\n\nplease find attached our deposit invoice {number} of {date}. The total is {total}, payable"
    " by {due}.\n\n{link}\n\nKind regards\n{sender}\n{office}"
)
_FINAL = says(
    "Dear Sir or Madam,\n\nplease find attached our final invoice {number} of {date}. We ask for {open} by"
    " {due}.\n\n{link}\n\nKind regards\n{sender}\n{office}"
)
_CREDIT_NOTE = says(
    "Dear Sir or Madam,\n\nplease find attached our credit note {number} of {date} for {total}.\n\n{link}\n\nKind"
    " regards\n{sender}\n{office}"
)
_QUOTE = says(
    "Dear Sir or Madam,\n\nthank you for your enquiry. Please find attached our quote {number} of {date}: {subject}. It"
    " is valid until {validUntil}.\n\n{link}\n\nKind regards\n{sender}\n{office}"
)
_CONFIRMATION = says(
    "Dear Sir or Madam,\n\nthank you for your order. Please find attached our order confirmation {number}.\n\n{link}"
    "\n\nKind regards\n{sender}\n{office}"
)
_REMINDER_1 = says(
    "Dear Sir or Madam,\n\nperhaps you have overlooked our invoice: {open} is still open. Please pay it by {payBy}."
    " Details are attached. If your payment is on its way, please ignore this message.\n\nKind"
    " regards\n{sender}\n{office}"
)
_REMINDER = says(
    "Dear Sir or Madam,\n\ndespite our payment reminder, {open} is still open. Please pay {total} by {payBy}. Details"
    " are attached.\n\nKind regards\n{sender}\n{office}"
)
_LAST_REMINDER = says(
    "Dear Sir or Madam,\n\ndespite our reminders, {open} is still open. We ask you for the last time to pay {total} by"
    " {payBy}. Details are attached.\n\nKind regards\n{sender}\n{office}"
)
_INTRO_1 = says("Perhaps you have overlooked it: the following invoices are still open.")
_INTRO = says("Despite our payment reminder, the following invoices are still open.")
_LAST_INTRO = says("Despite our reminders, the following invoices are still open.")
_CLOSING_1 = says("Please pay {total} by {payBy}. If your payment is on its way, please ignore this letter.")
_CLOSING = says("Please pay {total} by {payBy}.")
_LAST_CLOSING = says("We ask you for the last time to pay {total} by {payBy}.")

_SECOND: Mapping[TextField, Sentence] = {
    "mail_subject": says("Reminder {number}"),
    "mail_text": _REMINDER,
    "intro": _INTRO,
    "closing": _CLOSING,
}
_LAST: Mapping[TextField, Sentence] = {
    "mail_subject": says("Final reminder {number}"),
    "mail_text": _LAST_REMINDER,
    "intro": _LAST_INTRO,
    "closing": _LAST_CLOSING,
}
OURS: Mapping[TextKind, Mapping[TextField, Sentence]] = {
    "invoice": {"mail_subject": says("Invoice {number}"), "mail_text": _INVOICE},
    "credit_note": {"mail_subject": says("Credit note {number}"), "mail_text": _CREDIT_NOTE},
    "deposit_invoice": {"mail_subject": says("Deposit invoice {number}"), "mail_text": _DEPOSIT},
    "final_invoice": {"mail_subject": says("Final invoice {number}"), "mail_text": _FINAL},
    "quote": {
        "mail_subject": says("Quote {number}: {subject}"),
        "mail_text": _QUOTE,
        "intro": says("Thank you for your enquiry. We are pleased to offer you the following."),
        "closing": says("This quote is valid until {validUntil}. We look forward to your order."),
    },
    "order_confirmation": {
        "mail_subject": says("Order confirmation {number}"),
        "mail_text": _CONFIRMATION,
        "intro": says("Thank you for your order, which we confirm as follows."),
    },
    "reminder_1": {
        "mail_subject": says("Payment reminder {number}"),
        "mail_text": _REMINDER_1,
        "intro": _INTRO_1,
        "closing": _CLOSING_1,
    },
    "reminder_2": _SECOND,
    "reminder_3": _LAST,
    "reminder_4": _LAST,
    "reminder_5": _LAST,
    "statement": {
        "mail_subject": says("Account statement {period}"),
        "mail_text": says(
            "Dear Sir or Madam,\n\nplease find attached your account statement for {period}. As of {date}, {open} is"
            " open.\n\nKind regards\n{sender}\n{office}"
        ),
        "intro": says("Please compare this statement with your books, and tell us if anything differs."),
    },
    "payslip": {
        "mail_subject": says("Payslip {period}"),
        "mail_text": says("Hello,\n\nyour payslip for {period} is ready.\n\nKind regards\n{sender}\n{office}"),
    },
    "invite": {
        "mail_subject": says("Invitation to {office}"),
        "mail_text": says(
            "Hello,\n\n{sender} invites you to {office}. Follow this link to join:\n\n{link}\n\nThe link is for you"
            " alone. Do not pass it on."
        ),
    },
    "password_reset": {
        "mail_subject": says("Set a new password"),
        "mail_text": says(
            "Hello,\n\nfollow this link to set a new password:\n\n{link}\n\nIf you did not expect this message, tell"
            " {office}."
        ),
    },
}
"""Our texts; a field that a kind does not name has none."""
