"""`erp serve --dev`: the server starts again when a file of the program has changed."""

import shutil
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest

from tests.paths import ROOT
from tests.servers import wait_for
from tests.test_durability import free_port

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the test stops the server by a signal")


@pytest.fixture
def copy(tmp_path):
    """A copy of the program, to be changed; compiled files come along, which spares the start most of its time."""
    shutil.copytree(ROOT / "erp", tmp_path / "erp")
    return tmp_path


@contextmanager
def developing(copy):
    """A server of the copy, and the text that it answers at a path; None while there is no server."""
    port = free_port()
    command = [sys.executable, "-m", "erp", "serve", "--dev", "--no-browser", "--port", str(port)]

    def text(path="/api/health"):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.read().decode()
        except OSError:
            return None

    with subprocess.Popen([*command, "--data-dir", str(copy / "data")], cwd=copy, stdout=subprocess.DEVNULL) as server:
        try:
            wait_for(text, seconds=60)
            yield server, text
        finally:
            server.terminate()
            assert server.wait(30) == 0


def test_a_changed_file_starts_the_server_again_also_after_one_that_could_not_start(copy):
    module = copy / "erp" / "__init__.py"
    source = module.read_text("utf-8")
    with developing(copy) as (server, text):
        module.write_text(source.replace("0.1.0", "0.1.1"), "utf-8")
        wait_for(lambda: '"0.1.1"' in (text() or ""), seconds=60)
        module.write_text(source + "\nthis is no Python\n", "utf-8")
        wait_for(lambda: text() is None, seconds=60)
        assert server.poll() is None
        module.write_text(source.replace("0.1.0", "0.1.2"), "utf-8")
        wait_for(lambda: '"0.1.2"' in (text() or ""), seconds=60)


def test_a_changed_page_is_served(copy):
    page = copy / "erp" / "frontend" / "index.html"
    with developing(copy) as (_, text):
        assert "<title>Changed " not in text("/")
        page.write_text(page.read_text("utf-8").replace("<title>", "<title>Changed "), "utf-8")
        wait_for(lambda: "<title>Changed " in (text("/") or ""), seconds=60)
