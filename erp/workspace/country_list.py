"""The countries of workspaces, for a form to choose from."""

from erp.kernel.countries import COUNTRIES, time_zone_of
from erp.web.endpoint import endpoint
from erp.web.schema import View


class CountryView(View):
    """A country, with the currency and time zone of a new workspace there."""

    code: str
    currency: str
    time_zone: str | None


class Collection:
    @endpoint(access="user")
    def on_get(self) -> list[CountryView]:
        """List the countries by their ISO 3166-1 codes, each with its currency and usual time zone.

        `timeZone` is the one in which most of its people live; null where no one lives.
        """
        return [
            CountryView(code=code, currency=currency, time_zone=time_zone_of(code))
            for code, currency in sorted(COUNTRIES.items())
        ]
