"""The texts of messages, by kind and language, with places such as `{number}` for what each message says.

`lookup` is the only way to a text. A room above may replace it, so that an office writes its own.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from erp.kernel.language import Sentence, says, translated

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
    "payslip_attached",
    "invite",
    "password_reset",
    "notice",
    "test",
]


class MailText(NamedTuple):
    """The subject and the text of a message, with places."""

    subject: str
    text: str


_INVOICE = says(
    "Hello,\n\nplease find attached invoice {number} of {date} over {total}, due on {due}.\n\n{link}\n\n"
    "Kind regards\n{sender}\n{office}"
)
_ORDER = says(
    "Hello,\n\nthank you for your order. Please find attached our confirmation {number} of {date} over {total}.\n\n"
    "{link}\n\nKind regards\n{sender}\n{office}"
)
_REMINDER = says(
    "Hello,\n\nour records show {open} open. The attached letter has the details. Please pay by {payBy}. If you have "
    "paid meanwhile, please ignore this message.\n\n{link}\n\nKind regards\n{sender}\n{office}"
)

OURS: dict[TextKind, tuple[Sentence, Sentence]] = {
    "invoice": (says("Invoice {number}"), _INVOICE),
    "deposit_invoice": (says("Deposit invoice {number}"), _INVOICE),
    "final_invoice": (says("Final invoice {number}"), _INVOICE),
    "credit_note": (
        says("Credit note {number}"),
        says(
            "Hello,\n\nplease find attached credit note {number} of {date} over {total}.\n\n{link}\n\nKind regards\n"
            "{sender}\n{office}"
        ),
    ),
    "quote": (
        says("Quote {number}"),
        says(
            "Hello,\n\nthank you for your interest. Please find attached our quote {number} over {total}, valid until "
            "{validUntil}.\n\n{link}\n\nKind regards\n{sender}\n{office}"
        ),
    ),
    "order_confirmation": (says("Order confirmation {number}"), _ORDER),
    "reminder_1": (says("Payment reminder {number}"), _REMINDER),
    "reminder_2": (says("Reminder {number}"), _REMINDER),
    "reminder_3": (says("Final reminder {number}"), _REMINDER),
    "reminder_4": (says("Final reminder {number}"), _REMINDER),
    "reminder_5": (says("Final reminder {number}"), _REMINDER),
    "statement": (
        says("Account statement {period}"),
        says("Hello,\n\nplease find attached your account statement for {period}.\n\nKind regards\n{sender}\n{office}"),
    ),
    "payslip": (
        says("Your payslip is ready: {period}"),
        says("Hello {customer},\n\nyour payslip for {period} is ready:\n{link}\n\nKind regards\n{office}"),
    ),
    "payslip_attached": (
        says("Your payslip: {period}"),
        says(
            "Hello {customer},\n\nplease find attached your payslip for {period}. It opens with the password that you "
            "have from us.\n\nKind regards\n{office}"
        ),
    ),
    "invite": (
        says("{sender} invites you to {office}"),
        says(
            "Hello,\n\n{sender} invites you to work with {office} in erp. Join here within seven days:\n{link}\n\n"
            "The link works once, for this e-mail address."
        ),
    ),
    "password_reset": (
        says("Set a new password"),
        says(
            "Hello {customer},\n\nset a new password here:\n{link}\n\nThe link works once, for one hour. It replaces "
            "earlier links. If you have not asked for it, tell {sender}."
        ),
    ),
    "notice": (says("News in {office}: {date}"), says("Hello {customer},\n\n{subject}\n\n{link}\n\n{office}")),
    "test": (
        says("Test message from {office}"),
        says("Hello,\n\nthis is a test. The mail server of {office} is set up.\n\n{sender}"),
    ),
}


def ours(kind: TextKind, language: str) -> MailText:
    """The program's own text."""
    subject, text = OURS[kind]
    return MailText(translated(subject, language), translated(text, language))


lookup: Callable[[TextKind, str], MailText] = ours
"""The text of a kind in a language, in the workspace that is open."""

_PLACE = re.compile(r"\{\{|\{([a-zA-Z]+)\}")
_GAP = re.compile(r" +(?=[ .,:;!?\n]|$)")


def fill(text: str, values: Mapping[str, str]) -> str:
    """A text with values in its places; `{{` is a brace, and a place without a value leaves no gap.

    A line that has nothing but empty places goes, with the empty line before it.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        filled = _PLACE.sub(lambda match: values.get(match[1], "") if match[1] else "{", line)
        if line.strip() and not filled.strip():
            if lines and not lines[-1]:
                lines.pop()
            continue
        lines.append(_GAP.sub("", filled) if filled != line else line)
    return "\n".join(lines).strip()
