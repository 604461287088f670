"""E-invoices from CII (UN/CEFACT Cross Industry Invoice D16B)."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from erp.finance.output.einvoice import parts, terms
from erp.finance.output.einvoice.cii import SPACES
from erp.finance.output.einvoice.model import Discount, EInvoice, Line, Party, Payment, Period, Preceding, Sums
from erp.finance.output.einvoice.xml import Node

ROOT = f"{{{SPACES['rsm']}}}CrossIndustryInvoice"
PATHS = parts.Paths(
    category="ram:CategoryCode",
    percent="ram:RateApplicablePercent",
    is_charge="ram:ChargeIndicator/udt:Indicator",
    adjusted="ram:ActualAmount",
    reason="ram:Reason",
    reason_code="ram:ReasonCode",
    tax="ram:CategoryTradeTax",
    base="ram:BasisAmount",
    amount="ram:CalculatedAmount",
    exemption="ram:ExemptionReason",
    exemption_code="ram:ExemptionReasonCode",
)
_ADDRESS = {
    "line1": "ram:LineOne",
    "line2": "ram:LineTwo",
    "city": "ram:CityName",
    "postal_code": "ram:PostcodeCode",
    "region": "ram:CountrySubDivisionName",
    "country": "ram:CountryID",
}
_CONTACT = {
    "contact_name": "ram:PersonName",
    "phone": "ram:TelephoneUniversalCommunication/ram:CompleteNumber",
    "email": "ram:EmailURIUniversalCommunication/ram:URIID",
}
_SUMS = {
    "lines": "ram:LineTotalAmount",
    "allowances": "ram:AllowanceTotalAmount",
    "charges": "ram:ChargeTotalAmount",
    "net": "ram:TaxBasisTotalAmount",
    "gross": "ram:GrandTotalAmount",
    "prepaid": "ram:TotalPrepaidAmount",
    "rounding": "ram:RoundingAmount",
    "payable": "ram:DuePayableAmount",
}
_DAY = "/udt:DateTimeString"
_DUE = f"ram:DueDateDateTime{_DAY}"
_DISCOUNT = "ram:ApplicableTradePaymentDiscountTerms"
_PERCENT = f"{_DISCOUNT}/ram:CalculationPercent"


def read(root: Node) -> EInvoice:
    """The invoice or credit note of a document."""
    head, trade = root.at("rsm:ExchangedDocument"), root.at("rsm:SupplyChainTradeTransaction")
    agreement = trade.at("ram:ApplicableHeaderTradeAgreement")
    delivery = trade.at("ram:ApplicableHeaderTradeDelivery")
    settlement = trade.at("ram:ApplicableHeaderTradeSettlement")
    issued = parts.issued(head.day(f"ram:IssueDateTime{_DAY}"))
    of_payment = settlement.all("ram:SpecifiedTradePaymentTerms")
    return EInvoice(
        number=head.must("ram:ID"),
        issue_date=issued,
        type_code=head.text("ram:TypeCode") or "380",
        currency=settlement.must("ram:InvoiceCurrencyCode"),
        due_date=terms.due_date(of_payment, percent=_PERCENT, text="ram:Description", day=_DUE),
        buyer_reference=agreement.text("ram:BuyerReference"),
        order_reference=agreement.text("ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID"),
        terms=parts.joined(of_payment, "ram:Description"),
        discounts=[found for node in of_payment for found in _discount(node, issued)],
        note=parts.joined(head.all("ram:IncludedNote"), "ram:Content"),
        preceding=[_preceding(node) for node in settlement.all("ram:InvoiceReferencedDocument")],
        seller=_party(agreement.at("ram:SellerTradeParty")),
        buyer=_party(agreement.at("ram:BuyerTradeParty")),
        delivered_on=delivery.day(f"ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime{_DAY}"),
        period=_period(settlement),
        payment=_payment(settlement),
        adjustments=[PATHS.adjustment_of(node) for node in settlement.all("ram:SpecifiedTradeAllowanceCharge")],
        taxes=[PATHS.tax_group_of(node, node) for node in settlement.all("ram:ApplicableTradeTax")],
        sums=_sums(settlement),
        lines=[_line(node) for node in trade.all("ram:IncludedSupplyChainTradeLineItem")],
    )


def _discount(node: Node, issued: date) -> Iterator[Discount]:
    """The cash discount of payment terms, which Factur-X Extended has."""
    offer = node.at(_DISCOUNT)
    is_in_days = offer.attribute("ram:BasisPeriodMeasure", "unitCode") == "DAY"
    days = offer.decimal("ram:BasisPeriodMeasure") if is_in_days else None
    return terms.offered(node.decimal(_PERCENT), days, node.day(_DUE), issued)


def _preceding(node: Node) -> Preceding:
    return Preceding(node.must("ram:IssuerAssignedID"), node.day("ram:FormattedIssueDateTime/qdt:DateTimeString"))


def _party(party: Node) -> Party:
    ids = {
        node.attribute("ram:ID", "schemeID"): node.text("ram:ID") for node in party.all("ram:SpecifiedTaxRegistration")
    }
    by_mail = party.attribute("ram:URIUniversalCommunication/ram:URIID", "schemeID") == "EM"
    return Party(
        name=party.text("ram:Name") or "-",
        id=party.text("ram:ID"),
        legal_id=party.text("ram:SpecifiedLegalOrganization/ram:ID"),
        trading_name=party.text("ram:SpecifiedLegalOrganization/ram:TradingBusinessName"),
        vat_id=ids.get("VA"),
        tax_number=ids.get("FC"),
        legal_text=party.text("ram:Description"),
        email_address=party.text("ram:URIUniversalCommunication/ram:URIID") if by_mail else None,
        **parts.texts(party.at("ram:PostalTradeAddress"), _ADDRESS),
        **parts.texts(party.at("ram:DefinedTradeContact"), _CONTACT),
    )


def _period(node: Node) -> Period | None:
    period = node.at("ram:BillingSpecifiedPeriod")
    return parts.period(period.day(f"ram:StartDateTime{_DAY}"), period.day(f"ram:EndDateTime{_DAY}"))


def _payment(settlement: Node) -> Payment | None:
    means = settlement.at("ram:SpecifiedTradeSettlementPaymentMeans")
    code = means.text("ram:TypeCode")
    if code is None:
        return None
    account = means.at("ram:PayeePartyCreditorFinancialAccount")
    return Payment(
        code=code,
        iban=account.text("ram:IBANID"),
        bic=means.text("ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID"),
        holder=account.text("ram:AccountName"),
        reference=settlement.text("ram:PaymentReference"),
    )


def _sums(settlement: Node) -> Sums:
    total = settlement.at("ram:SpecifiedTradeSettlementHeaderMonetarySummation")
    tax = _tax_total(total, settlement.text("ram:InvoiceCurrencyCode"))
    return Sums(tax=tax, **parts.amounts(total, _SUMS))


def _tax_total(total: Node, currency: str | None) -> Decimal:
    """The tax in the currency of the document; another total is in the books' currency."""
    totals = total.all("ram:TaxTotalAmount")
    own = [node for node in totals if node.attribute(".", "currencyID") in (None, currency)]
    return own[0].amount(".") if own else Decimal(0)


def _line(node: Node) -> Line:
    product, agreement = node.at("ram:SpecifiedTradeProduct"), node.at("ram:SpecifiedLineTradeAgreement")
    settlement, price = node.at("ram:SpecifiedLineTradeSettlement"), agreement.at("ram:NetPriceProductTradePrice")
    document = node.at("ram:AssociatedDocumentLineDocument")
    quantity, unit = parts.quantity(node.at("ram:SpecifiedLineTradeDelivery"), "ram:BilledQuantity")
    return Line(
        id=document.must("ram:LineID"),
        name=product.text("ram:Name") or "-",
        description=product.text("ram:Description"),
        note=document.text("ram:IncludedNote/ram:Content"),
        quantity=quantity,
        unit=unit,
        price=price.amount("ram:ChargeAmount"),
        base_quantity=price.decimal("ram:BasisQuantity") or Decimal(1),
        net=settlement.amount("ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount"),
        tax=PATHS.tax_of(settlement.at("ram:ApplicableTradeTax")),
        period=_period(settlement),
        adjustments=[PATHS.adjustment_of(part) for part in settlement.all("ram:SpecifiedTradeAllowanceCharge")],
    )
