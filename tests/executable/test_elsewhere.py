"""On a Debian without Python, and on a machine without a network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

TOOLS = ("chroot", "debootstrap", "ip", "unshare")
missing = [tool for tool in TOOLS if shutil.which(tool) is None]
is_root = hasattr(os, "getuid") and os.getuid() == 0

IN_A_WORLD_OF_ITS_OWN = """
set -eu
ip link set lo up
mount --bind /tmp "$DEBIAN/tmp"
mount -t proc proc "$DEBIAN/proc"
exec "$@"
"""


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Debian; TRY_DEBIAN can name an existing one."""
    if named := os.environ.get("TRY_DEBIAN"):
        return Path(named)
    folder = tmp_path_factory.mktemp("debian")
    subprocess.run(["debootstrap", "--variant=minbase", "stable", folder], check=True, capture_output=True, timeout=600)
    return folder


@pytest.mark.skipif(not is_root, reason="only root can enter another system")
@pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")
def test_an_office_works_on_a_debian_without_python_and_without_a_network(debian, executable, tmp_path):
    assert not list(debian.glob("usr/bin/python*"))
    shutil.rmtree(debian / "usr" / "share" / "zoneinfo", ignore_errors=True)
    shutil.copy(executable, debian / "usr" / "bin" / "erp")
    entered = tmp_path / "erp"
    entered.write_text(f'#!/bin/sh\nexec chroot "{debian}" /usr/bin/erp "$@"\n', "utf-8")
    entered.chmod(0o755)
    tests = [f"tests/executable/{name}.py" for name in ("test_office", "test_processes")]
    inside = [sys.executable, "-m", "pytest", "-m", "executable", "-n", "0", "-q", *tests]
    ended = subprocess.run(
        ["unshare", "--net", "--mount", "sh", "-c", IN_A_WORLD_OF_ITS_OWN, "sh", *inside],
        env={**os.environ, "DEBIAN": str(debian), "TRY_EXECUTABLE": str(entered)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert " passed" in ended.stdout
    assert "skipped" not in ended.stdout
