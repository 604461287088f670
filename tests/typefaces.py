"""Typefaces that tests make, with the letters that they need."""

from pathlib import Path

from erp.kernel.paper.typefaces import joined


def typeface(path: Path, letters: str) -> Path:
    """A typeface with these letters, alone and joined, each a box."""
    from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped]
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]

    pen = TTGlyphPen(None)
    for number, point in enumerate([(50, 0), (50, 700), (450, 700), (450, 0)]):
        pen.lineTo(point) if number else pen.moveTo(point)
    pen.closePath()
    box = pen.glyph()
    points = sorted({ord(letter) for letter in letters + joined(letters)})
    names = [".notdef", *(f"u{point:04X}" for point in points)]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(points, names[1:], strict=True)))
    builder.setupGlyf(dict.fromkeys(names, box))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": path.stem, "styleName": "Regular"})
    builder.setupOS2(fsType=0)
    builder.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)
    return path
