"""The bank account of an employee as it is sent, stored (JSON) and shown, by IBAN or as its country numbers it."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from erp.kernel import caller, clock
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Name, shaped
from erp.web.schema import Texts, View
from erp.web.text_scalars import Bic, Iban, KnownCountry, RoutingNumber, SortCode

AccountType = Literal["checking", "savings"]


AccountNumber = Annotated[
    str,
    shaped(
        "^[A-Za-z0-9-]{1,34}$",
        says("Must be 1 to 34 letters, digits and dashes."),
        description="8 digits with a sort code.",
    ),
]
BankCode = Annotated[
    str,
    shaped(
        "^[A-Za-z0-9-]{1,20}$",
        says("Must be 1 to 20 letters, digits and dashes."),
        description="The bank's code in its country.",
    ),
]
MOST_DIGITS = 17
"""Of an account number in the United States: a NACHA file has no room for more."""
_FORMS = ("iban", "routing_number", "sort_code", "bank_code")


class BankAccount(Texts):
    """The payee and their account: an IBAN, or the number of an account with its routing number, sort or bank code.

    Without any the payment is made by hand.
    """

    holder: Name
    country: Annotated[KnownCountry, msgspec.Meta(description="Required with a bank code; else it follows.")] | None = (
        None
    )
    iban: Iban | None = None
    routing_number: RoutingNumber | None = None
    sort_code: SortCode | None = None
    bank_code: BankCode | None = None
    account_number: AccountNumber | None = None
    account_type: Annotated[AccountType, msgspec.Meta(description="`checking` by default.")] | None = None
    bic: Bic | None = None

    def check(self) -> Iterator[Complaint]:
        forms = [name for name in _FORMS if getattr(self, name) is not None]
        has_number = self.account_number is not None
        if len(forms) > 1 or (has_number and not forms):
            message = says("Enter either an IBAN, or an account number with a routing number, sort code or bank code.")
            yield Complaint("accountNumber", "exactly_one", message)
        elif has_number and forms == ["iban"]:
            message = says("An IBAN names the account already. Clear the account number.")
            yield Complaint("accountNumber", "not_applicable", message)
        elif forms and forms != ["iban"] and not has_number:
            yield Complaint("accountNumber", "required", says("This field is required."))
        if self.sort_code and self.account_number and not re.fullmatch("[0-9]{8}", self.account_number):
            yield Complaint("accountNumber", "not_an_account_number", says("With a sort code it has 8 digits."))
        if self.routing_number and self.account_number and len(self.account_number) > MOST_DIGITS:
            yield Complaint("accountNumber", "too_long", says("With a routing number it has at most 17 characters."))
        if self.bank_code and not self.country:
            yield Complaint("country", "required", says("This field is required."))
        if self.country and self._implied() not in (None, self.country):
            yield Complaint("country", "other_country", says("The account is in another country."))

    def _implied(self) -> str | None:
        """The country that the number names."""
        if self.iban:
            return self.iban[:2]
        if self.routing_number:
            return "US"
        return "GB" if self.sort_code else None

    def kept(self) -> dict[str, str]:
        kept = super().kept()
        country = self._implied()
        return kept | ({"country": country} if country else {})


def number(stored: Mapping[str, Any] | None) -> str | None:
    """The IBAN or the account number; None for a payment by hand."""
    account = stored or {}
    return account.get("iban") or account.get("account_number")


def marks(present: Mapping[str, Any] | None, values: Mapping[str, Any]) -> dict[str, str]:
    """The columns for the time and user of a change of the account; none if it stays.

    Args:
        present: the account as the file has it.
        values: the columns to be written.
    """
    if "bank_account" not in values:
        return {}
    old, new = (_named(account) for account in (present, values["bank_account"]))
    if old == new:
        return {}
    return {"iban_changed_at": clock.stamp(), "iban_changed_by": caller.current().user_id}


def _named(stored: Mapping[str, Any] | None) -> list[str | None]:
    return [(stored or {}).get(name) for name in (*_FORMS, "account_number")]


class BankAccountView(View):
    """The bank account of an employee."""

    holder: str
    country: str | None = None
    iban: str | None = None
    routing_number: str | None = None
    sort_code: str | None = None
    bank_code: str | None = None
    account_number: str | None = None
    account_type: AccountType | None = None
    bic: str | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "BankAccountView | None":
        return cls(**stored) if stored else None
