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


@pytest.fixture
def desk(address, tab):
    """The desk of the first person, who has just registered and is offered sample data."""
    tab.goto(address)
    register(tab, "Olga", address="olga@example.com")
    offer(tab).wait_for()
    return Desk(tab, address)


def offer(tab):
    return tab.get_by_role("button", name="Try with sample data first")


def notice(tab):
    return tab.locator("main > [role=note]")


def take(desk):
    """Take the offer of sample data."""
    offer(desk.page).click()
    expect(notice(desk.page)).to_contain_text("Sample data.")
    expect(desk.page.locator("main h1")).to_be_visible()
    desk.settle()


def make_own(desk):
    """Make a workspace of one's own beside the sample data."""
    page = desk.page
    page.get_by_label("Company").fill("Olga & Co")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{desk.address}/")
    expect(page.locator("main h1")).to_be_visible()


def test_a_step_of_setting_up_begins_at_its_heading(desk):
    page = desk.page
    expect(page.get_by_role("heading", name="Your company")).to_be_focused()
    page.get_by_label("Company").fill("Olga & Co")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Olga & Co is ready")).to_be_focused()


def test_the_page_says_that_the_sample_data_is_being_created(desk):
    page = desk.page
    said = page.get_by_text("Creating the sample data …")
    expect(said).to_have_count(0)
    with desk.held("/workspace"):
        offer(page).click()
        expect(said).to_be_visible()
    expect(notice(page)).to_contain_text("Sample data.")


def test_sample_data_is_offered_first_and_said_on_each_screen(desk):
    page = desk.page
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    page.set_viewport_size({"width": 360, "height": 740})
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    take(desk)
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    assert notice(page).locator(".alert-text").bounding_box()["height"] < 30, "its words are in one line"
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        for path in ("/contacts", "/me", "/settings/workspace"):
            desk.go(path)
            expect(notice(page), path).to_be_visible()
            desk.settle()
            assert (desk.refusals(), desk.is_wide()) == ([], False), path
    expect(page.get_by_role("button", name="Copy this workspace")).to_have_count(0)


def test_a_workspace_of_ones_own_is_made_beside_sample_data(desk):
    page = desk.page
    take(desk)
    page.get_by_role("button", name="Olga", exact=True).click()
    page.get_by_role("menuitem", name="Change the workspace").click()
    expect(page.get_by_text("Owner · sample data")).to_be_visible()
    expect(offer(page)).to_have_count(0)
    make_own(desk)
    expect(notice(page)).to_have_count(0)


def test_sample_data_is_deleted_after_a_question(desk):
    page = desk.page
    take(desk)
    desk.go("/choose")
    make_own(desk)
    desk.go("/choose")
    page.get_by_role("listitem").filter(has_text="Sample data").get_by_role("button", name="Choose").click()
    delete = notice(page).get_by_role("button", name="Delete it")
    delete.click()
    asked = page.get_by_role("alertdialog", name="Delete Sample data?")
    asked.wait_for()
    assert (desk.refusals(), desk.is_wide()) == ([], False)
    page.keyboard.press("Escape")
    expect(delete).to_be_focused()
    delete.click()
    asked.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_text("Sample data deleted.").first.wait_for()
    page.wait_for_url(f"{desk.address}/")
    expect(page.locator("main h1")).to_be_focused()
    expect(notice(page)).to_have_count(0)
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
        expect(tab.get_by_role("button", name="Delete ")).to_have_count(1)
        row.get_by_role("button", name="Delete Sample data").click()
        asked = tab.get_by_role("alertdialog", name="Delete Sample data?")
        asked.get_by_role("button", name="Delete", exact=True).click()
        tab.get_by_text("Sample data deleted.").first.wait_for()
        assert [one["name"] for one in desk.api("GET", "/workspace")] == ["Olga & Co"]
        assert not list(file.parent.glob(f"{sample}*"))
        tab.goto("about:blank")
