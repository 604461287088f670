import pytest

from erp.web.origin import allowed

HERE = "localhost:8420"
SAME = "http://localhost:8420"
PUBLIC = "https://erp.example.com"

# method, authorization, cookie, Sec-Fetch-Site, Origin, passes
VECTORS = [
    ("POST", False, False, None, None, True),  # a script
    ("POST", False, True, None, None, False),  # a cookie, and nothing says from where
    ("POST", False, True, "same-origin", None, True),
    ("POST", False, True, None, SAME, True),
    ("POST", False, True, "same-origin", SAME, True),
    ("POST", False, True, "same-site", SAME, False),  # another port of this computer
    ("POST", False, True, "cross-site", SAME, False),
    ("POST", False, True, "none", None, False),
    ("POST", False, True, "same-origin", "http://evil.example", False),
    ("POST", False, True, None, "http://localhost:3000", False),
    ("POST", False, True, None, "http://localhost", False),
    ("POST", False, True, None, "https://localhost:8420", False),
    ("POST", False, True, None, "null", False),
    ("POST", False, True, None, "", False),
    ("POST", False, True, "", None, False),
    ("POST", False, True, None, f"{SAME}, {SAME}", False),
    ("POST", False, True, None, f"{SAME}.evil.example", False),
    ("POST", False, True, None, "HTTP://LOCALHOST:8420", True),
    ("POST", False, False, "cross-site", None, False),  # signing a visitor in as someone else
    ("POST", False, False, None, "http://evil.example", False),
    ("POST", False, False, "same-origin", SAME, True),
    ("POST", True, True, "cross-site", "http://evil.example", True),  # no page can add Authorization unasked
    ("POST", True, True, None, None, True),
    ("PUT", False, True, None, None, False),
    ("PATCH", False, True, "cross-site", None, False),
    ("DELETE", False, True, "same-site", None, False),
    ("DELETE", False, True, "same-origin", None, True),
    ("get", False, True, None, None, False),  # no method we know: not a safe one
    ("GET", False, True, None, None, True),
    ("GET", False, True, "none", None, True),  # typed into the address bar
    ("GET", False, True, "same-origin", None, True),
    ("GET", False, True, "same-site", None, False),
    ("GET", False, True, "cross-site", None, False),
    ("GET", False, False, "cross-site", None, False),
    ("GET", False, True, None, "http://evil.example", False),
    ("HEAD", False, True, "cross-site", None, False),
    ("OPTIONS", False, False, None, "http://evil.example", False),
    ("GET", True, False, "cross-site", None, True),
]


@pytest.mark.parametrize(("method", "authorization", "cookie", "site", "origin", "passes"), VECTORS)
def test_only_our_own_pages_and_plain_scripts_pass(method, authorization, cookie, site, origin, passes):
    assert allowed(method, "http", HERE, authorization, cookie, site, origin) is passes


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "passes"),
    [
        ("http", "books.local", "http://books.local", True),
        ("http", "books.local:80", "http://books.local", True),
        ("https", "books.local:443", "https://books.local", True),
        ("http", "books.local:443", "http://books.local", False),
        ("http", "[::1]:8420", "http://[::1]:8420", True),
        ("http", "[::1]:8420", "http://[::1]", False),
    ],
)
def test_the_port_is_part_of_the_origin_and_may_go_unsaid_when_usual(scheme, host, origin, passes):
    assert allowed("POST", scheme, host, False, True, None, origin) is passes


@pytest.mark.parametrize(
    ("origin", "passes"),
    [(PUBLIC, True), (f"{PUBLIC}:443", True), ("http://erp.example.com", False), (SAME, False)],
)
def test_behind_a_proxy_the_public_address_is_what_counts(origin, passes):
    assert allowed("POST", "http", HERE, False, True, None, origin, PUBLIC) is passes
