"""Messages about several records: all of them are composed and stored, or none."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from erp.kernel.errors import Complaint, Invalid, NotFound, Refusal, SampleData
from erp.kernel.language import Sentence, says
from erp.mail.settings import MailNotSetUp

Item = TypeVar("Item")
Done = TypeVar("Done")

Said = Callable[[int, Item, Refusal], Iterable[Complaint]]
"""The complaints about an item, by its place from 0."""


def each(items: Iterable[Item], do: Callable[[Item], Done], said: Said[Item]) -> list[Done]:
    """Do the same with each item.

    Raises:
        Invalid: some are refused, with the complaints about all of them.
        MailNotSetUp, SampleData: whatever the item, it is refused.
    """
    done: list[Done] = []
    complaints: list[Complaint] = []
    for place, item in enumerate(items):
        try:
            done.append(do(item))
        except (MailNotSetUp, SampleData):
            raise
        except Refusal as refusal:
            complaints += said(place, item, refusal)
    if complaints:
        raise Invalid(complaints)
    return done


def in_rows(field: str, name_of: Callable[[Item], str | None] = lambda _: None) -> Said[Item]:
    """Complaints that name the row of a list of ids, and the name that the item has for people."""

    def said(place: int, item: Item, refusal: Refusal) -> list[Complaint]:
        if isinstance(refusal, NotFound):
            return [Complaint(f"{field}[{place}]", "unknown_reference", refusal.message)]
        first = refusal.details[0] if isinstance(refusal, Invalid) else refusal
        return [Complaint(f"{field}[{place}]", first.code, _named(name_of(item), first.message))]

    return said


def _named(name: str | None, problem: Sentence) -> Sentence:
    return problem if name is None else says("{name}: {problem}", name=name, problem=problem)
