"""Descriptions of entries for their reader: the program's own in the reader's language, others as they are."""

from erp.kernel.language import LANGUAGES, says, translated

_OWN = {
    "payment": (says("Payment {number} from {name}"), says("Payment {number} to {name}")),
    "payroll_run": (says("Payment of payroll run {number}"),),
    "transfer": (says("Transfer {number}"),),
}
"""By the kind of document that made the entry."""


def reworded(stored: str, source_type: str | None, number: str | None, name: str | None) -> str:
    """A description as the books have it; as a sentence that can be translated if the program wrote it.

    Args:
        number: of the document that made the entry.
        name: of its contact.
    """
    for template in _OWN.get(source_type or "", ()):
        sentence = template.fill(number=number, name=name)
        if any(stored == translated(sentence, language) for language in LANGUAGES):
            return sentence
    return stored
