"""The PDF of a document: PDF/A-3, with its e-invoice inside if possible (Factur-X, ZUGFeRD)."""

from datetime import datetime

from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.output import files, kept, logo, sources
from erp.finance.output.bodies import PaperQuery
from erp.finance.output.design import designs
from erp.finance.output.design.designs import Design
from erp.finance.output.kept import Made
from erp.finance.output.paper import content
from erp.finance.output.paper.content import Content
from erp.finance.output.paper.sheet import Sheet
from erp.finance.output.sources import Source
from erp.kernel import clock
from erp.kernel.paper import letterheads
from erp.web.schema import File

PDF = "application/pdf"
XML_NAME = "factur-x.xml"
PRODUCER = "erp"


def file_of(id: str, query: PaperQuery) -> File:
    """The paper of a document, for download."""
    form = "pdf.copy" if query.copy else "pdf"
    return kept.file_of(id, lambda invoice: (form, lambda: made(invoice, is_copy=query.copy)))


def made(invoice: Invoice, *, is_copy: bool = False) -> Made:
    """The paper of a document as it is now; a draft and a copy are marked, and not stored."""
    source = sources.of(invoice)
    is_own = invoice.status != "draft" and invoice.kind not in PURCHASES
    xml = _xml(source) if is_own and not is_copy else None
    made_at = clock.parse(invoice.issued_at or invoice.updated_at)
    name = f"{files.file_name(invoice)}.pdf"
    return Made(name, PDF, written(source, made_at, xml, is_copy=is_copy), is_own and not is_copy and is_whole(source))


def _xml(source: Source) -> bytes | None:
    return None if files.misfits(source, "factur_x") else files.written(source, "factur_x", "cii")


def is_whole(source: Source) -> bool:
    """Whether the paper has the particulars that the law requires; else it is made again, until it has them."""
    seller = source.seller
    has_tax_identity = bool(seller.get("vat_id") or seller.get("tax_number"))
    return has_tax_identity and bool(seller.get("address")) and bool(source.buyer.get("address"))


def written(source: Source, made_at: datetime, xml: bytes | None, *, is_copy: bool = False) -> bytes:
    return printed(content.of(source, is_copy=is_copy), source, made_at, xml)


def printed(texts: Content, source: Source, made_at: datetime, xml: bytes | None = None) -> bytes:
    """The PDF of a document's texts, with its e-invoice inside."""
    sheet = Sheet(texts, made_at, logo.content(source.logo), source.design)
    sheet.write()
    return finished(sheet, made_at, source.design, xml)


def finished(sheet: Sheet, made_at: datetime, design: Design, xml: bytes | None = None) -> bytes:
    """The file of a written sheet, with its e-invoice if there is one."""
    pdf = sheet.pdf
    pdf.set_producer(PRODUCER)
    pdf.set_xmp_metadata(_metadata(sheet.content.title, made_at, has_xml=xml is not None))
    if xml is not None:
        pdf.embed_file(
            bytes=xml,
            basename=XML_NAME,
            mime_type="text/xml",
            associated_file_relationship="Alternative",
            modification_date=made_at,
            desc="Factur-X invoice",
            compress=True,
        )
    letterhead = designs.letterhead_of(design)
    return bytes(pdf.output()) if letterhead is None else letterheads.under(bytes(pdf.output()), letterhead)


def _metadata(title: str, made_at: datetime, *, has_xml: bool) -> str:
    """The metadata of the file. Source: ISO 19005-3; Factur-X 1.0.7, chapter 6."""
    from html import escape  # only for papers: the start is quicker without it

    moment = made_at.isoformat(timespec="seconds")
    return _XMP.format(
        title=escape(title), moment=moment, producer=PRODUCER, facturx=_FACTURX + _EXTENSION if has_xml else ""
    )


_XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreateDate>{moment}</xmp:CreateDate></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>{producer}</pdf:Producer></rdf:Description>
{facturx}</rdf:RDF></x:xmpmeta>"""

_SPACE = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
_FACTURX = f"""<rdf:Description rdf:about="" xmlns:fx="{_SPACE}">
<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>{XML_NAME}</fx:DocumentFileName>
<fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>
"""


def _property(name: str, description: str) -> str:
    return (
        f'<rdf:li rdf:parseType="Resource"><pdfaProperty:name>{name}</pdfaProperty:name>'
        "<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>"
        f"<pdfaProperty:description>{description}</pdfaProperty:description></rdf:li>"
    )


_PROPERTIES = "".join(
    (
        _property("DocumentFileName", "The name of the embedded XML document"),
        _property("DocumentType", "The type of the hybrid document in capital letters"),
        _property("Version", "The version of the standard that the embedded XML document follows"),
        _property("ConformanceLevel", "The conformance level of the embedded XML document"),
    )
)
_EXTENSION = f"""<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>{_SPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>{_PROPERTIES}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
"""
