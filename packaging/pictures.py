"""Take the pictures of the manual again: `python packaging/pictures.py [JOB …]`, with Chromium, Playwright and Pillow.

They are put into the documentation, or with `--folder` elsewhere.
Each shows the part of a screen that matters, of the company of `erp demo`, in light, 1280 pixels wide, in a language.
They are lossless WebP of few colours, since the executable carries them all.
"""

import argparse
import io
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from erp.app import create_app
from erp.demo import filling
from erp.kernel.config import Config
from erp.kernel.language import LANGUAGES
from erp.web.pages import manual
from tests.demo.company import PASSWORD
from tests.frontend.conftest import CHROMIUM, served
from tests.paths import ROOT
from tests.pictures import _at as address_of

FOLDER = ROOT / "erp" / "docs"
SIZE = {"width": 1280, "height": 900}
SCALE = 1.5
"""Pixels of a picture for one of the screen: the manual shows it narrower, and text stays crisp."""
COLOURS = 64
PLAIN = """(data) => {
  document.activeElement.blur();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(data, "/srv/erp");
}"""
"""No field has the focus, and the data folder has a plain name."""


class Picture(NamedTuple):
    """The screen of a job: whose it is, its address, and how much is shown of its content or of a key's dialog."""

    who: str
    address: str
    height: int = 0
    key: str = ""


PICTURES = {
    "first-day": Picture("ines", "/settings/members", 520),
    "mail": Picture("amara", "/invoices/{/finance/invoices?isOverdue=true&kind=sales_invoice}", 745, key="m"),
    "backup": Picture("ines", "/server/backups", 300),
    "sharing": Picture("ines", "/server", 480),
    "invoice": Picture("amara", "/invoices/{/finance/invoices?status=draft&kind=sales_invoice}/edit", 480),
    "quote": Picture("amara", "/quotes/{/finance/quotes?status=issued}", 420),
    "reminder": Picture("amara", "/reminders", 420),
    "bill": Picture("amara", "/inbox", 250),
    "bank": Picture("amara", "/bank", 480),
    "month-end": Picture("ines", "/close", 560),
    "tax-return": Picture("amara", "/reports/tax", 420),
    "year-end": Picture("ines", "/close/year", 420),
    "assets": Picture("amara", "/assets", 360),
    "import": Picture("ines", "/import/books/contacts", 460),
    "time": Picture("mei", "/time", 360),
    "absence": Picture("leila", "/leave", 320),
    "expenses": Picture("mei", "/expenses", 330),
    "payroll": Picture("ines", "/payroll/{/hr/payroll/runs?status=draft}", 480),
}


def take(browser: Any, server: str, job: str, language: str, data: str) -> bytes:
    """The picture of a job in a language."""
    picture = PICTURES[job]
    page = browser.new_page(
        viewport=SIZE, device_scale_factor=SCALE, color_scheme="light", reduced_motion="reduce", locale=language
    )
    known = {"email": f"{picture.who}@alderfinch.example", "password": PASSWORD}
    page.request.post(f"{server}/api/v1/auth/sign-in/email", data=known, headers={"Origin": server})
    page.request.patch(f"{server}/api/v1/auth/me", data={"locale": language}, headers={"Origin": server})
    page.goto(server + address_of(page, server, picture.address))
    page.locator("main h1").wait_for()
    page.wait_for_load_state("networkidle")
    if picture.key:
        page.keyboard.press(picture.key)
    content = page.locator("dialog[open]" if picture.key else "main")
    content.wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate(PLAIN, data)
    box = content.bounding_box()
    taken = page.screenshot(clip={**box, "height": picture.height or box["height"]})
    page.close()
    return small(taken)


def small(png: bytes) -> bytes:
    """A screenshot as WebP."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        file = io.BytesIO()
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.convert("RGB").save(file, "WEBP", lossless=True, quality=100, method=6)
    return file.getvalue()


def main() -> None:
    """Make the company, serve it and take the pictures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join(PICTURES))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    jobs = arguments.jobs or list(PICTURES)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as running:
        filling.fill(Config(data_dir=Path(data)), create_app)
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(data) as server:
            for job, language in ((job, language) for job in jobs for language in LANGUAGES):
                name = f"{Path(manual.name_of(job, language)).parent}/pictures/{job}.webp"
                path = arguments.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(take(browser, server, job, language, data))
                print(f"{name}: {path.stat().st_size:,} bytes", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
