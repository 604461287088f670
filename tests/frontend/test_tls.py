"""https without a proxy, in the browser: where to trust the certificate, and what plain http leads to."""

import shutil

import pytest

from erp.web import hosts
from tests.frontend.conftest import expect, served

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not hosts.lan_addresses(), reason="this computer is in no network"),
]


@pytest.fixture(scope="module")
def company(demo_folder, tmp_path_factory):
    """The company on a server with a certificate of its own."""
    folder = shutil.copytree(demo_folder, tmp_path_factory.mktemp("company") / "data")
    with served(folder, "--lan", "--tls", "--no-mdns") as address:
        yield address


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_fingerprint_on_the_server_page_is_that_of_the_page_for_others(at_desk, chromium, width, scheme):
    desk = at_desk("ines", width, scheme)
    page = desk.go("/server")
    tls = desk.api("GET", "/system/sharing")["tls"]
    expect(page.get_by_text(tls["fingerprint"])).to_be_visible()
    expect(page.get_by_role("link", name=tls["trustUrl"])).to_be_visible()
    assert not desk.is_wide()
    assert desk.refusals() == []

    context = chromium.new_context(
        viewport={"width": width, "height": 740}, color_scheme=scheme, ignore_https_errors=True
    )
    other = context.new_page()
    other.goto(tls["trustUrl"])
    expect(other.get_by_text(tls["fingerprint"])).to_be_visible()
    with other.expect_download() as download:
        other.get_by_role("link", name="Download the certificate").click()
    assert download.value.suggested_filename == "erp.crt"
    other.goto(tls["trustUrl"].removesuffix("/trust"))
    assert other.url.startswith("https://")
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    context.close()
