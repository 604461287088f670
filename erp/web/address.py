"""Postal addresses of contacts and other parties, as they are sent, stored (JSON) and shown."""

from collections.abc import Mapping
from typing import Any

from erp.web.scalars import Line
from erp.web.schema import Texts, View
from erp.web.text_scalars import AddressCountry


class Address(Texts):
    """A postal address."""

    line1: Line | None = None
    line2: Line | None = None
    city: Line | None = None
    region: Line | None = None
    postal_code: Line | None = None
    country: AddressCountry | None = None


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


def lines(stored: Mapping[str, Any] | None, home: str | None) -> list[str]:
    """A stored address as it is printed; its country only where that is another than the office's."""
    parts = stored or {}
    town = " ".join(parts[part] for part in ("postal_code", "city") if parts.get(part))
    abroad = parts.get("country") if parts.get("country") != home else None
    return [line for line in (parts.get("line1"), parts.get("line2"), town, parts.get("region"), abroad) if line]
