"""Figures as the scenario writes them: an amount, a share of one, or one by lot that is the same each time."""

import re
from hashlib import sha256

_ABOUT = re.compile(r"(\d+\.\d\d) ± (\d+) %")
_RANGE = re.compile(r"(-?\d+) to (-?\d+)")
_SHARE = re.compile(r"(\d+(?:\.\d+)?) % of (\d+\.\d\d)")


def pick(low: int, high: int, *name: object) -> int:
    """A number from `low` to `high`, both included: a hash of the name of what it is for."""
    digits = sha256("/".join(map(str, name)).encode()).digest()
    return low + int.from_bytes(digits[:8], "big") % (high - low + 1)


def between(text: str, *name: object) -> int:
    """A number from a range such as `30 to 50`."""
    low, high = text.split(" to ")
    return pick(int(low), int(high), *name)


def figure(text: str, *name: object) -> str:
    """The figure of a pattern; any other text unchanged."""
    if about := _ABOUT.fullmatch(text):
        amount, percent = cents(about[1]), int(about[2])
        return money(amount + amount * pick(-percent * 10, percent * 10, *name) // 1000)
    if _RANGE.fullmatch(text):
        return str(between(text, *name))
    if share := _SHARE.fullmatch(text):
        return money(round(cents(share[2]) * round(float(share[1]) * 100) / 10_000))
    return text


def money(cents: int) -> str:
    """An amount as requests write it."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def cents(amount: str) -> int:
    """The cents of an amount with two decimals, as answers write it."""
    return int(amount.replace(".", ""))
