"""Reminders on the home page: the letters that are due today."""

from erp.finance.dunning import outlines
from erp.kernel import caller
from erp.store import workspace_settings
from erp.web.schema import View


class RemindersToMakeView(View):
    """Letters that are due today, one for a customer and a currency."""

    letter_count: int
    customer_count: int


def to_make() -> RemindersToMakeView | None:
    """The letters that the caller may make; None where none is due."""
    if not caller.may("finance.write"):
        return None
    letters, _ = outlines.of(workspace_settings.today())
    if not letters:
        return None
    return RemindersToMakeView(letter_count=len(letters), customer_count=len({each.contact_id for each in letters}))
