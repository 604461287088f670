"""Creating workspaces, listing them, archiving them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from erp.finance.books import default_accounts
from erp.finance.books.chart import STANDARD
from erp.finance.books.models import Account
from erp.finance.contacts.models import TaxRate
from erp.kernel import config
from erp.store import control
from erp.store.control import Workspace
from tests.conftest import Installation

UNKNOWN = "01890000-0000-7000-8000-000000000000"


def test_the_user_who_creates_a_workspace_owns_it(acme):
    made = acme.ok("POST", "/workspace", {"name": "Branch"})
    assert (made["name"], made["role"], made["status"]) == ("Branch", "owner", "active")
    assert acme.ok("GET", f"/workspace/{made['id']}") == made


def test_the_answer_has_the_location_and_the_version_of_the_new_workspace(acme):
    answer = acme.call("POST", "/workspace", {"name": "Branch"})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/v1/workspace/{answer.json['data']['id']}"
    assert answer.headers["ETag"] == '"1"'


def test_a_new_workspace_has_the_standard_chart_with_its_default_accounts(acme):
    with acme.books():
        assert {row.code: row.name for row in Account.select()} == {seed.code: seed.name for seed in STANDARD}
        keys = default_accounts.by_key()
        assert Account.find(keys["receivable"]).code == "1100"
        assert {row.created_by for row in Account.select()} == {acme.user["id"]}
    assert set(keys) == {seed.system_key for seed in STANDARD if seed.system_key}
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["defaultAccounts"] == keys


def test_a_new_workspace_has_its_countrys_currency_and_percentages(installation):
    office = installation.office("Dora", country="DE", chartTemplate="standard")
    with office.books():
        rates = [(row.category, row.rate) for row in TaxRate.select().order_by(TaxRate.id)]
        assert not TaxRate.select().where(TaxRate.is_default).exists()
    percentages = [("S", 19_000_000), ("S", 7_000_000)]
    assert rates == [("O", 0), ("Z", 0), ("E", 0), ("AE", 0), *percentages]
    assert office.ok("GET", f"/workspace/{office.workspace_id}")["baseCurrency"] == "EUR"
    assert installation.office("Jun", country="JP").ok("GET", "/workspace")[0]["name"] == "Jun's office"


@pytest.mark.parametrize(
    ("sent", "currency"),
    [({}, "EUR"), ({"country": "JP"}, "JPY"), ({"country": "JP", "baseCurrency": "USD"}, "USD")],
)
def test_the_currency_is_the_one_that_is_sent_else_the_countrys_else_the_euro(acme, sent, currency):
    assert acme.ok("POST", "/workspace", {"name": "Branch", **sent})["baseCurrency"] == currency


def test_the_time_zone_is_the_countrys_when_the_user_has_none(acme):
    assert acme.ok("POST", "/workspace", {"name": "Rio", "country": "BR"})["timeZone"] == "America/Sao_Paulo"
    assert acme.ok("POST", "/workspace", {"name": "Nowhere"})["timeZone"] == "UTC"


def test_the_time_zone_is_the_users_own_unless_one_is_sent(acme):
    acme.ok("PATCH", "/auth/me", {"timeZone": "Pacific/Auckland"})
    assert acme.ok("POST", "/workspace", {"name": "South"})["timeZone"] == "Pacific/Auckland"
    assert acme.ok("POST", "/workspace", {"name": "Mid", "timeZone": "UTC"})["timeZone"] == "UTC"


def test_a_workspace_starts_with_everything_that_was_sent(acme):
    sent: dict[str, Any] = {
        "legalName": "Acme Ltd",
        "vatId": "GB999999973",
        "taxNumber": "123",
        "fiscalYearStart": "04-06",
        "address": {"line1": "1 High St", "city": "Leeds", "country": "GB"},
    }
    made = acme.ok("POST", "/workspace", {"name": "UK", **sent})
    rest = {"line2": None, "region": None, "postalCode": None}
    assert {name: made[name] for name in sent} == sent | {"address": sent["address"] | rest}


@pytest.mark.parametrize(
    ("sent", "field", "code"),
    [
        ({"name": ""}, "name", "required"),
        ({"vatId": "DE123456789"}, "vatId", "not_a_vat_id"),
        ({"baseCurrency": "EUX"}, "baseCurrency", "unknown_currency"),
        ({"country": "XX"}, "country", "unknown_country"),
        ({"timeZone": "Mars/Base"}, "timeZone", "unknown_time_zone"),
        ({"timeZone": 7}, "timeZone", "wrong_type"),
        ({"fiscalYearStart": "02-29"}, "fiscalYearStart", "not_a_day"),
        ({"fiscalYearStart": "04-31"}, "fiscalYearStart", "not_a_day"),
        ({"chartTemplate": "none"}, "chartTemplate", "not_one_of"),
        ({"address": {"country": "XX"}}, "address.country", "unknown_country"),
        ({"status": "archived"}, "status", "read_only"),
    ],
)
def test_a_workspace_is_not_created_with_values_that_do_not_exist(acme, sent, field, code):
    error = acme.refused("POST", "/workspace", {"name": "Branch", **sent}, status=422, code="validation_failed")
    assert [(complaint["field"], complaint["code"]) for complaint in error["details"]] == [(field, code)]
    assert len(acme.ok("GET", "/workspace")) == 1


def test_the_same_request_sent_twice_creates_one_workspace(acme):
    headers = {"Idempotency-Key": "once"}
    first = acme.call("POST", "/workspace", {"name": "Branch"}, headers=headers)
    second = acme.call("POST", "/workspace", {"name": "Branch"}, headers=headers)
    assert second.text == first.text
    assert second.headers["Idempotent-Replayed"] == "true"
    assert len(acme.ok("GET", "/workspace")) == 2
    acme.refused("POST", "/workspace", {"name": "Other"}, headers=headers, status=422, code="idempotency_mismatch")
    assert len(acme.ok("GET", "/workspace")) == 2


def test_the_same_request_sent_at_the_same_moment_creates_one_workspace(acme):
    def send(_: int) -> Any:
        return acme.call("POST", "/workspace", {"name": "Branch"}, headers={"Idempotency-Key": "once"}).content

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(send, range(4)))) == 1
    assert len(acme.ok("GET", "/workspace")) == 2


@pytest.mark.parametrize("registration", ["invite", "closed"])
def test_on_a_server_that_is_not_open_only_its_admin_creates_workspaces(acme, registration):
    colleague = acme.colleague("admin")
    restarted = Installation(acme.installation.config.data_dir, registration=registration)
    acme.installation.client = restarted.client
    colleague.refused("POST", "/workspace", {"name": "Mine"}, status=403, code="registration_closed")
    assert acme.call("POST", "/workspace", {"name": "Branch"}).status_code == 201


def test_users_list_only_their_own_workspaces_by_name_with_their_role(acme, stranger):
    acme.ok("POST", "/workspace", {"name": "Aardvark"})
    viewer = acme.colleague("viewer")
    assert [row["name"] for row in acme.ok("GET", "/workspace")] == ["Aardvark", "Olga's office"]
    assert viewer.ok("GET", "/workspace") == [
        {
            "id": acme.workspace_id,
            "name": "Olga's office",
            "status": "active",
            "role": "viewer",
            "lacksTwoFactor": False,
            "isSample": False,
        }
    ]
    assert [row["id"] for row in stranger.ok("GET", "/workspace")] == [stranger.workspace_id]


def test_the_list_of_workspaces_comes_in_pages_and_by_status(acme):
    second = acme.ok("POST", "/workspace", {"name": "Aardvark"})
    page = acme.call("GET", "/workspace", params={"limit": "1", "total": "true"}).json
    assert (page["data"][0]["name"], page["page"]["total"]) == ("Aardvark", 2)
    rest = acme.call("GET", "/workspace", params={"limit": "1", "cursor": page["page"]["nextCursor"]}).json
    assert (rest["data"][0]["id"], rest["page"]["nextCursor"]) == (acme.workspace_id, None)
    acme.ok("POST", f"/workspace/{second['id']}/archive")
    assert [row["id"] for row in acme.ok("GET", "/workspace", params={"status": "archived"})] == [second["id"]]


def test_a_named_token_sees_only_its_own_workspace_and_creates_none(acme):
    acme.ok("POST", "/workspace", {"name": "Branch"})
    made = acme.ok("POST", "/auth/tokens", {"name": "script", "workspaceId": acme.workspace_id})
    script = {"Authorization": f"Bearer {made['token']}"}
    assert [row["id"] for row in acme.ok("GET", "/workspace", headers=script)] == [acme.workspace_id]
    acme.refused("POST", "/workspace", {"name": "More"}, headers=script, status=403, code="forbidden")


def test_a_workspace_of_others_looks_like_one_that_does_not_exist(acme, stranger):
    theirs = stranger.refused("GET", f"/workspace/{acme.workspace_id}", status=403, code="not_a_member")
    nobodys = stranger.refused("GET", f"/workspace/{UNKNOWN}", status=403, code="not_a_member")
    assert theirs | {"requestId": ""} == nobodys | {"requestId": ""}
    stranger.refused("GET", "/workspace/nonsense", status=403, code="not_a_member")


def test_a_workspace_that_is_being_created_is_not_visible_yet(acme):
    with config.use(acme.installation.config), control.write():
        Workspace.update(state="creating").execute()
    assert acme.ok("GET", "/workspace") == []
    acme.refused("GET", f"/workspace/{acme.workspace_id}", status=403, code="not_a_member")


def test_the_path_and_the_header_must_name_the_same_workspace(acme, stranger):
    headers = {"x-workspace-id": stranger.workspace_id}
    acme.refused("GET", f"/workspace/{acme.workspace_id}", headers=headers, status=400, code="workspace_conflict")


def test_an_archived_workspace_is_read_but_not_changed_until_it_is_taken_back(acme):
    path = f"/workspace/{acme.workspace_id}"
    archived = acme.ok("POST", f"{path}/archive")
    assert (archived["status"], archived["version"]) == ("archived", 2)
    assert acme.ok("GET", path)["status"] == "archived"
    acme.refused("PATCH", path, {"paymentTermsDays": 7}, status=409, code="workspace_archived")
    acme.refused("POST", "/workspace/invites", {"email": "a@b.de", "role": "hr"}, status=409, code="workspace_archived")
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/unarchive")["status"] == "active"
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    acme.ok("PATCH", path, {"paymentTermsDays": 7})
    types = [event["type"] for event in acme.ok("GET", "/workspace/events")]
    assert types == ["workspace.updated", "workspace.unarchived", "workspace.archived", "workspace.created"]


@pytest.mark.parametrize("action", ["archive", "unarchive"])
def test_only_owners_archive_a_workspace(acme, action):
    acme.colleague("admin").refused("POST", f"/workspace/{acme.workspace_id}/{action}", status=403, code="forbidden")


def test_archiving_checks_the_expected_version(acme):
    path = f"/workspace/{acme.workspace_id}/archive"
    acme.refused("POST", path, headers={"If-Match": '"9"'}, status=412, code="version_mismatch")
    assert acme.call("POST", path, headers={"If-Match": '"1"'}).headers["ETag"] == '"2"'


def test_a_user_creates_at_most_five_workspaces_and_hears_whom_to_ask(acme, stranger):
    for number in range(2, 6):
        stranger.ok("POST", "/workspace", {"name": f"Office {number}"})
    error = stranger.refused("POST", "/workspace", {"name": "Sixth"}, status=403, code="too_many_workspaces")
    assert error["message"] == (
        "You have created 5 workspaces, the limit on this server. Ask the server administrator for more."
    )
    assert len(stranger.ok("GET", "/workspace")) == 5
    acme.ok("POST", "/workspace", {"name": "Of another user"})


def test_workspaces_that_others_created_do_not_count(tmp_path):
    server = Installation(tmp_path / "data", workspaces_per_user=1)
    server.newcomer("Ada")
    olga = server.office("Olga")
    admin = olga.colleague("admin")
    admin.ok("POST", "/workspace", {"name": "Own"})
    admin.refused("POST", "/workspace", {"name": "Second"}, status=403, code="too_many_workspaces")


def test_a_repeated_request_for_the_last_workspace_gets_the_first_answer(tmp_path):
    server = Installation(tmp_path / "data", workspaces_per_user=1)
    server.newcomer("Ada")
    ben, once = server.newcomer("Ben"), {"Idempotency-Key": "once"}
    first = ben.ok("POST", "/workspace", {"name": "Only"}, headers=once)
    assert ben.ok("POST", "/workspace", {"name": "Only"}, headers=once) == first


@pytest.mark.parametrize("limit", [0, 2])
def test_the_limit_is_a_setting_and_an_instance_admin_has_none(tmp_path, limit):
    server = Installation(tmp_path / "data", workspaces_per_user=limit)
    admin, ben = server.newcomer("Ada"), server.newcomer("Ben")
    for person, most in ((admin, 0), (ben, limit)):
        answers = [person.call("POST", "/workspace", {"name": f"Office {n}"}).status_code for n in range(3)]
        assert answers == [201, 201, 201 if most == 0 else 403]


@pytest.mark.parametrize(
    ("settings", "chart"),
    [
        ({"country": "DE"}, "skr04"),
        ({"country": "DE", "chartTemplate": "de-skr03"}, "skr03"),
        ({"country": "DE", "chartTemplate": "standard"}, None),
        ({"country": "AT"}, None),
    ],
)
def test_a_workspace_with_a_german_chart_knows_the_one_of_datev(installation, settings, chart):
    office = installation.office("Greta", **settings)
    assert office.ok("GET", f"/workspace/{office.workspace_id}")["datevChart"] == chart
