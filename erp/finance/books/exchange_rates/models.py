"""The table of exchange rates."""

from typing import Literal

from peewee import IntegerField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord
from erp.store.rows import DayField

Source = Literal["manual", "ecb"]
"""Source of a rate: `ecb` is a file of the European Central Bank."""


class ExchangeRate(WorkspaceRecord):
    """The value of 1 unit of a currency in the base currency on a day, times `RATE_SCALE`.

    It names the base currency, which may change while nothing is posted; rates in another one are out of use.
    """

    noun = Noun("exchange rate")

    base_currency = TextField()
    currency = TextField()
    date = DayField()
    rate = IntegerField()
    source = TextField(default="manual")
