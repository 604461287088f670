"""Pages of other sites: none by default; those that the administrator names, with a bearer token only."""

from pathlib import Path

import pytest

from erp.kernel.config import BadOption, load
from tests.conftest import Installation

SITE = "https://app.example.com"
ASKING = {"Origin": SITE, "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization"}


@pytest.fixture
def shared(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "shared", allowed_origins=(SITE,))


def about_origins(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name.lower().startswith("access-control")}


def test_without_the_option_no_answer_speaks_of_origins(installation: Installation) -> None:
    answer = installation.call("OPTIONS", "/finance/contacts", headers=ASKING)
    assert (answer.status_code, about_origins(answer.headers)) == (403, {})
    olga = installation.office("Olga")
    answer = olga.call("GET", "/finance/contacts", headers={"Origin": SITE})
    assert (answer.status_code, about_origins(answer.headers)) == (200, {})


def test_a_named_site_may_ask_what_it_may_send(shared: Installation) -> None:
    answer = shared.call("OPTIONS", "/finance/contacts", headers=ASKING)
    assert (answer.status_code, answer.content) == (204, b"")
    told = about_origins(answer.headers)
    assert told["access-control-allow-origin"] == SITE
    assert {"GET", "POST", "PATCH", "DELETE"} <= set(told["access-control-allow-methods"].split(", "))
    sent = {"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "x-workspace-id"}
    assert sent <= set(told["access-control-allow-headers"].split(", "))
    assert "access-control-allow-credentials" not in told
    assert answer.headers["Vary"] == "Origin"


def test_a_named_site_uses_the_api_with_a_token_and_reads_the_answer(shared: Installation) -> None:
    olga = shared.office("Olga")
    body = {"name": "Initech", "kind": "customer"}
    answer = olga.call("POST", "/finance/contacts", body, headers={"Origin": SITE, "Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 201
    told = about_origins(answer.headers)
    assert told["access-control-allow-origin"] == SITE
    shown = {"ETag", "Location", "X-Request-Id", "Retry-After", "Idempotent-Replayed"}
    assert shown <= set(told["access-control-expose-headers"].split(", "))
    refused = olga.call("POST", "/finance/contacts", {}, headers={"Origin": SITE})
    assert refused.status_code == 422
    assert refused.headers["Access-Control-Allow-Origin"] == SITE


@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_a_named_site_never_acts_with_the_cookie(shared: Installation, verb: str) -> None:
    olga = shared.office("Olga")
    headers = {"Origin": SITE, "Sec-Fetch-Site": "cross-site", "Cookie": f"{shared.cookie()}={olga.token}"}
    answer = shared.call(verb, "/finance/contacts", headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "cross_site")
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "http://app.example.com", f"{SITE}:8443", "null", ""])
def test_any_other_site_is_told_nothing(shared: Installation, origin: str) -> None:
    answer = shared.call("OPTIONS", "/finance/contacts", headers={**ASKING, "Origin": origin})
    assert (answer.status_code, about_origins(answer.headers)) == (403, {})


@pytest.mark.parametrize("value", ["*", "null", "https://*.example.com", "NULL"])
def test_the_option_names_one_site_at_a_time(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadOption, match="would let in any site"):
        load({"data_dir": str(tmp_path), "allowed_origins": [value]}, {})


def test_the_option_can_be_repeated(tmp_path: Path) -> None:
    flags = {"data_dir": str(tmp_path), "allowed_origins": [SITE, "http://LOCALHOST:3000/"]}
    assert load(flags, {}).allowed_origins == (SITE, "http://localhost:3000")
    environ = {"ERP_ALLOWED_ORIGIN": f"{SITE}:443, http://localhost:3000"}
    assert load({"data_dir": str(tmp_path)}, environ).allowed_origins == (SITE, "http://localhost:3000")


def test_a_cookie_jar_is_told_what_to_send(installation: Installation) -> None:
    olga = installation.office("Olga")
    answer = installation.call(
        "POST", "/finance/contacts", {}, headers={"Cookie": f"{installation.cookie()}={olga.token}"}
    )
    assert answer.status_code == 403
    error = answer.json["error"]
    assert error["code"] == "cross_site"
    assert "`Origin`" in error["message"]
    assert "bearer token" in error["message"]
