"""Descriptions of entries for their reader: the program's own in the reader's language, others as they are."""

from erp.finance.books import descriptions
from erp.kernel.language import LANGUAGES, translated


def reworded(stored: str, source_type: str | None, number: str | None, name: str | None) -> str:
    """A description as the books have it; as a sentence that can be translated if the program wrote it.

    Args:
        number: of the document that made the entry.
        name: of its contact.
    """
    for template in descriptions.BY_SOURCE.get(source_type or "", ()):
        sentence = template.fill(number=number, name=name)
        if any(stored == translated(sentence, language) for language in LANGUAGES):
            return sentence
    return stored
