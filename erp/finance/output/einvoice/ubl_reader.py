"""E-invoices from UBL 2.1."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from erp.finance.output.einvoice import parts, terms
from erp.finance.output.einvoice.model import Discount, EInvoice, Line, Party, Payment, Period, Preceding, Sums
from erp.finance.output.einvoice.ubl import OASIS
from erp.finance.output.einvoice.xml import Node

ROOTS = {f"{{{OASIS}Invoice-2}}Invoice": "Invoice", f"{{{OASIS}CreditNote-2}}CreditNote": "CreditNote"}
PATHS = parts.Paths(
    category="cbc:ID",
    percent="cbc:Percent",
    is_charge="cbc:ChargeIndicator",
    adjusted="cbc:Amount",
    reason="cbc:AllowanceChargeReason",
    reason_code="cbc:AllowanceChargeReasonCode",
    tax="cac:TaxCategory",
    base="cbc:TaxableAmount",
    amount="cbc:TaxAmount",
    exemption="cbc:TaxExemptionReason",
    exemption_code="cbc:TaxExemptionReasonCode",
)
_ADDRESS = {
    "line1": "cbc:StreetName",
    "line2": "cbc:AdditionalStreetName",
    "city": "cbc:CityName",
    "postal_code": "cbc:PostalZone",
    "region": "cbc:CountrySubentity",
    "country": "cac:Country/cbc:IdentificationCode",
}
_DISCOUNT = "cbc:SettlementDiscountPercent"
_CONTACT = {"contact_name": "cbc:Name", "phone": "cbc:Telephone", "email": "cbc:ElectronicMail"}
_SUMS = {
    "lines": "cbc:LineExtensionAmount",
    "allowances": "cbc:AllowanceTotalAmount",
    "charges": "cbc:ChargeTotalAmount",
    "net": "cbc:TaxExclusiveAmount",
    "gross": "cbc:TaxInclusiveAmount",
    "prepaid": "cbc:PrepaidAmount",
    "rounding": "cbc:PayableRoundingAmount",
    "payable": "cbc:PayableAmount",
}


def read(root: Node, name: str) -> EInvoice:
    """The invoice or credit note of a document."""
    usual = "381" if name == "CreditNote" else "380"
    taxes, of_payment = _own_taxes(root), root.all("cac:PaymentTerms")
    issued = parts.issued(root.day("cbc:IssueDate"))
    return EInvoice(
        number=root.must("cbc:ID"),
        issue_date=issued,
        type_code=root.text(f"cbc:{name}TypeCode") or usual,
        currency=root.must("cbc:DocumentCurrencyCode"),
        due_date=root.day("cbc:DueDate")
        or terms.due_date(of_payment, percent=_DISCOUNT, text="cbc:Note", day="cbc:PaymentDueDate")
        or root.day("cac:PaymentMeans/cbc:PaymentDueDate"),
        buyer_reference=root.text("cbc:BuyerReference"),
        order_reference=root.text("cac:OrderReference/cbc:ID"),
        terms=parts.joined(of_payment, "cbc:Note"),
        discounts=[found for node in of_payment for found in _discount(node, issued)],
        note=parts.joined(root.all("cbc:Note"), "."),
        preceding=[_preceding(node) for node in root.all("cac:BillingReference/cac:InvoiceDocumentReference")],
        seller=_party(root.at("cac:AccountingSupplierParty/cac:Party")),
        buyer=_party(root.at("cac:AccountingCustomerParty/cac:Party")),
        delivered_on=root.day("cac:Delivery/cbc:ActualDeliveryDate"),
        period=_period(root),
        payment=_payment(root),
        adjustments=[PATHS.adjustment_of(node) for node in root.all("cac:AllowanceCharge")],
        taxes=[
            PATHS.tax_group_of(node, node.at("cac:TaxCategory")) for node in _own_taxes(root).all("cac:TaxSubtotal")
        ],
        sums=_sums(root, taxes),
        lines=[_line(node, name) for node in root.all(f"cac:{name}Line")],
    )


def _discount(node: Node, issued: date) -> Iterator[Discount]:
    """The cash discount of payment terms, which EN 16931 leaves out but UBL has."""
    period = node.at("cac:SettlementPeriod")
    until = period.day("cbc:EndDate") or node.day("cbc:PaymentDueDate")
    is_in_days = period.attribute("cbc:DurationMeasure", "unitCode") == "DAY"
    days = period.decimal("cbc:DurationMeasure") if is_in_days else None
    return terms.offered(node.decimal(_DISCOUNT), days, until, issued)


def _preceding(node: Node) -> Preceding:
    return Preceding(node.must("cbc:ID"), node.day("cbc:IssueDate"))


def _party(party: Node) -> Party:
    ids = {node.text("cac:TaxScheme/cbc:ID"): node.text("cbc:CompanyID") for node in party.all("cac:PartyTaxScheme")}
    name = party.text("cac:PartyLegalEntity/cbc:RegistrationName")
    trading = party.text("cac:PartyName/cbc:Name")
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
        **parts.texts(party.at("cac:PostalAddress"), _ADDRESS),
        **parts.texts(party.at("cac:Contact"), _CONTACT),
    )


def _period(node: Node) -> Period | None:
    period = node.at("cac:InvoicePeriod")
    return parts.period(period.day("cbc:StartDate"), period.day("cbc:EndDate"))


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


def _own_taxes(root: Node) -> Node:
    """The tax in the currency of the document: the total with parts; another one is in the books' currency."""
    totals = root.all("cac:TaxTotal")
    return next((total for total in totals if total.at("cac:TaxSubtotal")), root.at("cac:TaxTotal"))


def _sums(root: Node, taxes: Node) -> Sums:
    total = root.at("cac:LegalMonetaryTotal")
    return Sums(tax=taxes.amount("cbc:TaxAmount"), **parts.amounts(total, _SUMS))


def _line(node: Node, name: str) -> Line:
    counted = "cbc:CreditedQuantity" if name == "CreditNote" else "cbc:InvoicedQuantity"
    item, price = node.at("cac:Item"), node.at("cac:Price")
    quantity, unit = parts.quantity(node, counted)
    return Line(
        id=node.must("cbc:ID"),
        name=item.text("cbc:Name") or item.text("cbc:Description") or "-",
        description=item.text("cbc:Description"),
        note=node.text("cbc:Note"),
        quantity=quantity,
        unit=unit,
        price=price.amount("cbc:PriceAmount"),
        base_quantity=price.decimal("cbc:BaseQuantity") or Decimal(1),
        net=node.amount("cbc:LineExtensionAmount"),
        tax=PATHS.tax_of(item.at("cac:ClassifiedTaxCategory")),
        period=_period(node),
        adjustments=[PATHS.adjustment_of(part) for part in node.all("cac:AllowanceCharge")],
    )
