"""Refusals of a receiver's answer; the areas whose documents ask for one raise them."""

from erp.kernel.errors import Refusal


class Superseded(Refusal):
    """There is a newer version of {number}. Ask the sender for its link."""


class OfferEnded(Refusal):
    """{number} was valid until {day}. Ask the sender for a new offer."""

    code = "quote_expired"


class TwoAlternatives(Refusal):
    """Two alternatives to the same line are chosen. Choose one of them."""

    status = 422
