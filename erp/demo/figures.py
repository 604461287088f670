"""Figures that look random and are always the same: each is a hash of the name of what it is for."""

from hashlib import sha256


def pick(low: int, high: int, *name: object) -> int:
    """A number from `low` to `high`, both included, by what it is for."""
    digits = sha256("/".join(map(str, name)).encode()).digest()
    return low + int.from_bytes(digits[:8], "big") % (high - low + 1)


def about(cents: int, percent: int, *name: object) -> int:
    """An amount that is up to `percent` more or less, by what it is for."""
    return cents + cents * pick(-percent * 10, percent * 10, *name) // 1000


def money(cents: int) -> str:
    """An amount as requests write it."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def cents(amount: str) -> int:
    """The cents of an amount with two decimals, as answers write it."""
    return int(amount.replace(".", ""))
