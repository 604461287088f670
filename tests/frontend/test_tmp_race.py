import pytest
from tests.frontend.test_server_off import test_what_is_sent_without_an_answer_is_sent_again_and_made_once as one
pytestmark = pytest.mark.browser

@pytest.mark.parametrize("n", range(25))
def test_again(at_desk, n):
    import tests.frontend.test_server_off as m
    desk = at_desk("amara")
    desk.quiet = False
    page = desk.go("/contacts")
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": 8})
    page = desk.go("/contacts")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill(f"Twice{n} and Sons")
    def lose(route):
        route.fetch()
        route.abort()
    page.route("**/api/v1/finance/contacts", lose)
    dialog.get_by_role("button", name="Create contact").click()
    dialog.get_by_text("The server does not answer. What you type is kept.").wait_for()
    page.unroute("**/api/v1/finance/contacts")
    dialog.get_by_role("button", name="Try again").click()
    dialog.wait_for(state="detached")
    assert len(desk.api("GET", f"/finance/contacts?q=Twice{n}")) == 1
