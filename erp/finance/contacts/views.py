"""Views of contacts and tax rates."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta

from erp.finance.books.dimensions.codes import of_text
from erp.finance.contacts import payment_terms, reminded, store
from erp.finance.contacts.bodies import (
    BuyerKind,
    KnownContactKind,
    PaperLanguage,
    RecipientKind,
    TaxCategory,
    TaxSide,
    TaxTag,
)
from erp.finance.contacts.contacts import terms_of
from erp.finance.contacts.models import Contact, TaxRate
from erp.finance.contacts.payment_terms import PaymentTermsView
from erp.finance.contacts.reminded import ReminderBlockView
from erp.finance.contacts.tax_rates import ACCOUNT_TYPES
from erp.kernel import caller, money
from erp.store import names, workspace_settings
from erp.store.names import Names
from erp.web.address import AddressView
from erp.web.scalars import Figure, Money
from erp.web.schema import RecordView, Unset, View, show
from erp.web.text_scalars import TimeBilling


class ContactBankAccountView(View):
    """The bank account of a contact."""

    iban: str
    bic: str | None = None
    holder: str | None = None


class ContactRecipientView(View):
    """An address, and the kinds of messages that go to it."""

    email: str
    kinds: list[RecipientKind]


class AlikeContact(View):
    """Another contact that may be the same: the oldest of those that have the value."""

    because: Literal["vat_id", "email"]
    contact_id: str
    name: str
    others: Annotated[int, Meta(description="Number of other contacts with the value.")]


class ContactView(RecordView):
    """A contact; its amounts are as of today, in the base currency.

    They and the bank account need the permission to read finance.
    """

    created_by: str | None
    created_by_name: str | None
    kind: Annotated[KnownContactKind, Meta(description="`employee`: owed their expense claims.")]
    debtor_number: Annotated[
        str | None,
        Meta(
            description="The number as a customer: on invoices, and in files for DATEV. It never changes.",
            examples=["10001"],
        ),
    ]
    creditor_number: Annotated[
        str | None, Meta(description="The same as a supplier; in files for DATEV alone.", examples=["70001"])
    ]
    name: str
    legal_name: str | None
    email: str | None
    phone: str | None
    vat_id: str | None
    tax_number: str | None
    address: AddressView | None
    currency: str | None
    payment_terms_days: Annotated[int | None, Meta(description="Null unless the terms are days alone.")]
    payment_terms: PaymentTermsView | None
    default_tax_rate_id: str | None
    default_tax_rate_name: str | None
    note: str | None
    buyer_reference: str | None
    language: PaperLanguage | None
    dimensions: dict[str, str]
    employee_id: str | None
    group_workspace_id: str | None
    buyer_kind: BuyerKind
    recipients: list[ContactRecipientView]
    paper_intro: str | None
    paper_closing: str | None
    time_billing: TimeBilling | None
    archived_at: str | None
    head_id: Annotated[
        str, Meta(description="The contact that its amounts count for: its own id, unless it was merged into another.")
    ]
    head_name: str
    merged_into_id: Annotated[str | None, Meta(description="Of a duplicate.")]
    merged_into_name: str | None
    alike: Annotated[list[AlikeContact], Meta(description="Perhaps the same: an equal VAT number or e-mail address.")]
    bank_account: ContactBankAccountView | Unset | None = UNSET
    balance: Annotated[Money | Unset, Meta(description="Receivables from the contact, less payables to it.")] = UNSET
    overdue: Annotated[Money | Unset, Meta(description="Amount due on overdue sales invoices.")] = UNSET
    unallocated_credit: Annotated[
        Money | Unset,
        Meta(description="Remaining payments received and sales credit notes, less unallocated payments made."),
    ] = UNSET
    reminder_level: Annotated[
        int | Unset, Meta(description="The highest level that letters gave its overdue items; 0 without one.")
    ] = UNSET
    reminder_block: Annotated[
        ReminderBlockView | Unset | None, Meta(description="Why it gets no reminders, if it gets none.")
    ] = UNSET

    @classmethod
    def of(cls, contact: Contact) -> "ContactView":
        """The contact as the caller may see it."""
        return cls.of_many([contact])[0]

    @classmethod
    def of_many(cls, contacts: Sequence[Contact]) -> "list[ContactView]":
        """The contacts as the caller may see them; their amounts take one query, and their likes another."""
        ids = [contact.id for contact in contacts]
        amounts, reminders, alike = _amounts(ids), _reminders(ids), store.alike(ids)
        named = names.of(
            tax_rate=[contact.default_tax_rate_id for contact in contacts],
            contact=[contact.merged_into_id for contact in contacts],
        )
        return [
            show(
                cls,
                contact,
                address=AddressView.of(contact.address),
                bank_account=_bank_account(contact),
                default_tax_rate_name=named.name(contact.default_tax_rate_id),
                payment_terms=payment_terms.view(terms_of(contact)),
                dimensions=of_text(contact.dimensions),
                recipients=[ContactRecipientView(**each) for each in contact.recipients or ()],
                head_id=contact.head_id or contact.id,
                head_name=named.name(contact.merged_into_id) or contact.name,
                merged_into_name=named.name(contact.merged_into_id),
                alike=[AlikeContact(**each._asdict()) for each in alike.get(contact.id, ())],
                time_billing=TimeBilling.of(contact.time_billing),
                **amounts[contact.id],
                **reminders[contact.id],
            )
            for contact in contacts
        ]


def _bank_account(contact: Contact) -> Any:
    if not caller.may("finance.read"):
        return UNSET
    return ContactBankAccountView(**contact.bank_account) if contact.bank_account else None


def _amounts(contact_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    if not caller.may("finance.read"):
        return {id: dict.fromkeys(store.AMOUNTS, UNSET) for id in contact_ids}
    currency = workspace_settings.current().base_currency
    return {
        id: {name: money.text(amount, currency) for name, amount in amounts.items()}
        for id, amounts in store.amounts(contact_ids).items()
    }


def _reminders(contact_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    if not caller.may("finance.read"):
        return {id: {"reminder_level": UNSET, "reminder_block": UNSET} for id in contact_ids}
    levels, blocks = reminded.levels(contact_ids), reminded.blocks(contact_ids)
    return {id: {"reminder_level": levels.get(id, 0), "reminder_block": blocks.get(id)} for id in contact_ids}


class TaxComponentView(View):
    """A part of a tax rate that another authority levies."""

    name: str
    rate: Annotated[str, Meta(description="A percentage without trailing zeros.", examples=["6.25"])]


class TaxRateView(RecordView):
    """A tax rate; where an account is null, the default account of the workspace serves."""

    created_by: str | None
    created_by_name: str | None
    name: str
    rate: Annotated[str, Meta(description="A percentage without trailing zeros.", examples=["7.5"])]
    category: TaxCategory
    side: TaxSide
    tax_tag: TaxTag | None
    country: str | None
    region: str | None
    components: list[TaxComponentView]
    net_tax_rate: Figure | None
    exemption_reason: str | None
    output_tax_account_id: str | None
    output_tax_account_code: str | None
    output_tax_account_name: str | None
    input_tax_account_id: str | None
    input_tax_account_code: str | None
    input_tax_account_name: str | None
    income_account_id: str | None
    income_account_code: str | None
    income_account_name: str | None
    expense_account_id: str | None
    expense_account_code: str | None
    expense_account_name: str | None
    discounts_given_account_id: str | None
    discounts_given_account_code: str | None
    discounts_given_account_name: str | None
    discounts_received_account_id: str | None
    discounts_received_account_code: str | None
    discounts_received_account_name: str | None
    is_default: bool
    archived_at: str | None

    @classmethod
    def of(cls, tax_rate: TaxRate) -> "TaxRateView":
        return cls.of_many([tax_rate])[0]

    @classmethod
    def of_many(cls, tax_rates: Sequence[TaxRate]) -> "list[TaxRateView]":
        """The tax rates; one query names their accounts."""
        named = names.of(account=[getattr(tax_rate, column) for tax_rate in tax_rates for column in _ACCOUNTS])
        return [
            show(
                cls,
                rate,
                rate=money.plain(rate.rate),
                net_tax_rate=None if rate.net_tax_rate is None else money.plain(rate.net_tax_rate),
                components=[TaxComponentView(**part) for part in rate.components or ()],
                **_accounts(rate, named),
            )
            for rate in tax_rates
        ]


_ACCOUNTS = tuple(ACCOUNT_TYPES)


def _accounts(tax_rate: TaxRate, named: Names) -> dict[str, str | None]:
    """The names of the accounts of a tax rate."""
    shown: dict[str, str | None] = {}
    for column in _ACCOUNTS:
        id, stem = getattr(tax_rate, column), column.removesuffix("_id")
        shown |= {f"{stem}_code": named.code(id), f"{stem}_name": named.name(id)}
    return shown
