from pathlib import Path

import pytest

from erp.kernel.config import Config
from erp.web import hosts
from erp.web.hosts import HostPolicy, allowed, link_base, split

NAMES = {"localhost", "127.0.0.1", "::1", "desk", "desk.local", "192.168.1.5", "fe80::1"}

VECTORS = [
    ("localhost:8420", True),
    ("LocalHost:8420", True),
    ("127.0.0.1:8420", True),
    ("[::1]:8420", True),
    ("[0:0:0:0:0:0:0:1]:8420", True),
    ("desk:8420", True),
    ("desk.local:8420", True),
    ("192.168.1.5:8420", True),
    ("[fe80::1]:8420", True),
    ("localhost", False),
    ("localhost:80", False),
    ("localhost:8421", False),
    ("localhost:", False),
    ("localhost:08420x", False),
    ("localhost:-8420", False),
    ("evil.example:8420", False),
    ("localhost.evil.example:8420", False),
    ("localhost, evil.example", False),
    ("localhost:8420, localhost:8420", False),
    ("localhost@evil.example:8420", False),
    ("evil.example@localhost:8420", False),
    ("http://localhost:8420", False),
    ("localhost:8420/", False),
    ("localhost:8420\n", False),
    (" localhost:8420", False),
    ("localhost.:8420", False),
    ("127.0.0.1.:8420", False),
    ("127.1:8420", False),
    ("2130706433:8420", False),
    ("::1:8420", False),
    ("[::1]", False),
    ("[::1%eth0]:8420", False),
    ("[localhost]:8420", False),
    ("lоcalhost:8420", False),  # a Cyrillic letter
    ("localhost:８４２０", False),
    ("", False),
    (None, False),
]


@pytest.mark.parametrize(("header", "passes"), VECTORS)
def test_only_names_of_this_computer_with_the_bound_port_pass(header, passes):
    assert allowed(header, 8420, NAMES) is passes


def test_the_port_may_go_unsaid_when_it_is_the_usual_one():
    assert allowed("localhost", 80, NAMES)


@pytest.mark.parametrize(
    ("header", "passes"),
    [
        ("erp.example.com", True),
        ("ERP.example.com:443", True),
        ("erp.example.com:80", False),
        ("erp.example.com:8420", False),
        ("www.erp.example.com", False),
        ("localhost:8420", True),
    ],
)
def test_behind_a_proxy_the_public_name_passes_too(header, passes):
    assert allowed(header, 8420, NAMES, "https://erp.example.com") is passes


def test_a_host_is_read_as_name_and_port():
    assert split("[FE80::0:1]:8420") == ("fe80::1", 8420)
    assert split("a" * 254 + ":1") is None


def test_the_owner_may_add_names(tmp_path):
    policy = HostPolicy(Config(data_dir=tmp_path, allowed_hosts=("books.example", "fd00::0:1")), names=set)
    assert policy.allows("books.example:8420", 8420)
    assert policy.allows("[fd00::1]:8420", 8420)
    assert not policy.allows("other.example:8420", 8420)


def test_new_addresses_of_this_computer_are_noticed_within_a_minute(tmp_path):
    now, addresses = [0.0], {"192.168.1.5"}
    policy = HostPolicy(Config(data_dir=tmp_path), names=lambda: set(addresses), clock=lambda: now[0])
    assert policy.allows("192.168.1.5:1", 1)
    addresses |= {"10.0.0.9"}
    now[0] = 59.9
    assert not policy.allows("10.0.0.9:1", 1)
    now[0] = 60.0
    assert policy.allows("10.0.0.9:1", 1)


def test_this_computer_knows_itself(tmp_path, monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Desk.office.example")
    policy = HostPolicy(Config(data_dir=tmp_path))
    for name in ("localhost", "127.0.0.1", "desk.local", "desk.office.example"):
        assert policy.allows(f"{name}:8420", 8420)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "http://127.0.0.1:8420"),
        ({"host": "0.0.0.0", "lan": True}, "http://192.168.1.5:8420"),
        ({"host": "10.0.0.2", "lan": True}, "http://10.0.0.2:8420"),
        ({"host": "fd00::2", "lan": True}, "http://[fd00::2]:8420"),
        ({"public_url": "https://erp.example.com", "lan": True}, "https://erp.example.com"),
    ],
)
def test_links_name_the_widest_address(monkeypatch, settings, expected):
    monkeypatch.setattr(hosts, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.2"])
    assert link_base(Config(data_dir=Path("/office"), **settings)) == expected


def test_the_addresses_that_others_can_reach_are_listed_once(monkeypatch):
    routed = hosts.lan_addresses()[:1]
    found = ["127.0.0.1", "169.254.1.1", "fe80::1", "10.9.8.7", "0.0.0.0", "10.9.8.7", *routed]
    monkeypatch.setattr(hosts, "own_addresses", lambda: found)
    assert hosts.lan_addresses() == [*routed, "10.9.8.7"]


def test_without_a_network_links_name_this_computer(monkeypatch):
    monkeypatch.setattr(hosts, "lan_addresses", list)
    assert link_base(Config(data_dir=Path("/office"), host="0.0.0.0", lan=True)) == "http://127.0.0.1:8420"
