"""Postal addresses of contacts and other parties, as they are sent, stored (JSON) and shown."""

from collections.abc import Mapping
from typing import Any

import msgspec

from erp.web.scalars import Line
from erp.web.schema import Body, View
from erp.web.text_scalars import AddressCountry


class Address(Body):
    """A postal address."""

    line1: Line | None = None
    line2: Line | None = None
    city: Line | None = None
    region: Line | None = None
    postal_code: Line | None = None
    country: AddressCountry | None = None

    def kept(self) -> dict[str, Any]:
        """The parts that have a value, as stored."""
        return {name: part for name, part in msgspec.structs.asdict(self).items() if part}


class AddressView(View):
    """A postal address."""

    line1: str | None = None
    line2: str | None = None
    city: str | None = None
    region: str | None = None
    postal_code: str | None = None
    country: str | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "AddressView | None":
        """The view of a stored address; None where there is none."""
        return cls(**stored) if stored else None
