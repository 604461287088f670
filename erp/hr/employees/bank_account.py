"""The bank account of an employee as it is sent, stored (JSON) and shown."""

from collections.abc import Mapping
from typing import Any

from erp.kernel import caller, clock
from erp.web.scalars import Name
from erp.web.schema import Texts, View
from erp.web.text_scalars import Iban


class BankAccount(Texts):
    """The payee and their account; without an IBAN the payment is made by hand."""

    holder: Name
    iban: Iban | None = None


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
