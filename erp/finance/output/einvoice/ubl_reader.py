"""E-invoices from UBL 2.1."""

from decimal import Decimal

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
from erp.finance.output.einvoice.ubl import OASIS
from erp.finance.output.einvoice.xml import Node, Unreadable

ROOTS = {f"{{{OASIS}Invoice-2}}Invoice": "Invoice", f"{{{OASIS}CreditNote-2}}CreditNote": "CreditNote"}


def read(root: Node, name: str) -> EInvoice:
    """The invoice or credit note of a document."""
    issued = root.day("cbc:IssueDate")
    if issued is None:
        raise Unreadable(field="file")
    usual = "381" if name == "CreditNote" else "380"
    return EInvoice(
        number=root.must("cbc:ID"),
        issue_date=issued,
        type_code=root.text(f"cbc:{name}TypeCode") or usual,
        currency=root.must("cbc:DocumentCurrencyCode"),
        due_date=root.day("cbc:DueDate") or root.day("cac:PaymentMeans/cbc:PaymentDueDate"),
        buyer_reference=root.text("cbc:BuyerReference"),
        order_reference=root.text("cac:OrderReference/cbc:ID"),
        terms=_terms(root),
        note="\n".join(text for note in root.all("cbc:Note") if (text := note.text())) or None,
        preceding=[_preceding(node) for node in root.all("cac:BillingReference/cac:InvoiceDocumentReference")],
        seller=_party(root.at("cac:AccountingSupplierParty/cac:Party")),
        buyer=_party(root.at("cac:AccountingCustomerParty/cac:Party")),
        delivered_on=root.day("cac:Delivery/cbc:ActualDeliveryDate"),
        delivered_to=root.text("cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode"),
        period=_period(root),
        payment=_payment(root),
        adjustments=[_adjustment(node) for node in root.all("cac:AllowanceCharge")],
        taxes=[_tax_group(node) for node in _own_taxes(root).all("cac:TaxSubtotal")],
        sums=_sums(root),
        lines=[_line(node, name) for node in root.all(f"cac:{name}Line")],
    )


def _terms(root: Node) -> str | None:
    notes = [text for node in root.all("cac:PaymentTerms") if (text := node.text("cbc:Note"))]
    return "\n".join(notes) or None


def _preceding(node: Node) -> Preceding:
    return Preceding(node.must("cbc:ID"), node.day("cbc:IssueDate"))


def _party(party: Node) -> Party:
    ids = {node.text("cac:TaxScheme/cbc:ID"): node.text("cbc:CompanyID") for node in party.all("cac:PartyTaxScheme")}
    name = party.text("cac:PartyLegalEntity/cbc:RegistrationName")
    trading = party.text("cac:PartyName/cbc:Name")
    address, contact = party.at("cac:PostalAddress"), party.at("cac:Contact")
    by_mail = party.attribute("cbc:EndpointID", "schemeID") == "EM"
    return Party(
        name=name or trading or "-",
        id=party.text("cac:PartyIdentification/cbc:ID"),
        legal_id=party.text("cac:PartyLegalEntity/cbc:CompanyID"),
        trading_name=trading if name else None,
        vat_id=ids.get("VAT"),
        tax_number=next((id for scheme, id in ids.items() if scheme != "VAT"), None),
        legal_text=party.text("cac:PartyLegalEntity/cbc:CompanyLegalForm"),
        email_address=party.text("cbc:EndpointID") if by_mail else None,
        line1=address.text("cbc:StreetName"),
        line2=address.text("cbc:AdditionalStreetName"),
        city=address.text("cbc:CityName"),
        postal_code=address.text("cbc:PostalZone"),
        region=address.text("cbc:CountrySubentity"),
        country=address.text("cac:Country/cbc:IdentificationCode"),
        contact_name=contact.text("cbc:Name"),
        phone=contact.text("cbc:Telephone"),
        email=contact.text("cbc:ElectronicMail"),
    )


def _period(node: Node) -> Period | None:
    period = node.at("cac:InvoicePeriod")
    start, end = period.day("cbc:StartDate"), period.day("cbc:EndDate")
    return Period(start, end) if start or end else None


def _payment(root: Node) -> Payment | None:
    means = root.at("cac:PaymentMeans")
    code = means.text("cbc:PaymentMeansCode")
    if code is None:
        return None
    account = means.at("cac:PayeeFinancialAccount")
    return Payment(
        code=code,
        iban=account.text("cbc:ID"),
        bic=account.text("cac:FinancialInstitutionBranch/cbc:ID"),
        holder=account.text("cbc:Name"),
        reference=means.text("cbc:PaymentID"),
    )


def _adjustment(node: Node) -> Adjustment:
    category = node.at("cac:TaxCategory")
    return Adjustment(
        is_charge=node.text("cbc:ChargeIndicator") in ("true", "1"),
        amount=node.amount("cbc:Amount"),
        reason=node.text("cbc:AllowanceChargeReason") or node.text("cbc:AllowanceChargeReasonCode") or "-",
        tax=_tax(category) if category else None,
    )


def _tax(category: Node) -> Tax:
    return Tax(category.text("cbc:ID") or "O", category.decimal("cbc:Percent"))


def _own_taxes(root: Node) -> Node:
    """The tax in the currency of the document: the total with parts; another one is in the books' currency."""
    totals = root.all("cac:TaxTotal")
    return next((total for total in totals if total.at("cac:TaxSubtotal")), root.at("cac:TaxTotal"))


def _tax_group(node: Node) -> TaxGroup:
    category = node.at("cac:TaxCategory")
    return TaxGroup(
        tax=_tax(category),
        base=node.amount("cbc:TaxableAmount"),
        amount=node.amount("cbc:TaxAmount"),
        reason=category.text("cbc:TaxExemptionReason"),
        reason_code=category.text("cbc:TaxExemptionReasonCode"),
    )


def _sums(root: Node) -> Sums:
    total = root.at("cac:LegalMonetaryTotal")
    return Sums(
        lines=total.amount("cbc:LineExtensionAmount"),
        allowances=total.amount("cbc:AllowanceTotalAmount"),
        charges=total.amount("cbc:ChargeTotalAmount"),
        net=total.amount("cbc:TaxExclusiveAmount"),
        tax=_own_taxes(root).amount("cbc:TaxAmount"),
        gross=total.amount("cbc:TaxInclusiveAmount"),
        prepaid=total.amount("cbc:PrepaidAmount"),
        rounding=total.amount("cbc:PayableRoundingAmount"),
        payable=total.amount("cbc:PayableAmount"),
    )


def _line(node: Node, name: str) -> Line:
    quantity = "cbc:CreditedQuantity" if name == "CreditNote" else "cbc:InvoicedQuantity"
    item, price = node.at("cac:Item"), node.at("cac:Price")
    amount = node.decimal(quantity)
    return Line(
        id=node.must("cbc:ID"),
        name=item.text("cbc:Name") or item.text("cbc:Description") or "-",
        description=item.text("cbc:Description"),
        note=node.text("cbc:Note"),
        quantity=Decimal(1) if amount is None else amount,
        unit=node.attribute(quantity, "unitCode") or "C62",
        price=price.amount("cbc:PriceAmount"),
        base_quantity=price.decimal("cbc:BaseQuantity") or Decimal(1),
        net=node.amount("cbc:LineExtensionAmount"),
        tax=_tax(item.at("cac:ClassifiedTaxCategory")),
        period=_period(node),
        adjustments=[_adjustment(part) for part in node.all("cac:AllowanceCharge")],
    )
