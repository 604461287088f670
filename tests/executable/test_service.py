"""The service on a Debian with a real systemd, in its own namespaces and control group, which end with it."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers import wait_for

TOOLS = ("chroot", "debootstrap", "ip", "nsenter", "unshare")
missing = [tool for tool in TOOLS if shutil.which(tool) is None]
is_root = hasattr(os, "getuid") and os.getuid() == 0

PACKAGES = "systemd,dbus,dbus-user-session,libpam-systemd"
DATA = "/home/anna/büro daten"

# The control group is entered first: the namespace then makes it the root of all that this systemd can see.
IN_A_GROUP_OF_ITS_OWN = """
set -eu
echo $$ > "$GROUP/cgroup.procs"
exec unshare --cgroup --mount --pid --fork --uts --ipc --net --kill-child sh -euc "$1"
"""
BOOT = """
mount --make-rprivate /
mount --bind "$DEBIAN" "$DEBIAN"
mount -t proc proc "$DEBIAN/proc"
mount -t sysfs -o ro sysfs "$DEBIAN/sys"
mount -t cgroup2 none "$DEBIAN/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$DEBIAN/dev"
for each in null zero full random urandom tty; do
    touch "$DEBIAN/dev/$each"
    mount --bind "/dev/$each" "$DEBIAN/dev/$each"
done
mount -t tmpfs -o mode=755 tmpfs "$DEBIAN/run"
mount -t tmpfs tmpfs "$DEBIAN/tmp"
ip link set lo up
container=erp exec chroot "$DEBIAN" /lib/systemd/systemd --system --show-status=no
"""

Typed = Callable[[str], str]


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Path]:
    """A control group for everything that systemd starts."""
    groups = tmp_path / "groups"
    groups.mkdir()
    if subprocess.run(["mount", "-t", "cgroup2", "none", groups], capture_output=True, check=False).returncode:
        pytest.skip("this system has no control groups of the second version")
    own = groups / f"erp-test-{os.getpid()}"
    own.mkdir()
    yield own
    wait_for(lambda: not any(processes.read_text() for processes in own.rglob("cgroup.procs")), 20)
    for folder in sorted(filter(Path.is_dir, own.rglob("*")), reverse=True):
        folder.rmdir()
    own.rmdir()
    subprocess.run(["umount", groups], check=True)


@pytest.fixture
def anna(executable: Path, group: Path, tmp_path: Path) -> Iterator[Typed]:
    """Anna at her own computer: runs a command that she types, and gives its output."""
    debian = tmp_path / "debian"
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "stable", debian],
        check=True,
        capture_output=True,
        timeout=600,
    )
    subprocess.run(["chroot", debian, "useradd", "--create-home", "--shell", "/bin/sh", "anna"], check=True)
    shutil.copy(executable, debian / "home" / "anna" / "erp")
    lingering = debian / "var" / "lib" / "systemd" / "linger"
    lingering.mkdir(parents=True, exist_ok=True)
    (lingering / "anna").touch()
    boot = ["sh", "-c", IN_A_GROUP_OF_ITS_OWN, "sh", BOOT]
    with subprocess.Popen(boot, env={**os.environ, "DEBIAN": str(debian), "GROUP": str(group)}) as computer:

        def typed(command: str) -> str:
            script = f"export XDG_RUNTIME_DIR=/run/user/$(id -u); {command}"
            first = Path(f"/proc/{computer.pid}/task/{computer.pid}/children").read_text().strip()
            enter = ["nsenter", "--target", first, "--all", "--root", "--wd", "su", "-", "anna", "-c", script]
            done = subprocess.run(enter, capture_output=True, text=True, timeout=60, check=False)
            return done.stdout + done.stderr

        try:
            wait_for(lambda: "yes" in typed("test -S $XDG_RUNTIME_DIR/bus && echo yes"), 60)
            yield typed
        finally:
            computer.kill()


@pytest.mark.skipif(not is_root, reason="only root can start another system")
@pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")
def test_systemd_starts_the_server_again_after_a_failure_and_until_it_is_removed(anna):
    def runs_at(port):
        status = anna("./erp service status")
        return "and running." in status and f"A server answers at http://127.0.0.1:{port}" in status

    assert "The service is not installed." in anna("./erp service status")
    assert "The service is installed." in anna(f"./erp service install --port 8420 --data-dir '{DATA}'")
    wait_for(lambda: runs_at(8420), 30)
    anna("systemctl --user kill --signal KILL erp")
    wait_for(lambda: "NRestarts=1" in anna("systemctl --user show erp -p NRestarts") and runs_at(8420), 30)
    anna(f"./erp service install --port 8421 --data-dir '{DATA}'")
    wait_for(lambda: runs_at(8421), 30)
    anna("systemctl --user stop erp")
    assert "Result=success" in anna("systemctl --user show erp -p Result")
    assert not runs_at(8421)
    anna("systemctl --user start erp")
    wait_for(lambda: runs_at(8421), 30)
    assert "have been removed" in anna("./erp service remove")
    assert "The service is not installed." in anna("./erp service status")
    assert "erp.service" not in anna("systemctl --user list-unit-files")
    assert "control.db" in anna(f"ls '{DATA}'")
