"""Webhooks reach the internet, and what is behind the server only where its settings say so."""

from ipaddress import ip_address

import pytest

from erp.kernel import config
from erp.kernel.config import Config
from erp.webhooks import addresses
from erp.webhooks.addresses import Unfit, parsed

INSIDE = [
    "127.0.0.1",
    "127.255.255.254",
    "::1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "198.18.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "fc00::1",
    "fd12:3456::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "::127.0.0.1",
    "192.88.99.1",
]
NEVER = [
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "169.254.0.1",
    "224.0.0.1",
    "224.0.1.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
    "::ffff:224.0.0.1",
    "64:ff9b::a9fe:a9fe",
]
OUTSIDE = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]


def allowed(address: str, *, private: bool, is_tls: bool, folder) -> bool:
    with config.use(Config(data_dir=folder, webhooks_private=private)):
        return addresses.is_allowed(ip_address(address), is_tls=is_tls)


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside_are_refused_unless_the_settings_allow_them(address, tmp_path):
    assert not allowed(address, private=False, is_tls=True, folder=tmp_path)
    assert allowed(address, private=True, is_tls=True, folder=tmp_path)
    assert allowed(address, private=True, is_tls=False, folder=tmp_path)


@pytest.mark.parametrize("address", NEVER)
def test_no_setting_allows_link_local_multicast_and_reserved_addresses(address, tmp_path):
    assert not allowed(address, private=False, is_tls=True, folder=tmp_path)
    assert not allowed(address, private=True, is_tls=True, folder=tmp_path)


@pytest.mark.parametrize("address", OUTSIDE)
def test_the_internet_is_reached_over_tls_alone(address, tmp_path):
    assert allowed(address, private=False, is_tls=True, folder=tmp_path)
    assert allowed(address, private=True, is_tls=True, folder=tmp_path)
    assert not allowed(address, private=True, is_tls=False, folder=tmp_path)


@pytest.mark.parametrize(
    ("url", "is_tls", "host", "port", "path", "authority"),
    [
        ("https://example.com", True, "example.com", 443, "/", "example.com"),
        ("https://Example.COM:443/a?b=c", True, "example.com", 443, "/a?b=c", "example.com"),
        ("https://example.com:8443/a/", True, "example.com", 8443, "/a/", "example.com:8443"),
        ("http://[::1]:80/x", False, "::1", 80, "/x", "[::1]"),
        ("http://10.0.0.1:9000", False, "10.0.0.1", 9000, "/", "10.0.0.1:9000"),
        ("https://xn--bcher-kva.example/", True, "xn--bcher-kva.example", 443, "/", "xn--bcher-kva.example"),
    ],
)
def test_a_url_is_taken_apart(url, is_tls, host, port, path, authority):
    target = parsed(url)
    assert (*target, target.authority) == (is_tls, host, port, path, authority)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com",
        "ftp://example.com",
        "file:///etc/passwd",
        "gopher://example.com",
        "https://",
        "https:///x",
        "https://exa mple.com",
        "https://bücher.example",
        "https://example.com:0",
        "https://example.com:99999",
        "https://example.com:x",
        "https://user:secret@example.com",
        "https://user@example.com",
        "https://@example.com",
        "https://example.com/#top",
        "https://example.com/\r\nX-Injected: 1",
        "https://example.com\t/",
        "https://[::1",
        "https://[fe80::1%25eth0]/",
        "https://-example.com",
        "https://example..com",
        "https://example.com\\@127.0.0.1/",
        f"https://example.com/{'x' * 2000}",
    ],
)
def test_other_texts_are_no_urls_of_webhooks(url):
    with pytest.raises(Unfit):
        parsed(url)
