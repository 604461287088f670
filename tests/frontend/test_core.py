"""The base of the pages without a browser: `core/*.test.js`, run by Deno of the extra `check`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent / "core"
ADDRESS = "http://office.example/invoices?state=open&q=a"
DENO = shutil.which("deno", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))


def test_the_base_keeps_its_promises_without_a_browser(tmp_path):
    if DENO is None:
        pytest.skip("deno is not installed; the extra `check` has it")
    command = [DENO, "test", "--no-check", "--no-remote", "--location", ADDRESS, str(TESTS)]
    own = {**os.environ, "DENO_DIR": str(tmp_path), "NO_COLOR": "1"}  # what it keeps for the next run
    ended = subprocess.run(command, capture_output=True, text=True, env=own, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert all(f"{file.name}\n" in ended.stdout for file in TESTS.glob("*.test.js"))
