"""The logo on the office's papers."""

import base64
import binascii
import io
import warnings
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta

from erp.attachments import stored
from erp.attachments.models import StoredFile
from erp.finance.output.models import Logo
from erp.kernel import caller
from erp.kernel.errors import Invalid, NotFound, VersionMismatch
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.web.endpoint import endpoint
from erp.web.schema import Body, File, View

TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg"}
"""By the names of formats; MPO is a JPEG with more images behind it, as phones make."""
MOST_BYTES, MOST_PIXELS = 500_000, 4_000_000
_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


class NoLogo(NotFound):
    """This workspace has no logo."""


class NewLogo(Body):
    """An image."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"file": _DOT}

    file: Annotated[str, Meta(min_length=1, description="A PNG or JPEG file of at most 500 kB, in base64.")]


class LogoView(View):
    """A logo; documents keep the hash of the one that they were issued with."""

    media_type: str
    sha256: str


class ReadLogo(NamedTuple):
    """A supported image."""

    content: bytes
    media_type: str


def read(body: NewLogo) -> ReadLogo:
    """Look into the image of a request, which takes no lock.

    Raises:
        Invalid: it is no such image, or too large.
    """
    content = _content(body.file)
    return ReadLogo(content, _type(content))


def _content(text: str) -> bytes:
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise _unfit() from None
    if len(content) > MOST_BYTES:
        raise Invalid.one("file", "too_large", says("Must not be larger than {limit} kB.", limit=MOST_BYTES // 1000))
    return content


def _type(content: bytes) -> str:
    """The media type of a supported image."""
    from PIL import Image, UnidentifiedImageError  # only logos need it

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(content), formats=["PNG", "JPEG"]) as image:
                kind, pixels = str(image.format), image.width * image.height
                if pixels <= MOST_PIXELS:
                    image.load()
    except Image.DecompressionBombError:
        raise _too_many_pixels() from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Warning):
        raise _unfit() from None
    if pixels > MOST_PIXELS:
        raise _too_many_pixels()
    return TYPES[kind]


def _too_many_pixels() -> Invalid:
    return Invalid.one("file", "too_large", says("Must not have more than {limit} pixels.", limit=MOST_PIXELS))


def _unfit() -> Invalid:
    return Invalid.one("file", "not_an_image", says("This is no PNG or JPEG file in base64."))


class Resource:
    @endpoint(permission="workspace.read", produces=("image/png", "image/jpeg"), refuses=(NoLogo,))
    def on_get(self) -> File:
        """Show the logo of the office's papers.

        The answer is the picture itself. Without a logo the answer is a 404 `no_logo`.
        """
        logo = _present()
        return File(stored.whole(logo.sha256), f"logo.{logo.media_type.rpartition('/')[2]}", logo.media_type)

    @endpoint(permission="workspace.write", refuses=(VersionMismatch,), prepare=read)
    def on_post(self, body: NewLogo, prepared: ReadLogo) -> LogoView:
        """Set the logo of the office's papers, in place of another.

        Issued documents keep the logo of their day. It is printed at the top left, at most 70 mm wide and 20 mm high.
        """
        return LogoView(**_set(prepared))

    @endpoint(permission="workspace.write", refuses=(NoLogo, VersionMismatch))
    def on_delete(self) -> None:
        """Remove the logo: papers print the office's name instead.

        Documents that were issued with the logo keep it. Without a logo the answer is a 404 `no_logo`.
        """
        _present()
        _change(None)


def _present() -> StoredFile:
    digest = workspace_settings.current().logo_hash
    logo = None if digest is None else StoredFile.find_by(sha256=digest)
    if logo is None:
        raise NoLogo
    return logo


def _set(image: ReadLogo) -> dict[str, str]:
    content, media_type = image
    sha256 = stored.keep_bytes(content, media_type)
    if Logo.find_by(sha256=sha256) is None:
        Logo.create(sha256=sha256)
    _change(sha256)
    return {"sha256": sha256, "media_type": media_type}


def _change(digest: str | None) -> None:
    workspace_settings.current().check_version()
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    workspace_settings.apply({"logo_hash": digest})
    events.write("workspace.updated", "workspace", workspace_id, {"changed": ["logo"]})
