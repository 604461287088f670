"""Names of fields in requests and answers."""

import re

_ACTS = re.compile(r"(created|approved|paid|reversed|decided|invited)_by")


def wire_name(name: str) -> str:
    """The camelCase name of a field; who acted (`created_by`) is a user's id (`createdByUserId`)."""
    spelt = f"{name}_user_id" if _ACTS.fullmatch(name) else name
    return re.sub(r"_(\w)", lambda match: match[1].upper(), spelt)


def own_text(value: object) -> str:
    """A text of a type of its own, such as an IBAN, which the encoder of JSON does not know."""
    if not isinstance(value, str):
        raise TypeError(f"there is no JSON for a {type(value).__name__}")
    return str.__str__(value)
