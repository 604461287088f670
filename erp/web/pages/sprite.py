"""The icons of the pages: one file of those that are used, made of Lucide's."""

from collections.abc import Iterable
from importlib.resources import files
from io import BytesIO

_SVG = "http://www.w3.org/2000/svg"


def source() -> bytes:
    """The drawings of all icons of Lucide."""
    return (files("lucide") / "lucide.zip").read_bytes()


def sprite(names: Iterable[str]) -> bytes:
    """An SVG with a symbol for each name; a name that Lucide does not have is a `KeyError`."""
    from xml.etree import ElementTree  # only once a browser asks for icons: the start is quicker without them
    from zipfile import ZipFile

    ElementTree.register_namespace("", _SVG)
    root = ElementTree.Element(f"{{{_SVG}}}svg")
    with ZipFile(BytesIO(source())) as icons:
        for name in names:
            drawing = ElementTree.fromstring(icons.read(f"{name}.svg"))
            symbol = ElementTree.SubElement(root, f"{{{_SVG}}}symbol", id=name, viewBox="0 0 24 24")
            symbol.extend(drawing)
    return ElementTree.tostring(root).replace(b"\n  ", b"").replace(b"\n", b"")
