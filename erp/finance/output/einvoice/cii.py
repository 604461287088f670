"""E-invoices as CII (UN/CEFACT Cross Industry Invoice D16B), which Factur-X and ZUGFeRD use.

Source: CEN/TS 16931-3-3:2020; the order of elements follows the schema of Factur-X.
"""

from collections.abc import Iterator
from datetime import date

from erp.finance.output.einvoice.model import Adjustment, EInvoice, Line, Party, Period, Profile, Tax, TaxGroup
from erp.finance.output.einvoice.profiles import PROCESS, SPECIFICATION
from erp.finance.output.einvoice.tree import Part, amount, number, written

UNECE = "urn:un:unece:uncefact:data:"
SPACES = {
    "rsm": f"{UNECE}standard:CrossIndustryInvoice:100",
    "ram": f"{UNECE}standard:ReusableAggregateBusinessInformationEntity:100",
    "qdt": f"{UNECE}standard:QualifiedDataType:100",
    "udt": f"{UNECE}standard:UnqualifiedDataType:100",
}

Parts = Iterator[Part | None]


def write(invoice: EInvoice, profile: Profile) -> bytes:
    """The invoice or credit note as CII."""
    return written("rsm:CrossIndustryInvoice", SPACES, _document(invoice, profile))


def _document(invoice: EInvoice, profile: Profile) -> Parts:
    process = ("ram:BusinessProcessSpecifiedDocumentContextParameter", [("ram:ID", PROCESS)])
    guideline = ("ram:GuidelineSpecifiedDocumentContextParameter", [("ram:ID", SPECIFICATION[profile])])
    yield "rsm:ExchangedDocumentContext", [process, guideline]
    head: list[Part | None] = [("ram:ID", invoice.number), ("ram:TypeCode", invoice.type_code)]
    head += [_day("ram:IssueDateTime", invoice.issue_date), ("ram:IncludedNote", [("ram:Content", invoice.note)])]
    yield "rsm:ExchangedDocument", head
    yield "rsm:SupplyChainTradeTransaction", _transaction(invoice)


def _transaction(invoice: EInvoice) -> Parts:
    for line in invoice.lines:
        yield "ram:IncludedSupplyChainTradeLineItem", _line(line)
    order = ("ram:BuyerOrderReferencedDocument", [("ram:IssuerAssignedID", invoice.order_reference)])
    agreement: list[Part] = [("ram:BuyerReference", invoice.buyer_reference)]
    agreement += [("ram:SellerTradeParty", _party(invoice.seller)), ("ram:BuyerTradeParty", _party(invoice.buyer))]
    yield "ram:ApplicableHeaderTradeAgreement", [*agreement, order]
    yield _delivery(invoice)
    yield "ram:ApplicableHeaderTradeSettlement", _settlement(invoice)


def _delivery(invoice: EInvoice) -> Part:
    """The place or the day of delivery.

    The element is required and must not be empty (PEPPOL-EN16931-R008), so it may name the customer alone (BT-70).
    """
    to, day = invoice.delivered_to, invoice.delivered_on
    address = ("ram:PostalTradeAddress", _address(to)) if to else None
    name = ("ram:Name", invoice.buyer.name) if to is None and day is None else None
    event = ("ram:ActualDeliverySupplyChainEvent", [_day("ram:OccurrenceDateTime", day)])
    return "ram:ApplicableHeaderTradeDelivery", [("ram:ShipToTradeParty", [name, address]), event]


def _party(party: Party) -> Parts:
    yield "ram:ID", party.id
    yield "ram:Name", party.name
    yield "ram:Description", party.legal_text
    legal = [("ram:ID", party.legal_id), ("ram:TradingBusinessName", party.trading_name)]
    yield "ram:SpecifiedLegalOrganization", legal
    yield "ram:DefinedTradeContact", _contact(party)
    yield "ram:PostalTradeAddress", _address(party)
    yield "ram:URIUniversalCommunication", [("ram:URIID", party.email_address, {"schemeID": "EM"})]
    for id, scheme in ((party.vat_id, "VA"), (party.tax_number, "FC")):
        yield "ram:SpecifiedTaxRegistration", [("ram:ID", id, {"schemeID": scheme})]


def _contact(party: Party) -> Parts:
    yield "ram:PersonName", party.contact_name
    yield "ram:TelephoneUniversalCommunication", [("ram:CompleteNumber", party.phone)]
    yield "ram:EmailURIUniversalCommunication", [("ram:URIID", party.email)]


def _address(party: Party) -> Parts:
    yield "ram:PostcodeCode", party.postal_code
    yield "ram:LineOne", party.line1
    yield "ram:LineTwo", party.line2
    yield "ram:CityName", party.city
    yield "ram:CountryID", party.country
    yield "ram:CountrySubDivisionName", party.region


def _settlement(invoice: EInvoice) -> Parts:
    payment = invoice.payment
    yield "ram:PaymentReference", payment and payment.reference
    yield "ram:TaxCurrencyCode", invoice.tax_currency
    yield "ram:InvoiceCurrencyCode", invoice.currency
    yield "ram:SpecifiedTradeSettlementPaymentMeans", _payment(invoice)
    for group in invoice.taxes:
        yield "ram:ApplicableTradeTax", _tax(group)
    yield _period(invoice.period)
    for adjustment in invoice.adjustments:
        yield "ram:SpecifiedTradeAllowanceCharge", _adjustment(adjustment)
    due = _day("ram:DueDateDateTime", invoice.due_date)
    yield "ram:SpecifiedTradePaymentTerms", [("ram:Description", invoice.terms), due]
    yield "ram:SpecifiedTradeSettlementHeaderMonetarySummation", _sums(invoice)
    for preceding in invoice.preceding:
        day = _day("ram:FormattedIssueDateTime", preceding.day, "qdt")
        yield "ram:InvoiceReferencedDocument", [("ram:IssuerAssignedID", preceding.number), day]


def _payment(invoice: EInvoice) -> Parts:
    payment = invoice.payment
    if payment is None:
        return
    yield "ram:TypeCode", payment.code
    account = [("ram:IBANID", payment.iban), ("ram:AccountName", payment.iban and payment.holder)]
    yield "ram:PayeePartyCreditorFinancialAccount", account
    bank = [("ram:BICID", payment.bic)]
    yield "ram:PayeeSpecifiedCreditorFinancialInstitution", bank


def _tax(group: TaxGroup) -> Parts:
    yield "ram:CalculatedAmount", amount(group.amount)
    yield "ram:TypeCode", "VAT"
    yield "ram:ExemptionReason", group.reason
    yield "ram:BasisAmount", amount(group.base)
    yield "ram:CategoryCode", group.tax.category
    yield "ram:ExemptionReasonCode", group.reason_code
    yield "ram:RateApplicablePercent", _percent(group.tax)


def _category(tax: Tax) -> Parts:
    yield "ram:TypeCode", "VAT"
    yield "ram:CategoryCode", tax.category
    yield "ram:RateApplicablePercent", _percent(tax)


def _percent(tax: Tax) -> str | None:
    return None if tax.rate is None else number(tax.rate)


def _adjustment(adjustment: Adjustment) -> Parts:
    yield "ram:ChargeIndicator", [("udt:Indicator", "true" if adjustment.is_charge else "false")]
    yield "ram:ActualAmount", amount(adjustment.amount)
    yield "ram:Reason", adjustment.reason
    if adjustment.tax is not None:
        yield "ram:CategoryTradeTax", _category(adjustment.tax)


def _sums(invoice: EInvoice) -> Parts:
    sums = invoice.sums
    yield "ram:LineTotalAmount", amount(sums.lines)
    yield "ram:ChargeTotalAmount", amount(sums.charges) if invoice.has_charges else None
    yield "ram:AllowanceTotalAmount", amount(sums.allowances) if invoice.has_allowances else None
    yield "ram:TaxBasisTotalAmount", amount(sums.net)
    yield "ram:TaxTotalAmount", amount(sums.tax), {"currencyID": invoice.currency}
    if invoice.tax_currency is not None and sums.base_tax is not None:
        yield "ram:TaxTotalAmount", amount(sums.base_tax), {"currencyID": invoice.tax_currency}
    yield "ram:RoundingAmount", amount(sums.rounding) if sums.rounding else None
    yield "ram:GrandTotalAmount", amount(sums.gross)
    yield "ram:TotalPrepaidAmount", amount(sums.prepaid) if sums.prepaid else None
    yield "ram:DuePayableAmount", amount(sums.payable)


def _line(line: Line) -> Parts:
    head = [("ram:LineID", line.id), ("ram:IncludedNote", [("ram:Content", line.note)])]
    yield "ram:AssociatedDocumentLineDocument", head
    yield "ram:SpecifiedTradeProduct", [("ram:Name", line.name), ("ram:Description", line.description)]
    price: list[Part] = [("ram:ChargeAmount", number(line.price))]
    if line.base_quantity != 1:
        price.append(("ram:BasisQuantity", number(line.base_quantity), {"unitCode": line.unit}))
    yield "ram:SpecifiedLineTradeAgreement", [("ram:NetPriceProductTradePrice", price)]
    quantity = ("ram:BilledQuantity", number(line.quantity), {"unitCode": line.unit})
    yield "ram:SpecifiedLineTradeDelivery", [quantity]
    yield "ram:SpecifiedLineTradeSettlement", _line_settlement(line)


def _line_settlement(line: Line) -> Parts:
    yield "ram:ApplicableTradeTax", _category(line.tax)
    yield _period(line.period)
    for adjustment in line.adjustments:
        yield "ram:SpecifiedTradeAllowanceCharge", _adjustment(adjustment)
    yield "ram:SpecifiedTradeSettlementLineMonetarySummation", [("ram:LineTotalAmount", amount(line.net))]


def _period(period: Period | None) -> Part | None:
    if period is None:
        return None
    days = [_day("ram:StartDateTime", period.start), _day("ram:EndDateTime", period.end)]
    return "ram:BillingSpecifiedPeriod", days


def _day(name: str, day: date | None, space: str = "udt") -> Part | None:
    return None if day is None else (name, [(f"{space}:DateTimeString", f"{day:%Y%m%d}", {"format": "102"})])
