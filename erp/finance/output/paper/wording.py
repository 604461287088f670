"""Days, amounts and words of a document, in the language of its reader."""

from datetime import date

import msgspec

from erp.kernel import money, wording
from erp.kernel.language import grouped, translated

SYMBOLS = {"EUR": "€", "GBP": "£", "USD": "$"}


class Wording(msgspec.Struct, frozen=True):
    """A language, the currency of a document and the country of its office."""

    language: str
    currency: str
    country: str | None

    def say(self, text: str) -> str:
        """A word or sentence of the program's own."""
        return translated(text, self.language)

    def day(self, day: date) -> str:
        """A day in the reader's format."""
        return wording.day(day, self.language)

    def number(self, text: str) -> str:
        """A decimal with its thousands grouped."""
        return grouped(text, self.language)

    def amount(self, minor: int) -> str:
        """An amount without its currency."""
        return self.number(money.text(minor, self.currency))

    def money(self, minor: int) -> str:
        """An amount with its currency."""
        return f"{self.amount(minor)} {SYMBOLS.get(self.currency, self.currency)}"

    def percent(self, millionths: int) -> str:
        """A percentage with its sign."""
        return f"{self.number(money.plain(millionths))} %"
