from tests.conftest import Office


def test_whoever_makes_a_workspace_is_told_what_is_usual_in_each_country(acme: Office) -> None:
    countries = {each["code"]: each for each in acme.ok("GET", "/workspace/countries")}
    assert len(countries) == 249
    assert countries["DE"] == {"code": "DE", "currency": "EUR", "timeZone": "Europe/Berlin"}
    assert countries["JP"] == {"code": "JP", "currency": "JPY", "timeZone": "Asia/Tokyo"}
    assert countries["BV"]["timeZone"] is None


def test_a_workspace_can_be_made_of_each_proposal_of_the_list(acme: Office) -> None:
    for each in acme.ok("GET", "/workspace/countries")[::25]:
        proposal = {"country": each["code"], "baseCurrency": each["currency"], "timeZone": each["timeZone"] or "UTC"}
        made = acme.ok("POST", "/workspace", {"name": each["code"], **proposal})
        assert {name: made[name] for name in proposal} == proposal
