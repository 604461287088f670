"""The code that leads a telephone to this server."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from erp.web import hosts
from tests.conftest import Installation, Office


@pytest.fixture
def of_lan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.2"])


@pytest.mark.usefixtures("of_lan")
@pytest.mark.parametrize(
    ("settings", "address"),
    [
        ({"host": "0.0.0.0", "lan": True}, "http://192.168.1.5:8420"),
        ({"host": "10.0.0.2", "lan": True}, "http://10.0.0.2:8420"),
        ({"host": "0.0.0.0", "lan": True, "public_url": "https://erp.example.com"}, "https://erp.example.com"),
        ({"public_url": "https://erp.example.com"}, "https://erp.example.com"),
    ],
)
def test_the_admin_is_shown_the_address_that_others_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], address: str
) -> None:
    monkeypatch.setattr("erp.auth.setup.is_local", lambda req: True)
    olga = Installation(tmp_path / "data", **settings).newcomer("Olga")
    answer = olga.call("GET", "/system/qr")
    assert answer.headers["content-type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.content)
    assert drawing.findtext("{http://www.w3.org/2000/svg}title") == address
    assert drawing.find("{http://www.w3.org/2000/svg}path") is not None


def test_there_is_none_when_the_server_is_not_shared(acme: Office) -> None:
    error = acme.refused("GET", "/system/qr", status=404, code="not_found")
    assert "--lan" in error["message"]


def test_it_is_for_the_admin_alone(acme: Office) -> None:
    acme.colleague("admin").refused("GET", "/system/qr", status=403, code="forbidden")
