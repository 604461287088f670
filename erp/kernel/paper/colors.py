"""Colours on paper."""


def contrast_to_white(color: str) -> float:
    """The contrast of a colour, #rrggbb, to white paper, from 1 to 21. Source: WCAG 2.2, relative luminance."""
    shares = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def is_legible(color: str) -> bool:
    """Whether text of a colour can be read on white. Source: WCAG 2.2, success criterion 1.4.3: at least 4.5."""
    return contrast_to_white(color) >= 4.5


def contrast_text(color: str) -> str:
    """The contrast to white with two decimals, rounded down."""
    return f"{int(contrast_to_white(color) * 100) / 100:.2f}"
