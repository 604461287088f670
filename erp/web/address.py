"""Postal addresses of contacts and other parties, as they are sent, kept (JSON) and shown."""

from collections.abc import Mapping
from typing import Any

import msgspec

from erp.web.scalars import Country, Line
from erp.web.schema import Body, View


class Address(Body):
    """A postal address."""

    line1: Line | None = None
    line2: Line | None = None
    city: Line | None = None
    region: Line | None = None
    postal_code: Line | None = None
    country: Country | None = None

    def kept(self) -> dict[str, Any]:
        """The parts that are given, as the file keeps them."""
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
    def of(cls, kept: Mapping[str, Any] | None) -> "AddressView | None":
        """The view of what the file keeps; None when there is nothing."""
        return cls(**kept) if kept else None
