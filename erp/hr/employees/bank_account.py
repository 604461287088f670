"""The bank account of an employee as it is sent, stored (JSON) and shown."""

from collections.abc import Mapping
from typing import Any

import msgspec

from erp.kernel import caller, clock
from erp.web.scalars import Name
from erp.web.schema import Body, View
from erp.web.text_scalars import Iban, Text


class PersonIban(Text):
    """An account number in the format of its country."""

    json_schema = {"type": "string", "maxLength": 42, "description": "An IBAN.", "examples": ["DE89370400440532013000"]}
    complaint = Iban.complaint

    @classmethod
    def tidied(cls, text: str) -> str:
        from stdnum import iban  # here, because not every office keeps accounts, and the library takes 1.4 MiB

        return iban.compact(text)

    @classmethod
    def fits(cls, text: str) -> bool:
        from stdnum import iban  # as above

        return iban.is_valid(text, check_country=False)  # the registry's format; banks' own check digits may be odd


class BankAccount(Body):
    """The payee and their account; without an IBAN the payment is made by hand."""

    holder: Name
    iban: PersonIban | None = None

    def kept(self) -> dict[str, Any]:
        """The account as stored."""
        return {name: str(value) for name, value in msgspec.structs.asdict(self).items() if value is not None}


def marks(present: Mapping[str, Any] | None, values: Mapping[str, Any]) -> dict[str, str]:
    """The columns for the time and user of a change of the IBAN; none if it stays.

    Args:
        present: the account as the file has it.
        values: the columns to be written.
    """
    if "bank_account" not in values:
        return {}
    old, new = ((account or {}).get("iban") for account in (present, values["bank_account"]))
    if old == new:
        return {}
    return {"iban_changed_at": clock.stamp(), "iban_changed_by": caller.current().user_id}


class BankAccountView(View):
    """The bank account of an employee."""

    holder: str
    iban: str | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "BankAccountView | None":
        return cls(**stored) if stored else None
