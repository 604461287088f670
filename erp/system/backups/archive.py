"""A backup as a file: a zip with copies of database files and the manifest that lists them."""

import errno
import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from erp.kernel import clock
from erp.kernel.errors import Refusal
from erp.kernel.language import verbatim
from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import files
from erp.system.backups import snapshot
from erp.system.backups.manifest import CONTROL, FILE_NAME, FORMAT, FileEntry, Manifest

MANIFEST = "manifest.json"
MANIFEST_LIMIT = 16 << 20
CHUNK = 1 << 20
COMPRESSED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""The allowed compression methods; others can demand any amount of memory."""
LEVEL = 3
"""Measured on 104 MB of books: 0.7 s of a core for 23 %; level 6 takes 1.8 s for 21 %, level 9 4.8 s for 20.6 %."""


class BadBackup(Refusal):
    """This file is damaged or not a backup."""


def write(target: Path, manifest: Manifest, folder: Path) -> None:
    """Write the files that the manifest lists from a folder into a zip, and read it back to its end.

    The zip appears whole or not at all.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        with files.create(part) as file, zipfile.ZipFile(file, "w", compresslevel=LEVEL) as zipped:
            for entry in manifest.files:
                _add(zipped, entry, folder / entry.name, manifest)
            zipped.writestr(_info(MANIFEST, manifest), msgspec.json.format(msgspec.json.encode(manifest)))
        check(part)
        files.put_in_place(part, target)
    finally:
        part.unlink(missing_ok=True)


def _add(zipped: zipfile.ZipFile, entry: FileEntry, source: Path, manifest: Manifest) -> None:
    info = _info(entry.name, manifest)
    info.file_size = entry.size
    with source.open("rb") as copy, zipped.open(info, "w") as member:
        shutil.copyfileobj(copy, member, CHUNK)


def _info(name: str, manifest: Manifest) -> zipfile.ZipInfo:
    created_at = clock.parse(manifest.created_at)
    info = zipfile.ZipInfo(
        name,
        (
            max(created_at.year, 1980),
            created_at.month,
            created_at.day,
            created_at.hour,
            created_at.minute,
            created_at.second,
        ),
    )
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of a backup.

    Raises:
        BadBackup: the file is damaged, not a backup, or one that only a newer program can read.
    """
    with _opened(path) as zipped:
        return _manifest(zipped)


def check(path: Path) -> Manifest:
    """Read a backup to its end and compare every size and SHA-256; nothing is written.

    Raises:
        BadBackup: something differs.
    """
    with _opened(path) as zipped:
        manifest = _manifest(zipped)
        for entry in manifest.files:
            for _ in _checked(zipped, entry):
                pass
    return manifest


def unpack(path: Path, folder: Path) -> Manifest:
    """Write the files of a backup to a folder, and compare each with its size and SHA-256 in the manifest.

    Args:
        folder: created if missing; after a refusal it may hold incomplete files.

    Raises:
        BadBackup: the file is damaged, not a backup, or one that only a newer program can read.
        StorageFull: the disk has no room for it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _opened(path) as zipped:
        manifest = _manifest(zipped)
        snapshot.ensure_room(folder, sum(entry.size for entry in manifest.files))
        for entry in manifest.files:
            _unpack(zipped, entry, folder / entry.name)
    return manifest


def extract(path: Path, name: str, target: Path) -> None:
    """Write one file of a backup to `target`, which does not exist yet.

    Raises:
        BadBackup: it is damaged, not a backup, or holds no such file.
        StorageFull: the disk has no room for it.
    """
    with _opened(path) as zipped:
        entry = _manifest(zipped).file(name)
        if entry is None:
            raise BadBackup(verbatim(f"It does not contain {name}."))
        target.parent.mkdir(mode=0o700, exist_ok=True)
        snapshot.ensure_room(target.parent, entry.size)
        _unpack(zipped, entry, target)


def _unpack(zipped: zipfile.ZipFile, entry: FileEntry, target: Path) -> None:
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with files.create(target) as copy:
        for chunk in _checked(zipped, entry):
            copy.write(chunk)
        copy.flush()
        os.fsync(copy.fileno())


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip; every error in it becomes a `BadBackup`."""
    try:
        with zipfile.ZipFile(path) as zipped:
            yield zipped
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as problem:  # every error of zipfile
        raise BadBackup(verbatim(f"{path.name} is damaged or not a backup: {problem}.")) from problem
    except OSError as problem:
        if problem.errno != errno.EINVAL:  # a damaged zip may point to a place before its beginning
            raise
        raise BadBackup(verbatim(f"{path.name} is damaged or not a backup.")) from problem


def _manifest(zipped: zipfile.ZipFile) -> Manifest:
    members = zipped.infolist()
    by_name = {info.filename: info for info in members}
    if any(info.compress_type not in COMPRESSED for info in members):
        raise BadBackup(verbatim("This is neither a backup nor an exported workspace: it uses another compression."))
    if MANIFEST not in by_name or by_name[MANIFEST].file_size > MANIFEST_LIMIT:
        raise BadBackup(verbatim("This is neither a backup nor an exported workspace: it has no manifest."))
    text = zipped.read(MANIFEST)
    _check_format(text)
    try:
        manifest = _MANIFEST.decode(text)
        _check_instant(manifest.created_at)
    except (msgspec.MsgspecError, ValueError) as problem:
        raise BadBackup(verbatim(f"Its manifest cannot be read: {problem}.")) from problem
    _check_members(manifest, members, by_name)
    _check_schemas(manifest)
    return manifest


def _check_instant(text: str) -> None:
    """Refuse an instant that `clock` did not write: without a zone it cannot be compared with others."""
    if clock.stamp(clock.parse(text)) != text or not "2000" < text < "9999":
        raise ValueError(f"{text!r} is not an instant")


class _Format(msgspec.Struct):
    format: int
    program: str = "?"


_FORMAT, _MANIFEST = msgspec.json.Decoder(_Format), msgspec.json.Decoder(Manifest)
"""Made here and not at the first use: msgspec crashes if two threads ask for a type first and at once."""


def _check_format(text: bytes) -> None:
    try:
        header = _FORMAT.decode(text)
    except msgspec.MsgspecError as problem:
        raise BadBackup(verbatim(f"Its manifest cannot be read: {problem}.")) from problem
    if header.format != FORMAT:
        raise BadBackup(
            verbatim(f"It was written by version {header.program} of this program. Use that version to read it.")
        )


def _check_members(manifest: Manifest, members: list[zipfile.ZipInfo], by_name: dict[str, zipfile.ZipInfo]) -> None:
    names = [entry.name for entry in manifest.files]
    if len(members) != len(by_name) or len(names) != len(set(names)) or by_name.keys() != {MANIFEST, *names}:
        raise BadBackup(verbatim("Its files are not those that its manifest lists."))
    for entry in manifest.files:
        if not FILE_NAME.fullmatch(entry.name):
            raise BadBackup(verbatim(f"It contains a file whose name no backup uses: {entry.name!r}."))
        if by_name[entry.name].file_size != entry.size:
            raise BadBackup(verbatim(f"{entry.name} does not have the size that the manifest states."))


def _check_schemas(manifest: Manifest) -> None:
    for entry in manifest.files:
        known = (CONTROL_SCHEMA if entry.name == CONTROL else WORKSPACE_SCHEMA).version
        if entry.schema > known:
            raise BadBackup(
                verbatim(
                    f"It was made by version {manifest.program} of this program: "
                    f"{entry.name} has schema {entry.schema}, "
                    f"but this program knows {known}. Use that version or a newer one."
                )
            )


def _checked(zipped: zipfile.ZipFile, entry: FileEntry) -> Iterator[bytes]:
    """The content of a file in chunks; after the last one its size and digest are compared."""
    digest, size = hashlib.sha256(), 0
    with zipped.open(entry.name) as member:
        while chunk := member.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
            yield chunk
    if (size, digest.hexdigest()) != (entry.size, entry.sha256):
        raise BadBackup(verbatim(f"{entry.name} is not as it was written."))


def sha256(path: Path) -> str:
    """The SHA-256 of a file that no one has open as a database."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
