"""Pictures of 12 screens of the demonstration company, at a desk and on a phone, in light and dark, for people to look
at: `python -m tests.pictures [FOLDER]`. With `--readme`, it makes those of the README again. No test compares them."""

import argparse
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from erp.app import create_app
from erp.demo import filling
from erp.kernel.config import Config
from tests.demo.company import PASSWORD
from tests.frontend.conftest import CHROMIUM, served
from tests.paths import ROOT

SCREENS = {  # whose screen it is, and its address; a name in braces is a record of the company
    "home": ("ines", "/"),
    "me": ("mei", "/me"),
    "invoices": ("amara", "/invoices"),
    "invoice": ("amara", "/invoices/{/finance/invoices?isOverdue=true&kind=sales_invoice}"),
    "invoice-editor": ("amara", "/invoices/{/finance/invoices?status=draft&kind=sales_invoice}/edit"),
    "contact": ("amara", "/contacts/{/finance/contacts?q=Hansen}"),
    "balance-sheet": ("amara", "/reports/balance-sheet"),
    "board": ("jonas", "/board"),
    "task": ("mei", "/board?task={/tasks?status=in_progress}"),
    "week": ("mei", "/time"),
    "leave": ("jonas", "/leave"),
    "payroll": ("leila", "/payroll/{/hr/payroll/runs?status=paid}"),
}
WIDTHS = {1280: 820, 360: 740}
SCHEMES = ("light", "dark")
README = ("home", "invoice-editor")
"""The screens that the README shows, at a desk."""


def _at(page: Any, server: str, address: str) -> str:
    """The address with the first record that each name in braces finds."""
    before, brace, rest = address.partition("{")
    if not brace:
        return address
    path, _, after = rest.partition("}")
    found = page.request.get(f"{server}/api/v1{path}&limit=1").json()["data"]
    return f"{before}{found[0]['id']}{after}"


def take(
    browser: Any, server: str, folder: Path, names: Iterable[str] = SCREENS, widths: Iterable[int] = WIDTHS
) -> None:
    """Take the pictures: `folder/invoices-360-dark.png` and the like."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        who, address = SCREENS[name]
        for width in widths:
            for scheme in SCHEMES:
                size = {"width": width, "height": WIDTHS[width]}
                touch = width < 640
                page = browser.new_page(viewport=size, color_scheme=scheme, has_touch=touch, reduced_motion="reduce")
                known = {"email": f"{who}@alderfinch.example", "password": PASSWORD}
                page.request.post(f"{server}/api/v1/auth/sign-in/email", data=known, headers={"Origin": server})
                page.goto(server + _at(page, server, address))
                page.locator("main h1").wait_for()
                page.wait_for_load_state("networkidle")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
                page.close()


def main() -> None:
    """Make the company, serve it and take the pictures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("pictures"))
    parser.add_argument("--readme", action="store_true", help="those of the README alone, where it shows them")
    arguments = parser.parse_args()
    folder: Path = ROOT / ".github" / "pictures" if arguments.readme else arguments.folder
    chosen = (README, (1280,)) if arguments.readme else (SCREENS, WIDTHS)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as running:
        filling.fill(Config(data_dir=Path(data)), create_app)
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(data) as server:
            take(browser, server, folder, *chosen)
        browser.close()
    sys.stdout.write(f"{len(list(folder.glob('*.png')))} pictures are in {folder}.\n")


if __name__ == "__main__":
    main()
