"""What tests ask of a page of the gallery and do to it."""

from tests.frontend.conftest import expect


def called(page):
    return page.evaluate("done()")


def told(page, text):
    """Wait until the gallery has heard of something."""
    expect(page.locator("#told", has_text=text)).to_be_attached()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")


def typed(field, text):
    field.focus()
    field.page.keyboard.type(text)
