"""Where data should not be stored, and the warning before a disk is full."""

import os
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from erp.store import disk


@pytest.mark.parametrize(
    ("path", "service"),
    [
        ("/home/ann/OneDrive - Office/erp", "OneDrive"),
        ("/home/ann/Dropbox/erp", "Dropbox"),
        ("/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/erp", "iCloud Drive"),
        ("/Users/ann/iCloudDrive/erp", "iCloud Drive"),
        ("/Users/ann/Google Drive/erp", "Google Drive"),
        ("/home/ann/erp-data", None),
    ],
)
def test_folders_that_a_cloud_service_synchronises_are_known_by_name(path, service):
    assert disk.sync_folder(Path(path)) == service


MOUNTS = r"""
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/ann ext4 rw 0 0
ann@server: /mnt/our\040files fuse.sshfs rw 0 0
""".strip()
MOUNTS_OF_A_MAC = """
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
//ann@server/our%20files on /Volumes/our files (smbfs, nodev, nosuid, mounted by ann)
""".strip()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/erp", "ext4"),
        ("/home/bob/erp", "nfs4"),
        ("/home/ann/erp", "ext4"),
        ("/mnt/our files/erp", "fuse.sshfs"),
        ("/homes/erp", "ext4"),
    ],
)
def test_the_file_system_is_that_of_the_nearest_mount(path, kind):
    assert disk.file_system(Path(path), MOUNTS) == kind


def test_risky_places_cause_warnings(tmp_path, monkeypatch):
    folder = tmp_path / "Dropbox"
    folder.mkdir()
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 10**9, 150 * 2**20))
    monkeypatch.setattr(disk, "_network_file_system", lambda _: "nfs4")
    network, sync, space = disk.warnings(folder)
    assert "network drive (nfs4)" in network
    assert "Dropbox" in sync
    assert "150 MB" in space


def test_an_ordinary_folder_causes_no_warning(tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**12, 0, 10**12))
    assert disk.warnings(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "kind"), [("/Users/ann/erp", "apfs"), ("/Volumes/our files/erp", "smbfs"), ("/Volumes/stick/erp", "apfs")]
)
def test_the_file_system_is_known_on_a_mac_too(path, kind):
    assert disk.file_system(Path(path), MOUNTS_OF_A_MAC) == kind


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such table")
def test_a_network_drive_is_known_by_its_mount(tmp_path, monkeypatch):
    monkeypatch.setattr(disk, "_mount_table", lambda: f"server:/erp {tmp_path} nfs4 rw 0 0")
    (warning,) = disk.warnings(tmp_path)
    assert "is on a network drive (nfs4)" in warning


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_folder_that_leads_into_a_synchronised_one_is_seen_through(tmp_path):
    (tmp_path / "Dropbox" / "erp").mkdir(parents=True)
    (tmp_path / "data").symlink_to(tmp_path / "Dropbox" / "erp")
    (warning,) = disk.warnings(tmp_path / "data")
    assert "is synchronised by Dropbox" in warning
