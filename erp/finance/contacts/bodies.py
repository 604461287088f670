"""Request bodies of contacts and tax rates."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta

from erp.finance.books.bodies import DefaultDimensions
from erp.finance.contacts import payment_terms
from erp.finance.contacts.payment_terms import PaymentTerms, TermsDays
from erp.kernel import places
from erp.kernel.errors import Complaint
from erp.texts.kinds import OF_CONTACTS
from erp.web.address import Address
from erp.web.scalars import Currency, Email, Id, Line, Name, Note, Percent
from erp.web.schema import Body, RecordQuery, Texts, Unset
from erp.web.text_scalars import Bic, Iban, KnownCountry, TimeBilling, VatId

ShortTerms = Annotated[TermsDays, Meta(description="Short for `paymentTerms` that are days alone; replaces them.")]
BuyerReference = Annotated[
    str,
    Meta(
        max_length=100,
        description="The buyer reference that an authority requires on its e-invoices (BT-10): in Germany its "
        "Leitweg-ID. With it, an invoice is an XRechnung, and issuing checks its rules.",
        examples=["04011000-12345-03"],
    ),
]
PaperLanguage = Annotated[
    Literal["en", "de"], Meta(description="The language of documents for the contact; the workspace's when absent.")
]
ContactKind = Literal["customer", "supplier", "both"]
KnownContactKind = Literal["customer", "supplier", "both", "employee"]
TaxCategory = Literal["S", "Z", "E", "AE", "K", "G", "O"]
TaxTag = Annotated[
    Literal[
        "taxed",
        "zero_rated",
        "exempt",
        "exempt_with_deduction",
        "small_business",
        "export",
        "eu_goods",
        "eu_services",
        "third_country_services",
        "reverse_charge",
        "not_taxable",
        "import_tax",
        "oss",
        "none",
    ],
    Meta(
        description="Kind of the rate in tax returns; null: by its category, and for AE in no box. `eu_services` are"
        " services between firms of the EU, `third_country_services` are services bought outside of it,"
        " `reverse_charge` is any other tax that the buyer owes, `import_tax` is charged by customs, `oss` is tax of"
        " another country that the one-stop shop collects, `small_business` is exempt because the whole business is,"
        " and `none` counts nowhere."
    ),
]


TaxSide = Annotated[
    Literal["both", "sale", "purchase"],
    Meta(
        description="The documents that can have the rate. By default: AE or K above 0 purchases; G, AE and K at 0"
        " and `oss` sales; any other both."
    ),
]
TaxCountry = Annotated[KnownCountry, Meta(description="The country whose tax it is; null for the workspace's own.")]
TaxRegion = Annotated[Name, Meta(description="The state or province whose tax it is.", examples=["TX"])]


class TaxComponent(Body):
    """A part of a tax rate that another authority levies."""

    name: Name
    rate: Percent


TaxComponents = Annotated[
    list[TaxComponent],
    Meta(max_length=10, description="The parts of the rate, such as state, county and city; they add up to it."),
]


NetTaxRate = Annotated[
    Percent, Meta(description="The percentage of the turnover with tax that is owed where `taxMethod` is `net_rate`.")
]


class ContactBankAccount(Texts):
    """The bank account of a contact for payment runs."""

    iban: Iban
    bic: Bic | None = None
    holder: Annotated[Name, Meta(description="The account holder; the contact when absent.")] | None = None


GroupWorkspaceId = Annotated[
    Id,
    Meta(description="Your workspace that the contact is: what the two owe each other is left out when consolidated."),
]


BuyerKind = Annotated[
    Literal["business", "consumer"],
    Meta(description="Whether a business or a consumer buys: reminders count interest and a lump sum by it."),
]
RecipientKind = Literal["invoice", "quote", "reminder", "statement"]


class ContactRecipient(Body):
    """An address, and the kinds of messages that go to it."""

    email: Email
    kinds: Annotated[list[RecipientKind], Meta(min_length=1, max_length=4)]


Recipients = Annotated[
    list[ContactRecipient],
    Meta(max_length=10, description="Recipients of messages by kind; other kinds go to `email`."),
]
PaperIntro = Annotated[
    Note,
    Meta(description="Above the lines of papers for the contact, before the text of `/workspace/texts`; empty: none."),
]
PaperClosing = Annotated[Note, Meta(description="The same below the totals.")]


def own_texts(body: "NewContact | ContactChange") -> Iterable[Complaint]:
    """Complaints about places that no paper has."""
    yield from places.misfits(body.paper_intro, OF_CONTACTS, "paperIntro")
    yield from places.misfits(body.paper_closing, OF_CONTACTS, "paperClosing")


class NewContact(Body):
    """A customer, a supplier, or both."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "kind": "customer",
        "name": "Blue Heron Bakery",
        "email": "accounts@blueheron.example",
        "address": {"line1": "4 Mill Lane", "city": "Hamburg", "postalCode": "20095", "country": "DE"},
        "paymentTermsDays": 14,
    }

    kind: ContactKind
    name: Name
    legal_name: Line | None = None
    email: Email | None = None
    phone: Line | None = None
    vat_id: VatId | None = None
    tax_number: Line | None = None
    address: Address | None = None
    currency: Currency | None = None
    payment_terms_days: ShortTerms | None = None
    payment_terms: PaymentTerms | None = None
    default_tax_rate_id: Id | None = None
    bank_account: ContactBankAccount | None = None
    buyer_reference: BuyerReference | None = None
    language: PaperLanguage | None = None
    note: Note | None = None
    dimensions: DefaultDimensions | None = None
    group_workspace_id: GroupWorkspaceId | None = None
    buyer_kind: BuyerKind = "business"
    recipients: Recipients = []
    paper_intro: PaperIntro | None = None
    paper_closing: PaperClosing | None = None
    time_billing: TimeBilling | None = None

    def check(self) -> Iterable[Complaint]:
        yield from payment_terms.twice(self.payment_terms, self.payment_terms_days)
        yield from own_texts(self)


class ContactChange(Body):
    """The fields of a contact to change. Null clears a field; an address or bank account is replaced as a whole."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"phone": "+49 40 123456", "note": "Closed on Mondays."}

    kind: ContactKind | Unset = UNSET
    name: Name | Unset = UNSET
    legal_name: Line | Unset | None = UNSET
    email: Email | Unset | None = UNSET
    phone: Line | Unset | None = UNSET
    vat_id: VatId | Unset | None = UNSET
    tax_number: Line | Unset | None = UNSET
    address: Address | Unset | None = UNSET
    currency: Currency | Unset | None = UNSET
    payment_terms_days: ShortTerms | Unset | None = UNSET
    payment_terms: PaymentTerms | Unset | None = UNSET
    default_tax_rate_id: Id | Unset | None = UNSET
    bank_account: ContactBankAccount | Unset | None = UNSET
    buyer_reference: BuyerReference | Unset | None = UNSET
    language: PaperLanguage | Unset | None = UNSET
    note: Note | Unset | None = UNSET
    dimensions: DefaultDimensions | Unset | None = UNSET
    group_workspace_id: GroupWorkspaceId | Unset | None = UNSET
    buyer_kind: BuyerKind | Unset = UNSET
    recipients: Recipients | Unset = UNSET
    paper_intro: PaperIntro | Unset | None = UNSET
    paper_closing: PaperClosing | Unset | None = UNSET
    time_billing: TimeBilling | Unset | None = UNSET

    def check(self) -> Iterable[Complaint]:
        return own_texts(self)


class ContactFilter(RecordQuery):
    """Filter for contacts."""

    kind: Annotated[
        KnownContactKind | None,
        Meta(description="`customer` and `supplier` include contacts that are both; only `employee` lists employees."),
    ] = None
    is_archived: Annotated[bool, Meta(description="List only archived contacts.")] = False
    q: (
        Annotated[
            str,
            Meta(
                max_length=200,
                description="Text in the names, e-mail address, VAT id or tax number; or the whole number of a customer"
                " or supplier.",
            ),
        ]
        | None
    ) = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "-createdAt"


class NewTaxRate(Body):
    """A percentage with its category; accounts are given by id or code.

    Categories: S standard rate, Z zero rate, E exempt, AE reverse charge, K supply within the EU, G export, O outside
    the scope of tax. AE and K may have a rate above 0 for bills: the tax that the buyer owes. Tax is posted to the
    output tax account (sales) or the input tax account (purchases), by default the workspace's. A line of a document
    without an account goes to the income or expense account of its rate, by default the workspace's; a cash discount to
    the accounts for discounts.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Reduced rate",
        "rate": "7.5",
        "category": "S",
        "outputTaxAccountId": "2200",
        "incomeAccountId": "4000",
    }

    name: Name
    rate: Percent
    category: TaxCategory = "S"
    side: TaxSide | None = None
    tax_tag: TaxTag | None = None
    country: TaxCountry | None = None
    region: TaxRegion | None = None
    components: TaxComponents | None = None
    net_tax_rate: NetTaxRate | None = None
    exemption_reason: Line | None = None
    output_tax_account_id: Id | None = None
    input_tax_account_id: Id | None = None
    income_account_id: Id | None = None
    expense_account_id: Id | None = None
    discounts_given_account_id: Id | None = None
    discounts_received_account_id: Id | None = None
    is_default: bool = False


class TaxRateChange(Body):
    """The fields of a tax rate to change. Null clears a field."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Standard rate", "isDefault": True}

    name: Name | Unset = UNSET
    rate: Percent | Unset = UNSET
    category: TaxCategory | Unset = UNSET
    side: TaxSide | Unset | None = UNSET
    tax_tag: TaxTag | Unset | None = UNSET
    country: TaxCountry | Unset | None = UNSET
    region: TaxRegion | Unset | None = UNSET
    components: TaxComponents | Unset | None = UNSET
    net_tax_rate: NetTaxRate | Unset | None = UNSET
    exemption_reason: Line | Unset | None = UNSET
    output_tax_account_id: Id | Unset | None = UNSET
    input_tax_account_id: Id | Unset | None = UNSET
    income_account_id: Id | Unset | None = UNSET
    expense_account_id: Id | Unset | None = UNSET
    discounts_given_account_id: Id | Unset | None = UNSET
    discounts_received_account_id: Id | Unset | None = UNSET
    is_default: bool | Unset = UNSET


class TaxRateFilter(RecordQuery):
    """Filter for tax rates."""

    is_archived: Annotated[bool, Meta(description="List only archived tax rates.")] = False
    category: TaxCategory | None = None
    side: Annotated[
        Literal["sale", "purchase"] | None, Meta(description="Only those that such documents can have.")
    ] = None
    q: Annotated[str, Meta(max_length=200, description="Text in the name.")] | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"
