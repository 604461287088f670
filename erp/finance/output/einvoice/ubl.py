"""E-invoices as UBL 2.1.

Source: CEN/TS 16931-3-2:2020; the order of elements follows the schemas of UBL 2.1.
"""

from collections.abc import Iterator
from decimal import Decimal

from erp.finance.output.einvoice.model import (
    Adjustment,
    EInvoice,
    Line,
    Party,
    Period,
    Profile,
    Tax,
    TaxGroup,
)
from erp.finance.output.einvoice.profiles import PROCESS, SPECIFICATION
from erp.finance.output.einvoice.tree import Part, amount, number, written

OASIS = "urn:oasis:names:specification:ubl:schema:xsd:"
SPACES = {"cac": f"{OASIS}CommonAggregateComponents-2", "cbc": f"{OASIS}CommonBasicComponents-2"}

Parts = Iterator[Part | None]


def write(invoice: EInvoice, profile: Profile) -> bytes:
    """The invoice or credit note as UBL."""
    name = "CreditNote" if invoice.is_credit_note else "Invoice"
    return written(name, {"": f"{OASIS}{name}-2", **SPACES}, _document(invoice, profile, name))


def _document(invoice: EInvoice, profile: Profile, name: str) -> Parts:
    yield from _head(invoice, profile, name)
    yield _period(invoice.period)
    yield "cac:OrderReference", [("cbc:ID", invoice.order_reference)]
    for preceding in invoice.preceding:
        reference = [("cbc:ID", preceding.number), ("cbc:IssueDate", preceding.day)]
        yield "cac:BillingReference", [("cac:InvoiceDocumentReference", reference)]
    yield "cac:AccountingSupplierParty", [("cac:Party", _party(invoice.seller))]
    yield "cac:AccountingCustomerParty", [("cac:Party", _party(invoice.buyer))]
    yield "cac:Delivery", _delivery(invoice)
    yield "cac:PaymentMeans", _payment(invoice)
    yield "cac:PaymentTerms", [("cbc:Note", invoice.terms)]
    for adjustment in invoice.adjustments:
        yield "cac:AllowanceCharge", _adjustment(adjustment, invoice.currency)
    yield "cac:TaxTotal", _taxes(invoice)
    if invoice.tax_currency is not None and invoice.sums.base_tax is not None:
        in_base = ("cbc:TaxAmount", amount(invoice.sums.base_tax), {"currencyID": invoice.tax_currency})
        yield "cac:TaxTotal", [in_base]
    yield "cac:LegalMonetaryTotal", _sums(invoice)
    for line in invoice.lines:
        yield f"cac:{name}Line", _line(line, invoice, name)


def _head(invoice: EInvoice, profile: Profile, name: str) -> Parts:
    yield "cbc:CustomizationID", SPECIFICATION[profile]
    yield "cbc:ProfileID", PROCESS
    yield "cbc:ID", invoice.number
    yield "cbc:IssueDate", invoice.issue_date
    if not invoice.is_credit_note:
        yield "cbc:DueDate", invoice.due_date
    yield f"cbc:{name}TypeCode", invoice.type_code
    yield "cbc:Note", invoice.note
    yield "cbc:DocumentCurrencyCode", invoice.currency
    yield "cbc:TaxCurrencyCode", invoice.tax_currency
    yield "cbc:BuyerReference", invoice.buyer_reference


def _period(period: Period | None) -> Part | None:
    if period is None:
        return None
    return "cac:InvoicePeriod", [("cbc:StartDate", period.start), ("cbc:EndDate", period.end)]


def _party(party: Party) -> Parts:
    yield "cbc:EndpointID", party.email_address, {"schemeID": "EM"}
    yield "cac:PartyIdentification", [("cbc:ID", party.id)]
    yield "cac:PartyName", [("cbc:Name", party.trading_name)]
    yield "cac:PostalAddress", _address(party)
    for id, scheme in ((party.vat_id, "VAT"), (party.tax_number, "FC")):
        if id is not None:
            yield "cac:PartyTaxScheme", [("cbc:CompanyID", id), ("cac:TaxScheme", [("cbc:ID", scheme)])]
    legal = [("cbc:RegistrationName", party.name), ("cbc:CompanyID", party.legal_id)]
    yield "cac:PartyLegalEntity", [*legal, ("cbc:CompanyLegalForm", party.legal_text)]
    contact = [("cbc:Name", party.contact_name), ("cbc:Telephone", party.phone), ("cbc:ElectronicMail", party.email)]
    yield "cac:Contact", contact


def _address(party: Party) -> Parts:
    yield "cbc:StreetName", party.line1
    yield "cbc:AdditionalStreetName", party.line2
    yield "cbc:CityName", party.city
    yield "cbc:PostalZone", party.postal_code
    yield "cbc:CountrySubentity", party.region
    yield "cac:Country", [("cbc:IdentificationCode", party.country)]


def _delivery(invoice: EInvoice) -> Parts:
    yield "cbc:ActualDeliveryDate", invoice.delivered_on
    if invoice.delivered_to is not None:
        yield "cac:DeliveryLocation", [("cac:Address", _address(invoice.delivered_to))]


def _payment(invoice: EInvoice) -> Parts:
    payment = invoice.payment
    if payment is None:
        return
    yield "cbc:PaymentMeansCode", payment.code
    if invoice.is_credit_note:
        yield "cbc:PaymentDueDate", invoice.due_date
    yield "cbc:PaymentID", payment.reference
    bank = ("cac:FinancialInstitutionBranch", [("cbc:ID", payment.bic)])
    if payment.iban is not None:
        yield "cac:PayeeFinancialAccount", [("cbc:ID", payment.iban), ("cbc:Name", payment.holder), bank]


def _adjustment(adjustment: Adjustment, currency: str) -> Parts:
    yield "cbc:ChargeIndicator", "true" if adjustment.is_charge else "false"
    yield "cbc:AllowanceChargeReason", adjustment.reason
    yield "cbc:Amount", amount(adjustment.amount), {"currencyID": currency}
    if adjustment.tax is not None:
        yield "cac:TaxCategory", _category(adjustment.tax)


def _category(tax: Tax, reason_code: str | None = None, reason: str | None = None) -> Parts:
    yield "cbc:ID", tax.category
    yield "cbc:Percent", None if tax.rate is None else number(tax.rate)
    yield "cbc:TaxExemptionReasonCode", reason_code
    yield "cbc:TaxExemptionReason", reason
    yield "cac:TaxScheme", [("cbc:ID", "VAT")]


def _taxes(invoice: EInvoice) -> Parts:
    yield _money("cbc:TaxAmount", invoice, invoice.sums.tax)
    for group in invoice.taxes:
        yield "cac:TaxSubtotal", _tax(group, invoice)


def _tax(group: TaxGroup, invoice: EInvoice) -> Parts:
    yield _money("cbc:TaxableAmount", invoice, group.base)
    yield _money("cbc:TaxAmount", invoice, group.amount)
    yield "cac:TaxCategory", _category(group.tax, group.reason_code, group.reason)


def _sums(invoice: EInvoice) -> Parts:
    sums = invoice.sums
    yield _money("cbc:LineExtensionAmount", invoice, sums.lines)
    yield _money("cbc:TaxExclusiveAmount", invoice, sums.net)
    yield _money("cbc:TaxInclusiveAmount", invoice, sums.gross)
    yield _money("cbc:AllowanceTotalAmount", invoice, sums.allowances) if invoice.has_allowances else None
    yield _money("cbc:ChargeTotalAmount", invoice, sums.charges) if invoice.has_charges else None
    yield _money("cbc:PrepaidAmount", invoice, sums.prepaid) if sums.prepaid else None
    yield _money("cbc:PayableRoundingAmount", invoice, sums.rounding) if sums.rounding else None
    yield _money("cbc:PayableAmount", invoice, sums.payable)


def _line(line: Line, invoice: EInvoice, name: str) -> Parts:
    quantity = "cbc:CreditedQuantity" if name == "CreditNote" else "cbc:InvoicedQuantity"
    yield "cbc:ID", line.id
    yield "cbc:Note", line.note
    yield quantity, number(line.quantity), {"unitCode": line.unit}
    yield _money("cbc:LineExtensionAmount", invoice, line.net)
    yield _period(line.period)
    for adjustment in line.adjustments:
        yield "cac:AllowanceCharge", _adjustment(adjustment, invoice.currency)
    category = ("cac:ClassifiedTaxCategory", _category(line.tax))
    yield "cac:Item", [("cbc:Description", line.description), ("cbc:Name", line.name), category]
    price: list[Part] = [("cbc:PriceAmount", number(line.price), {"currencyID": invoice.currency})]
    if line.base_quantity != 1:
        price.append(("cbc:BaseQuantity", number(line.base_quantity), {"unitCode": line.unit}))
    yield "cac:Price", price


def _money(name: str, invoice: EInvoice, value: Decimal) -> Part:
    return name, amount(value), {"currencyID": invoice.currency}
