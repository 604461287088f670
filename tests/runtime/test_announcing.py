"""A shared server is announced by mDNS: other programs on this computer ask for it, over the loopback interface."""

import socket
import sys
import threading
from contextlib import closing, contextmanager

import pytest

from erp.kernel import config as settings
from erp.kernel.config import Config
from erp.runtime import announcing
from erp.system import info
from erp.web import hosts
from erp.web.hosts import HostPolicy
from tests.servers import wait_for

zeroconf = pytest.importorskip("zeroconf")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is sent to many over loopback")
PORT = 8420
SECONDS = 20.0


@pytest.fixture
def lan(monkeypatch):
    """The addresses of this computer in networks, to be changed by the test."""
    addresses = ["127.0.0.1"]
    monkeypatch.setattr(hosts, "lan_addresses", lambda: list(addresses))
    return addresses


@pytest.fixture
def shared(tmp_path):
    return Config(data_dir=tmp_path, host="0.0.0.0", lan=True, port=PORT)


@contextmanager
def another_computer(address="127.0.0.1"):
    """What another program that speaks mDNS sees."""
    with closing(zeroconf.Zeroconf(interfaces=[address], ip_version=zeroconf.IPVersion.V4Only)) as responder:
        yield responder


def asked(responder, name):
    """The addresses of a name, as the network tells them."""
    resolver = zeroconf.AddressResolverIPv4(f"{name}.")
    resolver.request(responder, 3000)
    return sorted(resolver.parsed_addresses())


@needs_linux
def test_the_network_is_told_the_name_while_the_server_is_shared(lan, shared, monkeypatch):
    monkeypatch.setattr(announcing, "PATIENCE", 300)
    said: list[str] = []
    policy = HostPolicy(shared, names=lambda: {"127.0.0.1"})
    assert not policy.allows("erp.local:8420", PORT)
    with announcing.announced(shared, said.append), another_computer() as other:
        wait_for(lambda: said, SECONDS)
        assert said == ["People on the network can also type http://erp.local:8420"]
        assert asked(other, "erp.local") == ["127.0.0.1"]
        assert policy.allows("erp.local:8420", PORT)
        for foreign in ("erp.local:1", "evil.local:8420", "erp-2.local:8420"):
            assert not policy.allows(foreign, PORT)
        with settings.use(shared):
            assert info.addresses(shared).announced == "http://erp.local:8420"
    wait_for(lambda: PORT not in hosts.ANNOUNCED, SECONDS)
    assert not policy.allows("erp.local:8420", PORT)
    assert info.addresses(shared).announced is None


@needs_linux
def test_a_name_that_another_computer_has_is_not_free(lan):
    kind = "_http._tcp.local."
    address = socket.inet_aton("192.0.2.77")
    taken = zeroconf.ServiceInfo(kind, f"other.{kind}", port=80, addresses=[address], server="erp.local.")
    with another_computer() as other, another_computer() as this:
        other.register_service(taken)
        assert not announcing.is_free("erp.local", this, lan)
        assert announcing.is_free("erp.local", this, ["192.0.2.77"]), "it is this computer"


@needs_linux
def test_the_first_name_that_is_free_is_announced(lan, shared, monkeypatch):
    monkeypatch.setattr(announcing, "is_free", lambda name, *_: name == "erp-2.local")
    with announcing.announced(shared), another_computer() as other:
        wait_for(lambda: PORT in hosts.ANNOUNCED, SECONDS)
        assert hosts.announced_url(shared) == "http://erp-2.local:8420"
        assert asked(other, "erp-2.local") == ["127.0.0.1"]


@needs_linux
def test_other_addresses_of_this_computer_are_announced_too(lan, shared, monkeypatch):
    monkeypatch.setattr(announcing, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(announcing, "is_free", lambda *_: True)
    with announcing.announced(shared):
        wait_for(lambda: PORT in hosts.ANNOUNCED, SECONDS)
        lan[:] = ["127.0.0.1", "127.0.0.2"]
        wait_for(lambda: PORT not in hosts.ANNOUNCED, SECONDS)
        wait_for(lambda: PORT in hosts.ANNOUNCED, SECONDS)
        with another_computer() as other:
            assert asked(other, "erp.local") == ["127.0.0.1", "127.0.0.2"]


@pytest.mark.parametrize(
    "change", [{"lan": False, "host": "127.0.0.1"}, {"no_mdns": True}, {"public_url": "https://erp.example.com"}]
)
def test_nothing_is_announced_that_is_not_to_be(lan, tmp_path, change):
    quiet = Config(data_dir=tmp_path, **{"host": "0.0.0.0", "lan": True, "port": PORT, **change})
    with announcing.announced(quiet):
        assert [thread.name for thread in threading.enumerate() if thread.name == "announcing"] == []
    assert hosts.ANNOUNCED == {}


def test_a_network_that_takes_nothing_is_told_in_the_log_and_the_server_goes_on(lan, shared, monkeypatch, caplog):
    def refuse(**_):
        raise OSError("Address already in use")

    monkeypatch.setattr(zeroconf, "Zeroconf", refuse)
    with announcing.announced(shared):
        wait_for(lambda: "not announced" in caplog.text)
    assert "Address already in use" in caplog.text
    assert hosts.ANNOUNCED == {}
