"""The bytes of files, by their hash: written once, read part by part.

They are in the workspace's file, and so in its transactions, backups, exports and restores. A part is small enough that
neither a request nor the engine ever holds the whole of a large file.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from io import BytesIO
from typing import IO

from erp.attachments.models import StoredFile
from erp.store.router import WORKSPACE

PART = 512 << 10
"""The bytes of a part; a file's last one has fewer."""

_PARTS = "SELECT number FROM stored_part WHERE sha256 = ? ORDER BY number"
_PART = "SELECT content FROM stored_part WHERE sha256 = ? AND number = ?"
_INSERT = "INSERT INTO stored_part (sha256, number, content) VALUES (?, ?, ?)"


def keep(content: IO[bytes], sha256: str, size: int, media_type: str) -> None:
    """Store the bytes of a file, unless they are stored already."""
    if StoredFile.find_by(sha256=sha256) is not None:
        return
    StoredFile.create(sha256=sha256, size=size, media_type=media_type)
    content.seek(0)
    number = 0
    while part := content.read(PART):
        WORKSPACE.run(_INSERT, (sha256, number, part))
        number += 1


def keep_bytes(content: bytes, media_type: str) -> str:
    """Store a file that was made in memory, and return its hash."""
    sha256 = hashlib.sha256(content).hexdigest()
    keep(BytesIO(content), sha256, len(content), media_type)
    return sha256


def parts(sha256: str) -> Iterator[bytes]:
    """The bytes of a file, part by part."""
    for (number,) in WORKSPACE.rows(_PARTS, (sha256,)):
        ((part,),) = WORKSPACE.rows(_PART, (sha256, number))
        yield part


def whole(sha256: str) -> bytes:
    """The bytes of a file at once."""
    return b"".join(parts(sha256))


def spooled(sha256: str) -> IO[bytes]:
    """The bytes of a file, readable after the workspace is closed: on the disk if they are many."""
    spool = tempfile.SpooledTemporaryFile(max_size=2 * PART)  # noqa: SIM115 - Falcon closes it once it is sent
    for part in parts(sha256):
        spool.write(part)
    spool.seek(0)
    return spool
