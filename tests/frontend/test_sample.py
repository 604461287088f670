"""Sample data from the first start until it is deleted, at both widths, with a story of a few entries."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.demo.small import SMALL
from tests.frontend.conftest import Desk, expect
from tests.frontend.test_office import register

pytestmark = pytest.mark.browser

WITH_STORY = """
import sys
from pathlib import Path
from erp.cli import main
from erp.demo import scenario
scenario.SCENARIO = Path(sys.argv.pop(1))
sys.exit(main())
"""


@contextmanager
def with_story(folder, port="0"):
    """A server whose sample data is a small story; its address."""
    (folder / "small.toml").write_text(SMALL, "utf-8")
    words = [folder / "small.toml", "serve", "--data-dir", folder / "data", "--port", port, "--no-browser"]
    quiet = {**os.environ, "ERP_NO_MDNS": "true"}
    command = [sys.executable, "-c", WITH_STORY, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=quiet) as server:
        try:
            assert server.stdout is not None
            yield next(line.split()[-1] for line in server.stdout if "is ready at" in line)
        finally:
            server.terminate()


@pytest.fixture
def address(tmp_path, tab):
    """A server that nobody has set up yet, whose sample data is a small story."""
    with with_story(tmp_path) as address:
        yield address
        tab.goto("about:blank")


def test_sample_data_is_tried_first_and_deleted(address, tab):
    desk = Desk(tab, address)
    tab.goto(address)
    register(tab, "Olga", address="olga@example.com")
    offer = tab.get_by_role("button", name="Try with sample data first")
    offer.wait_for()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    tab.set_viewport_size({"width": 360, "height": 740})
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    offer.click()
    notice = tab.locator("main > [role=note]")
    expect(notice).to_contain_text("Sample data.")
    expect(tab.locator("main h1")).to_be_visible()
    desk.settle()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    for width in (1280, 360):
        tab.set_viewport_size({"width": width, "height": 740})
        for path in ("/contacts", "/me", "/settings/workspace"):
            desk.go(path)
            expect(notice, path).to_be_visible()
            desk.settle()
            assert (desk.refusals(), desk.is_wide()) == ([], False), path
    expect(tab.get_by_role("button", name="Copy this workspace")).to_have_count(0)
    # a workspace of one's own beside it
    tab.get_by_role("button", name="Olga", exact=True).click()
    tab.get_by_role("menuitem", name="Change the workspace").click()
    expect(tab.get_by_text("Owner · sample data")).to_be_visible()
    expect(offer).to_have_count(0)
    tab.get_by_label("Company").fill("Olga & Co")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{address}/")
    expect(tab.locator("main h1")).to_be_visible()
    expect(notice).to_have_count(0)
    desk.go("/choose")
    tab.get_by_role("listitem").filter(has_text="Sample data").get_by_role("button", name="Choose").click()
    delete = notice.get_by_role("button", name="Delete it")
    delete.click()
    asked = tab.get_by_role("alertdialog", name="Delete Sample data?")
    asked.wait_for()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    tab.keyboard.press("Escape")
    expect(delete).to_be_focused()
    delete.click()
    asked.get_by_role("button", name="Delete", exact=True).click()
    tab.get_by_text("Sample data deleted.").first.wait_for()
    tab.wait_for_url(f"{address}/")
    expect(tab.locator("main h1")).to_be_focused()
    expect(notice).to_have_count(0)
    assert [one["name"] for one in desk.api("GET", "/workspace")] == ["Olga & Co"]


def test_a_damaged_sample_is_deleted_where_workspaces_are_chosen(tmp_path, tab):
    with with_story(tmp_path) as address:
        desk = Desk(tab, address)
        tab.goto(address)
        register(tab, "Olga", address="olga@example.com")
        tab.get_by_role("button", name="Try with sample data first").click()
        expect(tab.locator("main > [role=note]")).to_contain_text("Sample data.")
        made = desk.api("POST", "/workspace", {"name": "Olga & Co", "country": "DE"})
        (sample,) = [one["id"] for one in desk.api("GET", "/workspace") if one["id"] != made["id"]]
        desk.api("POST", "/auth/select-workspace", {"workspaceId": made["id"]})
        tab.goto("about:blank")
    (file,) = (tmp_path / "data" / "workspaces").glob(f"{sample}.db")
    for path in file.parent.glob(f"{sample}.db*"):
        path.unlink()
    file.write_bytes(b"this is no database")
    with with_story(tmp_path, address.rpartition(":")[2].strip("/")) as address:
        desk.go("/choose")
        row = tab.get_by_role("listitem").filter(has_text="Sample data")
        expect(row).to_contain_text("its file is damaged")
        expect(row.get_by_role("button", name="Choose")).to_be_disabled()
        assert (desk.refusals(), desk.is_wide()) == ([], False)
        expect(tab.get_by_role("button", name="Delete", exact=True)).to_have_count(1)
        row.get_by_role("button", name="Delete").click()
        asked = tab.get_by_role("alertdialog", name="Delete Sample data?")
        asked.get_by_role("button", name="Delete", exact=True).click()
        tab.get_by_text("Sample data deleted.").first.wait_for()
        assert [one["name"] for one in desk.api("GET", "/workspace")] == ["Olga & Co"]
        assert not list(file.parent.glob(f"{sample}*"))
        tab.goto("about:blank")
