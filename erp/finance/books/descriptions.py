"""Descriptions of entries that a list tells to each reader in their language, by the document that made the entry."""

from erp.kernel.language import LANGUAGES, says, translated

RECEIVED = says("Payment {number} from {name}")
MADE = says("Payment {number} to {name}")
PAY = says("Payment of payroll run {number}")
TRANSFER = says("Transfer {number}")

BY_SOURCE = {"payment": (RECEIVED, MADE), "payroll_run": (PAY,), "transfer": (TRANSFER,)}
"""By the type of the document."""


def reworded(stored: str, source_type: str | None, number: str | None, name: str | None) -> str:
    """A description as the books have it; as a sentence that can be translated if the program wrote it.

    Args:
        number: of the document that made the entry.
        name: of its contact.
    """
    for template in BY_SOURCE.get(source_type or "", ()):
        sentence = template.fill(number=number, name=name)
        if any(stored == translated(sentence, language) for language in LANGUAGES):
            return sentence
    return stored
