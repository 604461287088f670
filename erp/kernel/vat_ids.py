"""VAT ids: their spelling, and the check of format and check digits by country."""

import re

_FORM = re.compile(r"[A-Z]{2}[A-Z0-9+*.-]{2,28}")
"""A country's prefix and its own characters; Ireland has issued numbers with + and *."""


def tidied(text: str) -> str:
    """The VAT id as it is stored: in capitals, without blanks, and in the usual form of a country that is known.

    The prefix of Greece is EL, which is not its country's code.
    """
    compact = "".join(text.split()).upper() if text.isascii() else text
    if compact.startswith("GR"):
        compact = f"EL{compact[2:]}"
    if not is_valid(compact) or not _is_checked(compact):
        return compact
    from stdnum.eu import vat

    return vat.validate(compact)


def is_valid(text: str) -> bool:
    """Whether a compact VAT id is valid; ids of countries outside the EU are not checked."""
    if not _FORM.fullmatch(text):
        return False
    if not _is_checked(text):
        return True
    from stdnum.eu import vat

    return vat.is_valid(text)


def _is_checked(text: str) -> bool:
    """Whether ids with the prefix are checked: a member state's, Northern Ireland's or a one-stop shop's."""
    from stdnum.eu import vat

    return text[:2].lower() in vat.MEMBER_STATES | {"el", "eu", "im"}
