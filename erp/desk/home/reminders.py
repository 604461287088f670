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
    found = outlines.count(workspace_settings.today())
    return RemindersToMakeView(letter_count=found.letters, customer_count=found.customers) if found.letters else None
