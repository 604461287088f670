"""Letterheads for tests, each with one fault or none."""

import io

import pypdf
from fpdf import FPDF
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, TextStringObject

from erp.kernel.paper.pdf import TYPEFACE

A4 = (595.28, 841.89)


def letterhead(*words, face="Noto"):
    """A PDF with a page for each word, in an embedded typeface, else in one that every reader has."""
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(False)
    if face == "Noto":
        pdf.add_font("Noto", fname=str(TYPEFACE))
    for word in words:
        pdf.add_page()
        pdf.set_font(face, size=14)
        pdf.set_fill_color(230, 120, 40)
        pdf.rect(0, 285, 210, 12, style="F")
        pdf.text(20, 12, word)
    return bytes(pdf.output())


def drawn(operators, *, size=A4, resources=None, **catalogue):
    """A PDF of one page with these drawing operators."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(*size)
    stream = DecodedStreamObject()
    stream.set_data(operators)
    page[NameObject("/Contents")] = writer._add_object(stream)
    if resources is not None:
        page[NameObject("/Resources")] = resources
    for name, value in catalogue.items():
        writer.root_object[NameObject(f"/{name}")] = value
    return written(writer)


def written(writer):
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def scripted():
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(io.BytesIO(letterhead("Kopf"))))
    action = {"/S": NameObject("/JavaScript"), "/JS": TextStringObject("app.alert('Hi')")}
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(
        {NameObject(name): value for name, value in action.items()}
    )
    return written(writer)


def locked():
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(io.BytesIO(letterhead("Kopf"))))
    writer.encrypt("", algorithm="RC4-128")
    return written(writer)


def in_cmyk_space():
    spaces = DictionaryObject({NameObject("/A"): NameObject("/DeviceCMYK")})
    return drawn(b"/A cs 0 0 0 1 sc 0 0 9 9 re f", resources=DictionaryObject({NameObject("/ColorSpace"): spaces}))


def image(kind, mode="RGB", size=(210, 297)):
    from PIL import Image

    out = io.BytesIO()
    Image.new(mode, size, "orange" if mode != "CMYK" else (0, 120, 255, 0)).save(out, kind)
    return out.getvalue()
