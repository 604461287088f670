"""The bank account that somebody is paid to, as it is sent, kept (JSON) and shown."""

from collections.abc import Mapping
from typing import Any

import msgspec
from stdnum import iban

from erp.web.scalars import Name
from erp.web.schema import Body, View
from erp.web.text_scalars import Iban, Text


class PersonIban(Text):
    """An account's number in the form that its country gives it."""

    json_schema = {"type": "string", "maxLength": 42, "description": "An IBAN.", "examples": ["DE89370400440532013000"]}
    complaint = Iban.complaint

    @classmethod
    def tidied(cls, text: str) -> str:
        return iban.compact(text)

    @classmethod
    def fits(cls, text: str) -> bool:
        return iban.is_valid(text, check_country=False)  # the registry's form; banks' own check digits may be odd


class BankAccount(Body):
    """Whom to pay, and where; without an IBAN, the payment is left to be made by hand."""

    holder: Name
    iban: PersonIban | None = None

    def kept(self) -> dict[str, Any]:
        """The account as the file keeps it."""
        return {name: str(value) for name, value in msgspec.structs.asdict(self).items() if value is not None}


class BankAccountView(View):
    """Where somebody is paid to."""

    holder: str
    iban: str | None = None

    @classmethod
    def of(cls, kept: Mapping[str, Any] | None) -> "BankAccountView | None":
        """The view of what the file keeps; None when there is nothing."""
        return cls(**kept) if kept else None
