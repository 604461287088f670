"""Draw the program's icons from the icon of its pages: python packaging/icons.py, with Pillow.

Drawn large and then scaled down, without an SVG or font library, so that the result is the same on every system.
"""

import struct
import sys
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "erp" / "frontend" / "icon.svg"
ICONS = ROOT / "packaging" / "icons"
OF_PAGE = ROOT / "erp" / "frontend" / "icons"
"""The icons of the page as an app on a phone or a computer; its manifest names them."""
FINE = 64
"""Pixels drawn for each unit of the SVG."""
WINDOWS = (16, 24, 32, 48, 64, 256)
MACOS = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic11": 32, b"ic12": 64, b"ic13": 256}
DESKTOP = 256


def main() -> int:
    """Write the icons of the three systems, and those of the page."""
    for path, content in icons().items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        print(f"{path.relative_to(ROOT).as_posix()}: {len(content)} bytes")
    return 0


def icons() -> dict[Path, bytes]:
    """The content of each icon's file."""
    svg = ET.parse(PICTURE).getroot()
    picture = drawn(svg)
    for shape in svg.iter("{http://www.w3.org/2000/svg}rect"):
        shape.attrib["rx"] = "0"  # phones cut the corners themselves
    whole = drawn(svg)
    return {
        ICONS / "erp.png": png(picture, DESKTOP),
        ICONS / "erp.ico": ico(picture),
        ICONS / "erp.icns": icns(picture),
        OF_PAGE / "192.png": png(picture, 192),
        OF_PAGE / "512.png": png(picture, 512),
        OF_PAGE / "whole.png": png(whole, 512),
        OF_PAGE / "touch.png": png(whole, 180),
    }


def drawn(svg: ET.Element) -> Image.Image:
    """Draw the shapes of the SVG: squares, straight lines with round ends, discs."""
    side = int(svg.attrib["viewBox"].split()[2])
    canvas = Image.new("RGBA", (side * FINE, side * FINE))
    pen = ImageDraw.Draw(canvas)
    for shape in svg:
        draw = SHAPES[shape.tag.partition("}")[2]]
        draw(pen, shape.attrib)
    return canvas


def square(pen: ImageDraw.ImageDraw, shape: dict[str, str]) -> None:
    """A rectangle from the top left corner, rounded or not."""
    corner = (int(shape["width"]) * FINE - 1, int(shape["height"]) * FINE - 1)
    pen.rounded_rectangle(((0, 0), corner), int(shape["rx"]) * FINE, fill=shape["fill"])


def lines(pen: ImageDraw.ImageDraw, shape: dict[str, str]) -> None:
    """Horizontal lines: `M9 10h14` goes 14 to the right from there."""
    width = float(shape["stroke-width"]) / 2
    for line in shape["d"].split("M")[1:]:
        start, length = line.split("h")
        x, y = map(float, start.split())
        end = x + float(length)
        pen.rectangle(scaled(x, y - width, end, y + width), fill=shape["stroke"])
        for point in (x, end):
            pen.ellipse(scaled(point - width, y - width, point + width, y + width), fill=shape["stroke"])


def disc(pen: ImageDraw.ImageDraw, shape: dict[str, str]) -> None:
    """A disc."""
    x, y, radius = (float(shape[name]) for name in ("cx", "cy", "r"))
    pen.ellipse(scaled(x - radius, y - radius, x + radius, y + radius), fill=shape["fill"])


SHAPES = {"rect": square, "path": lines, "circle": disc}


def scaled(*coordinates: float) -> list[int]:
    """Coordinates of the SVG on the canvas."""
    return [round(coordinate * FINE) for coordinate in coordinates]


def png(picture: Image.Image, side: int) -> bytes:
    """The picture as a PNG of that width and height."""
    out = BytesIO()
    picture.resize((side, side), Image.Resampling.BOX).save(out, "PNG", optimize=True)
    return out.getvalue()


def ico(picture: Image.Image) -> bytes:
    """The picture in the sizes of Windows: a directory of PNGs."""
    images = [png(picture, side) for side in WINDOWS]
    offset = 6 + 16 * len(images)
    directory = struct.pack("<HHH", 0, 1, len(images))
    for side, image in zip(WINDOWS, images, strict=True):
        directory += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(image), offset)
        offset += len(image)
    return directory + b"".join(images)


def icns(picture: Image.Image) -> bytes:
    """The picture in the sizes of macOS: PNGs, each after its type and length."""
    images = [(kind, png(picture, side)) for kind, side in MACOS.items()]
    body = b"".join(kind + struct.pack(">I", len(image) + 8) + image for kind, image in images)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


if __name__ == "__main__":
    sys.exit(main())
