"""The disk of the data directory: free space, and risks of the place."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LOW_SPACE = 200 * 1024 * 1024
NO_SPACE = 1024 * 1024
"""In bytes; with less than this, files cannot be opened reliably."""

NETWORK_FILE_SYSTEMS = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "davfs", "fuse.sshfs"} | {
    "fuse.glusterfs",
    "fuse.davfs2",
    "fuse.rclone",
    "fuse.s3fs",
}
SYNC_FOLDERS = {
    "onedrive": "OneDrive",
    "dropbox": "Dropbox",
    "icloud": "iCloud Drive",
    "com~apple~clouddocs": "iCloud Drive",
    "mobile documents": "iCloud Drive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
}


def free_space(folder: Path) -> int:
    """The number of free bytes on the disk of a folder."""
    return shutil.disk_usage(folder).free


def warnings(data_dir: Path) -> list[str]:
    """Sentences about the risks of the data directory."""
    sentences = []
    if network := _network_file_system(data_dir):
        sentences.append(
            f"{data_dir} is on a network drive ({network}). Databases on network drives get damaged; use a local disk."
        )
    if sync := sync_folder(data_dir.resolve()):
        sentences.append(
            f"{data_dir} is synchronised by {sync}, which can damage open databases. Keep the data in a "
            "folder outside of it, and only backups inside."
        )
    free = free_space(data_dir)
    if free < LOW_SPACE:
        sentences.append(f"Only {free // 2**20} MB are free on the disk of {data_dir}. Free some space soon.")
    return sentences


def sync_folder(path: Path) -> str | None:
    """The cloud service that synchronises the folder, judging by its path."""
    parts = [part.lower() for part in path.parts]
    return next((name for sign, name in SYNC_FOLDERS.items() if any(p.startswith(sign) for p in parts)), None)


def file_system(path: Path, mounts: str) -> str:
    """The type of the file system that holds the path, from the text of /proc/mounts or of macOS's `mount`."""
    best, kind = Path(), ""
    for point, fs in _mounts(mounts):
        mount = Path(point)
        if path.is_relative_to(mount) and len(mount.parts) >= len(best.parts):
            best, kind = mount, fs
    return kind


def _mounts(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if match := re.fullmatch(r".+? on (/.*) \((\w+).*\)", line):
            yield match[1], match[2]
            continue
        _, point, fs, *_ = line.split(" ")
        yield point.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\"), fs


def _network_file_system(data_dir: Path) -> str | None:
    if sys.platform == "win32":
        return "a Windows share" if _is_remote_drive(data_dir) else None
    kind = file_system(data_dir.resolve(), _mount_table())
    return kind if kind in NETWORK_FILE_SYSTEMS else None


def _mount_table() -> str:
    if sys.platform == "darwin":
        return subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False).stdout
    mounts = Path("/proc/mounts")
    return mounts.read_text("utf-8", "surrogateescape") if mounts.exists() else ""


if sys.platform == "win32":

    def _is_remote_drive(data_dir: Path) -> bool:
        import ctypes

        remote = 4
        drive = data_dir.resolve().drive
        return drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == remote
