"""The parts of an accepted quote: what each of them comes to, what is left of it, and what an invoice takes. Pure.

Every amount is net, in minor units, with the sign of its part: an allowance is below zero. Parts are in billionths.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from erp.kernel.money import divide

WHOLE = 1_000_000_000
NEAR = WHOLE // 1_000_000
"""An amount that brings a part within one millionth of the whole takes all that is left."""


class Part(NamedTuple):
    """An accepted line, allowance or charge: its amount, and what live invoices took of it."""

    id: str
    amount: int
    taken: int = 0
    part_taken: int = 0

    @property
    def left(self) -> int:
        """The rest of the amount; nothing where more was taken."""
        rest = self.amount - self.taken
        return rest if rest * self.amount > 0 else 0

    @property
    def part_left(self) -> int:
        return max(WHOLE - self.part_taken, 0)


class Taken(NamedTuple):
    """The amount of a part that an invoice takes."""

    id: str
    part: int
    amount: int


def rest_of(parts: Sequence[Part]) -> list[Taken]:
    """All that is left."""
    return [Taken(each.id, each.part_left, each.left) for each in parts]


def take(whole: Part, part: int, *, force: bool = False) -> Taken:
    """A share of a part, at most its rest; the share that completes it takes all that is left."""
    if abs(whole.part_taken + part - WHOLE) <= NEAR:
        return Taken(whole.id, part, whole.left)
    wanted = divide(whole.amount * part, WHOLE)
    fits = force or abs(wanted) <= abs(whole.left)
    return Taken(whole.id, part, wanted if fits else whole.left)


def is_above(parts: Sequence[Part], wanted: Mapping[str, int]) -> bool:
    """Whether shares, by the ids of parts, are together more than the whole of these parts."""
    weights = [abs(each.amount) for each in parts if each.id in wanted]
    used = sum(abs(each.amount) * (each.part_taken + wanted[each.id]) for each in parts if each.id in wanted)
    return used > sum(weights) * (WHOLE + NEAR)
