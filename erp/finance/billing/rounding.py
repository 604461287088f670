"""Logged minutes as billed minutes: rounded by log, by person and day, or by line."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from erp.kernel import money

Mode = Literal["nearest", "up", "down"]
Per = Literal["log", "day", "line"]


class Logged(NamedTuple):
    """The minutes of a time log, with its person and day."""

    minutes: int
    user_id: str
    date: str


def rounded(minutes: int, step: int, mode: Mode) -> int:
    """Minutes as a multiple of the step; a tie goes up."""
    if mode == "up":
        return -(-minutes // step) * step
    return (2 * minutes + step) // (2 * step) * step if mode == "nearest" else minutes // step * step


def billed(logs: Sequence[Logged], step: int, per: Per, mode: Mode) -> list[int]:
    """The billed minutes of each log of a line; of a day or line, its share of their rounded sum."""
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, log in enumerate(logs):
        groups[{"log": (str(index),), "day": (log.user_id, log.date), "line": ()}[per]].append(index)
    minutes = [0] * len(logs)
    for indexes in groups.values():
        own = [logs[index].minutes for index in indexes]
        for index, share in zip(indexes, money.spread(rounded(sum(own), step, mode), own), strict=True):
            minutes[index] = share
    return minutes


def hours(minutes: int) -> int:
    """Hours in millionths, to two places: what is printed is multiplied."""
    return money.divide(minutes * 100, 60) * (money.MICRO // 100)
