"""The texts of messages, by kind and language: the office's or ours (`erp.texts`), and a few that are always ours."""

from typing import Literal, NamedTuple

from erp.kernel.language import Sentence, says, translated
from erp.texts import kinds
from erp.texts.texts import find

OwnKind = Literal["payslip_attached", "notice", "test"]
TextKind = kinds.TextKind | OwnKind


class MailText(NamedTuple):
    """The subject and the text of a message, with places such as `{number}`."""

    subject: str
    text: str


OURS: dict[str, tuple[Sentence, Sentence]] = {
    "payslip_attached": (
        says("Your payslip: {period}"),
        says(
            "Hello {customer},\n\nplease find attached your payslip for {period}. It opens with the password that you "
            "have from us.\n\nKind regards\n{office}"
        ),
    ),
    "notice": (says("News in {office}: {date}"), says("Hello {customer},\n\n{subject}\n\n{link}\n\n{office}")),
    "test": (
        says("Test message from {office}"),
        says("Hello,\n\nthis is a test. The mail server of {office} is set up.\n\n{sender}"),
    ),
}


def lookup(kind: TextKind, language: str) -> MailText:
    """The text of a kind in a language, in the workspace that is open."""
    if kind in OURS:
        subject, text = OURS[kind]
        return MailText(translated(subject, language), translated(text, language))
    known: kinds.TextKind = kind  # type: ignore[assignment]
    return MailText(find(known, "mail_subject", language) or "", find(known, "mail_text", language) or "")
