"""Request bodies of papers and e-invoices."""

from io import BytesIO
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.output.einvoice.model import Profile, Syntax
from erp.finance.output.einvoice.ubl import OASIS
from erp.kernel.language import Sentence, says
from erp.web.inline import Inline
from erp.web.scalars import Id, Name
from erp.web.schema import Body, Query
from erp.web.transport.uploads import Upload

_EXAMPLE = (
    f'<Invoice xmlns="{OASIS}Invoice-2" xmlns:cac="{OASIS}CommonAggregateComponents-2"'
    f' xmlns:cbc="{OASIS}CommonBasicComponents-2"><cbc:ID>4711</cbc:ID><cbc:IssueDate>2026-01-08</cbc:IssueDate>'
    "<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cac:AccountingSupplierParty><cac:Party>"
    "<cac:PartyName><cbc:Name>Meyer</cbc:Name></cac:PartyName></cac:Party></cac:AccountingSupplierParty>"
    "<cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount>20.00</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>"
    "<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity>2</cbc:InvoicedQuantity>"
    "<cbc:LineExtensionAmount>20.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Paper</cbc:Name></cac:Item>"
    "<cac:Price><cbc:PriceAmount>10.00</cbc:PriceAmount></cac:Price></cac:InvoiceLine></Invoice>"
)
"""The size of the shortest readable file; suppliers send longer ones."""


class EInvoiceFile(Upload):
    """An e-invoice: raw, or in JSON as text or in base64."""

    json_schema: ClassVar[dict[str, Any]] = {
        "type": "string",
        "description": "UBL 2.1 or CII D16B as XML, or a PDF with it inside (Factur-X, ZUGFeRD), in base64; XML also"
        " as text.",
    }

    @classmethod
    def read(cls, value: object) -> Upload:
        text = value.strip().lstrip("\ufeff") if isinstance(value, str) else ""
        return cls(BytesIO(text.encode())) if text.startswith("<") else super().read(value)


class ReceivedEInvoice(Body):
    """An e-invoice from a supplier."""

    UPLOAD: ClassVar[bool] = True
    SMALLER: ClassVar[Sentence] = says("Send the file itself as the body, or in a form. It may have up to 25 MiB.")
    EXAMPLE: ClassVar[dict[str, Any]] = {"file": _EXAMPLE, "name": "invoice.xml"}

    file: EInvoiceFile
    name: Annotated[Name, Meta(description="Name of the file.")] | None = None
    exchange_rate: RateOrLatest | None = None
    force: Annotated[bool, Meta(description="Accept a number that another bill of the supplier has.")] = False


class PaperQuery(Query):
    """The form of a printed document."""

    copy: Annotated[bool, Meta(description="Mark it as a copy, without the e-invoice inside.")] = False
    inline: Inline = False


Packing = Literal["zip", "pdf"]


class SeveralPapers(Body):
    """Documents to print together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"ids": ["01890a5d-ac96-774b-bcce-b302099a8057"], "as": "zip"}

    ids: Annotated[list[Id], Meta(min_length=1, max_length=100)]
    packing: Packing = msgspec.field(name="as")


class EInvoiceQuery(Query):
    """The form of an e-invoice."""

    profile: Annotated[
        Profile | None,
        Meta(
            description="`xrechnung` for German authorities, `en16931`, or `factur_x` (ZUGFeRD), which is CII. When"
            " absent, `xrechnung` where the customer has a buyerReference, else `en16931`."
        ),
    ] = None
    syntax: Annotated[Syntax | None, Meta(description="By default `ubl`, except for `factur_x`.")] = None
