from tests.conftest import Office


def test_the_list_shows_the_usual_currency_and_time_zone_of_each_country(acme: Office) -> None:
    countries = {country["code"]: country for country in acme.ok("GET", "/workspace/countries")}
    assert len(countries) == 249
    assert countries["DE"] == {"code": "DE", "currency": "EUR", "timeZone": "Europe/Berlin"}
    assert countries["JP"] == {"code": "JP", "currency": "JPY", "timeZone": "Asia/Tokyo"}
    assert countries["BV"]["timeZone"] is None


def test_a_workspace_can_be_created_with_the_values_of_each_country(acme: Office) -> None:
    for country in acme.ok("GET", "/workspace/countries")[::25]:
        code, zone = country["code"], country["timeZone"] or "UTC"
        usual = {"country": code, "baseCurrency": country["currency"], "timeZone": zone}
        made = acme.ok("POST", "/workspace", {"name": code, **usual})
        assert {name: made[name] for name in usual} == usual
