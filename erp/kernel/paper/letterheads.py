"""Letterheads: judged before they are kept, and laid under each page of a document that keeps to PDF/A-3.

pypdf is loaded where it is used: few requests need it.
"""

import io
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from erp.kernel.errors import Invalid
from erp.kernel.language import Listed, Sentence, Word, says

if TYPE_CHECKING:
    from pypdf import PdfReader, PdfWriter

MOST_BYTES, MOST_PIXELS, MOST_PAGES = 2 << 20, 20_000_000, 2
MOST_UNPACKED, MOST_OBJECTS = 25 << 20, 20_000
A4_MM, OFF_MM = (210, 297), 3
_POINT_MM = 25.4 / 72
_NUMBER = rb"[-+]?[\d.]++[\s\0]++"  # possessive: a long row of digits is read once
_CMYK = re.compile(
    rb"(?<![\d.])(?:"
    + _NUMBER
    + rb"){3}[-+]?[\d.]++[\s\0]*+[kK](?![\w.])|/DeviceCMYK[\s\0]+(?:cs|CS)\b|/CS[\s\0]*/(?:Device)?CMYK\b"
)
"""Operators and inline images in that colour space. Source: ISO 32000-1, 8.6.8 and 8.9.7."""
_SCRIPTS = ("/JavaScript", "/JS", "/AA", "/Launch")


class Letterhead(NamedTuple):
    """A letterhead as a PDF of one or two pages."""

    content: bytes
    pages: int


def judged(content: bytes) -> Letterhead:
    """Look into a file, which takes no lock: a PDF of one or two pages of A4, or an image of that form.

    Raises:
        Invalid: it is none, or it cannot be kept for ever.
    """
    check_size(len(content))
    return _of_pdf(content) if b"%PDF-" in content[:1024] else _of_image(content)


def check_size(size: int) -> None:
    """Refuse a file that is too large, before it is read."""
    if size > MOST_BYTES:
        raise _invalid("too_large", says("Must not be larger than {limit} MiB.", limit=MOST_BYTES >> 20))


def under(content: bytes, letterhead: bytes) -> bytes:
    """Lay a letterhead under each page: its first page under the first, its last under all others.

    Everything else stays: the metadata, the colour profile and the files inside.
    """
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.pdf_header = "%PDF-1.7"
    forms = [_form(writer, page) for page in PdfReader(io.BytesIO(letterhead)).pages]
    for number, page in enumerate(writer.pages):
        index = min(number, len(forms) - 1)
        _lay(writer, page, f"/Letterhead{index + 1}", forms[index])
    _drop_hints(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _form(writer: "PdfWriter", page: Any) -> Any:
    """A page as a drawing that other pages can show, kept once."""
    from pypdf.generic import ArrayObject, DecodedStreamObject, FloatObject, NameObject, NumberObject

    form = DecodedStreamObject()
    contents = page.get_contents()
    form.set_data(contents.get_data() if contents is not None else b"")
    packed = form.flate_encode()
    box, (width, height) = page.mediabox, (side / _POINT_MM for side in A4_MM)
    scale = [width / float(box.width), height / float(box.height)]
    matrix = [scale[0], 0, 0, scale[1], -float(box.left) * scale[0], -float(box.bottom) * scale[1]]
    packed.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/FormType"): NumberObject(1),
            NameObject("/BBox"): ArrayObject([FloatObject(value) for value in box]),
            NameObject("/Matrix"): ArrayObject([FloatObject(round(value, 6)) for value in matrix]),
        }
    )
    for name in ("/Resources", "/Group"):
        if name in page:
            packed[NameObject(name)] = page[name].get_object().clone(writer)
    return writer._add_object(packed)


def _lay(writer: "PdfWriter", page: Any, name: str, form: Any) -> None:
    from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject

    resources = page["/Resources"].get_object()
    if "/XObject" not in resources:
        resources[NameObject("/XObject")] = DictionaryObject()
    resources["/XObject"].get_object()[NameObject(name)] = form
    first = DecodedStreamObject()
    first.set_data(f"q {name} Do Q\n".encode())
    contents = page.get_object().raw_get("/Contents")
    others = contents if isinstance(contents, ArrayObject) else [contents]
    page[NameObject("/Contents")] = ArrayObject([writer._add_object(first), *others])


def _drop_hints(writer: "PdfWriter") -> None:
    """Drop hints about images that PDF/A does not allow. Source: ISO 19005-3, 6.2.8."""
    for item in writer._objects:
        if isinstance(item, dict) and item.get("/Subtype") == "/Image":
            for name in ("/Interpolate", "/Alternates", "/OPI"):
                item.pop(name, None)


def _of_pdf(content: bytes) -> Letterhead:
    from pypdf import PdfReader

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Letterhead(content, _pages(PdfReader(io.BytesIO(content))))
    except Invalid:
        raise
    except Exception:  # noqa: BLE001 - it reads files of any program, and what it raises is not listed
        raise _invalid("unreadable", says("The file cannot be read. Save it as a PDF again.")) from None


def _pages(reader: "PdfReader") -> int:
    """The number of pages of a PDF that can be kept."""
    if reader.is_encrypted:
        raise _not_archivable([Word("encryption")])
    count = len(reader.pages)
    if not 1 <= count <= MOST_PAGES:
        raise _invalid("too_many_pages", says("Must have one or two pages."))
    for page in reader.pages:
        sides = float(page.mediabox.width) * _POINT_MM, float(page.mediabox.height) * _POINT_MM
        is_off = any(abs(side - wanted) > OFF_MM for side, wanted in zip(sides, A4_MM, strict=True))
        if is_off or page.get("/Rotate", 0) % 360 or page.get("/UserUnit", 1) != 1:
            raise _not_a4()
    if reasons := list(dict.fromkeys(_faults(reader))):
        raise _not_archivable(reasons)
    return count


def _faults(reader: "PdfReader") -> Iterator[Sentence | Word]:
    """The reasons why a PDF cannot be archived, in the order in which they are found."""
    drawn: list[bytes] = []
    for item in _objects(reader):
        if any(name in item for name in _SCRIPTS) or item.get("/S") in ("/JavaScript", "/Launch"):
            yield Word("scripts")
        if item.get("/Type") == "/Font" and _lacks_file(item):
            yield says("font {name}, which is not embedded", name=str(item.get("/BaseFont", "/?")).removeprefix("/"))
        if any(_is_cmyk(item.get(name)) for name in ("/ColorSpace", "/CS")):
            yield Word("CMYK colours")
        if _is_content(item):
            drawn.append(_unpacked(item, drawn))
    contents = (page.get_contents() for page in reader.pages)
    drawn += [_unpacked(content, drawn) for content in contents if content is not None]
    if any(map(_CMYK.search, drawn)):
        yield Word("CMYK colours")


def _unpacked(content: Any, drawn: list[bytes]) -> bytes:
    data: bytes = content.get_data()
    if sum(map(len, drawn)) + len(data) > MOST_UNPACKED:
        raise _invalid("too_large", _TOO_MUCH)
    return data


_TOO_MUCH = says("The file unpacks to too much. Simplify it.")


def _objects(reader: "PdfReader") -> Iterator[Any]:
    """Every dictionary that the pages and the catalogue lead to, each once."""
    pending: list[Any] = [reader.trailer["/Root"]]
    seen: set[object] = set()
    steps = 0
    while pending:
        item = pending.pop()
        reference = getattr(item, "idnum", None)
        if reference is not None:
            if reference in seen:
                continue
            seen.add(reference)
            item = item.get_object()
        steps += 1
        if steps > 50 * MOST_OBJECTS or len(seen) > MOST_OBJECTS:
            raise _invalid("too_large", _TOO_MUCH)
        if isinstance(item, dict):
            yield item
            pending += [item.raw_get(name) for name in item]  # type: ignore[attr-defined]  # of pypdf's own kind
        elif isinstance(item, list):
            pending += list.__iter__(item)


def _lacks_file(font: Any) -> bool:
    """Whether the letters of a font are not in the file; a composite font has them in its descendant."""
    if font.get("/Subtype") in ("/Type0", "/Type3"):
        return False
    descriptor = font.get("/FontDescriptor")
    described = descriptor.get_object() if descriptor is not None else {}
    return not any(name in described for name in ("/FontFile", "/FontFile2", "/FontFile3"))


def _is_cmyk(space: Any) -> bool:
    """Whether a colour space, or one of several by their names, is CMYK or falls back to it."""
    space = space.get_object() if space is not None and hasattr(space, "get_object") else space
    if isinstance(space, dict):
        return any(_is_cmyk(space[name]) for name in space)
    if isinstance(space, list) and space:
        if space[0] == "/ICCBased":
            return bool(space[1].get_object().get("/N") == 4)
        return any(_is_cmyk(part) for part in space[1:3] if not isinstance(part, (int, float, bytes)))
    return space in ("/DeviceCMYK", "/CMYK")


def _is_content(item: Any) -> bool:
    """Whether a dictionary is a stream of drawing operators of its own: a form, or the tile of a pattern."""
    return hasattr(item, "get_data") and (item.get("/Subtype") == "/Form" or item.get("/PatternType") == 1)


def _of_image(content: bytes) -> Letterhead:
    """A page of an image: PNG or JPEG, as high as A4 is to its width."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(content), formats=["PNG", "JPEG"]) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise _invalid("too_large", says("Must not have more than {limit} pixels.", limit=MOST_PIXELS))
                if image.mode == "CMYK":
                    raise _not_archivable([Word("CMYK colours")])
                if abs(image.height / image.width - A4_MM[1] / A4_MM[0]) > 0.03:
                    raise _not_a4()
                return Letterhead(_page_of(image), 1)
    except Image.DecompressionBombError:
        raise _invalid("too_large", says("Must not have more than {limit} pixels.", limit=MOST_PIXELS)) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Warning):
        raise _invalid("unreadable", says("This is no PDF, PNG or JPEG file.")) from None


def _page_of(image: Any) -> bytes:
    """A PDF with an image over its whole page; what can be seen through is white."""
    from PIL import Image

    from erp.kernel.paper.pdf import blank

    flat = image.convert("RGBA") if image.mode in ("P", "LA", "RGBA", "PA") else image.convert("RGB")
    if flat.mode == "RGBA":
        white = Image.new("RGB", flat.size, (255, 255, 255))
        white.paste(flat, mask=flat.getchannel("A"))
        flat = white
    pdf = blank(archived=True)
    pdf.set_auto_page_break(False)
    kept = io.BytesIO()
    flat.save(kept, "JPEG", quality=90) if image.format != "PNG" else flat.save(kept, "PNG")
    pdf.image(kept, 0, 0, *A4_MM)
    return bytes(pdf.output())


def _invalid(code: str, message: Sentence) -> Invalid:
    return Invalid.one("file", code, message)


def _not_archivable(reasons: list[Sentence | Word]) -> Invalid:
    found = Listed.of(reasons, "and")
    message = says("This file cannot be kept in an archive: it has {reasons}. Save it as PDF/A.", reasons=found)
    return _invalid("not_archivable", message)


def _not_a4() -> Invalid:
    return _invalid("not_a4", says("Must be an upright page of A4, 210 × 297 mm."))
