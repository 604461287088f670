"""E-invoices from CII (UN/CEFACT Cross Industry Invoice D16B)."""

from decimal import Decimal

from erp.finance.output.einvoice.cii import SPACES
from erp.finance.output.einvoice.model import (
    Adjustment,
    EInvoice,
    Line,
    Party,
    Payment,
    Period,
    Preceding,
    Sums,
    Tax,
    TaxGroup,
)
from erp.finance.output.einvoice.xml import Node, Unreadable

ROOT = f"{{{SPACES['rsm']}}}CrossIndustryInvoice"
_DAY = "/udt:DateTimeString"


def read(root: Node) -> EInvoice:
    """The invoice or credit note of a document."""
    head, trade = root.at("rsm:ExchangedDocument"), root.at("rsm:SupplyChainTradeTransaction")
    agreement = trade.at("ram:ApplicableHeaderTradeAgreement")
    delivery = trade.at("ram:ApplicableHeaderTradeDelivery")
    settlement = trade.at("ram:ApplicableHeaderTradeSettlement")
    issued = head.day(f"ram:IssueDateTime{_DAY}")
    if issued is None:
        raise Unreadable(field="file")
    terms = settlement.at("ram:SpecifiedTradePaymentTerms")
    notes = [text for note in head.all("ram:IncludedNote") if (text := note.text("ram:Content"))]
    return EInvoice(
        number=head.must("ram:ID"),
        issue_date=issued,
        type_code=head.text("ram:TypeCode") or "380",
        currency=settlement.must("ram:InvoiceCurrencyCode"),
        due_date=terms.day(f"ram:DueDateDateTime{_DAY}"),
        buyer_reference=agreement.text("ram:BuyerReference"),
        order_reference=agreement.text("ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID"),
        terms=terms.text("ram:Description"),
        note="\n".join(notes) or None,
        preceding=[_preceding(node) for node in settlement.all("ram:InvoiceReferencedDocument")],
        seller=_party(agreement.at("ram:SellerTradeParty")),
        buyer=_party(agreement.at("ram:BuyerTradeParty")),
        delivered_on=delivery.day(f"ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime{_DAY}"),
        delivered_to=delivery.text("ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID"),
        period=_period(settlement),
        payment=_payment(settlement),
        adjustments=[_adjustment(node) for node in settlement.all("ram:SpecifiedTradeAllowanceCharge")],
        taxes=[_tax_group(node) for node in settlement.all("ram:ApplicableTradeTax")],
        sums=_sums(settlement),
        lines=[_line(node) for node in trade.all("ram:IncludedSupplyChainTradeLineItem")],
    )


def _preceding(node: Node) -> Preceding:
    return Preceding(node.must("ram:IssuerAssignedID"), node.day("ram:FormattedIssueDateTime/qdt:DateTimeString"))


def _party(party: Node) -> Party:
    ids = {
        node.attribute("ram:ID", "schemeID"): node.text("ram:ID") for node in party.all("ram:SpecifiedTaxRegistration")
    }
    address, contact = party.at("ram:PostalTradeAddress"), party.at("ram:DefinedTradeContact")
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
        line1=address.text("ram:LineOne"),
        line2=address.text("ram:LineTwo"),
        city=address.text("ram:CityName"),
        postal_code=address.text("ram:PostcodeCode"),
        region=address.text("ram:CountrySubDivisionName"),
        country=address.text("ram:CountryID"),
        contact_name=contact.text("ram:PersonName"),
        phone=contact.text("ram:TelephoneUniversalCommunication/ram:CompleteNumber"),
        email=contact.text("ram:EmailURIUniversalCommunication/ram:URIID"),
    )


def _period(node: Node) -> Period | None:
    period = node.at("ram:BillingSpecifiedPeriod")
    start, end = period.day(f"ram:StartDateTime{_DAY}"), period.day(f"ram:EndDateTime{_DAY}")
    return Period(start, end) if start or end else None


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


def _adjustment(node: Node) -> Adjustment:
    category = node.at("ram:CategoryTradeTax")
    return Adjustment(
        is_charge=node.text("ram:ChargeIndicator/udt:Indicator") in ("true", "1"),
        amount=node.amount("ram:ActualAmount"),
        reason=node.text("ram:Reason") or node.text("ram:ReasonCode") or "-",
        tax=_tax(category) if category else None,
    )


def _tax(node: Node) -> Tax:
    return Tax(node.text("ram:CategoryCode") or "O", node.decimal("ram:RateApplicablePercent"))


def _tax_group(node: Node) -> TaxGroup:
    return TaxGroup(
        tax=_tax(node),
        base=node.amount("ram:BasisAmount"),
        amount=node.amount("ram:CalculatedAmount"),
        reason=node.text("ram:ExemptionReason"),
        reason_code=node.text("ram:ExemptionReasonCode"),
    )


def _sums(settlement: Node) -> Sums:
    total = settlement.at("ram:SpecifiedTradeSettlementHeaderMonetarySummation")
    return Sums(
        lines=total.amount("ram:LineTotalAmount"),
        allowances=total.amount("ram:AllowanceTotalAmount"),
        charges=total.amount("ram:ChargeTotalAmount"),
        net=total.amount("ram:TaxBasisTotalAmount"),
        tax=_tax_total(total, settlement.text("ram:InvoiceCurrencyCode")),
        gross=total.amount("ram:GrandTotalAmount"),
        prepaid=total.amount("ram:TotalPrepaidAmount"),
        rounding=total.amount("ram:RoundingAmount"),
        payable=total.amount("ram:DuePayableAmount"),
    )


def _tax_total(total: Node, currency: str | None) -> Decimal:
    """The tax in the currency of the document; another total is in the books' currency."""
    totals = total.all("ram:TaxTotalAmount")
    own = [node for node in totals if node.attribute(".", "currencyID") in (None, currency)]
    return own[0].amount(".") if own else Decimal(0)


def _line(node: Node) -> Line:
    product, agreement = node.at("ram:SpecifiedTradeProduct"), node.at("ram:SpecifiedLineTradeAgreement")
    settlement, price = node.at("ram:SpecifiedLineTradeSettlement"), agreement.at("ram:NetPriceProductTradePrice")
    document = node.at("ram:AssociatedDocumentLineDocument")
    billed = node.at("ram:SpecifiedLineTradeDelivery")
    quantity = billed.decimal("ram:BilledQuantity")
    return Line(
        id=document.must("ram:LineID"),
        name=product.text("ram:Name") or "-",
        description=product.text("ram:Description"),
        note=document.text("ram:IncludedNote/ram:Content"),
        quantity=Decimal(1) if quantity is None else quantity,
        unit=billed.attribute("ram:BilledQuantity", "unitCode") or "C62",
        price=price.amount("ram:ChargeAmount"),
        base_quantity=price.decimal("ram:BasisQuantity") or Decimal(1),
        net=settlement.amount("ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount"),
        tax=_tax(settlement.at("ram:ApplicableTradeTax")),
        period=_period(settlement),
        adjustments=[_adjustment(part) for part in settlement.all("ram:SpecifiedTradeAllowanceCharge")],
    )
