"""IBANs: their spelling, and a check of length, form and check digits by country.

Source: ISO 13616-1 and its registry. `stdnum` is imported here, at the first IBAN: it takes 1.4 MiB.
"""


def tidied(text: str) -> str:
    """The IBAN as it is stored: in capitals, without separators."""
    from stdnum import iban

    return iban.compact(text)


def is_valid(text: str) -> bool:
    """Whether a compact IBAN is right, except for the national check digits that some countries add."""
    from stdnum import iban

    return text.isascii() and text[2:4].isdigit() and iban.is_valid(text, check_country=False)


def found(text: str | None) -> str | None:
    """The IBAN that a text is, in the spelling that is stored; None if it is not a valid one."""
    compact = tidied(text or "")
    return compact if is_valid(compact) else None
