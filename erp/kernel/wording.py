"""Days in the language of a paper's reader."""

from datetime import date

from erp.kernel import countries
from erp.kernel.language import ENGLISH, month


def day(day: date, language: str) -> str:
    """A day in the reader's format; in English with the month in letters, which no country misreads."""
    if language == ENGLISH:
        return f"{day.day} {month(day)} {day.year}"
    return countries.date_text(day, "DE")
