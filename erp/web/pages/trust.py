"""The way to trust the certificate of this server on phones and computers: a page and a file, also without https.

The page needs nothing else, since a browser that does not trust the server yet can open no other file of it.
"""

import hashlib
from base64 import b64encode
from importlib.resources import files
from pathlib import Path
from string import Template

from falcon import HTTPNotFound, Request, Response

from erp.kernel import config, qr
from erp.kernel.language import ENGLISH, Word, accepted, says, translated
from erp.web import hosts

TITLE = Word("Trust this server")
TEXTS = {
    "intro": says("The server encrypts the connection with its own certificate. Trust it once on this device."),
    "download": Word("Download the certificate"),
    "compare": Word("Ask the server administrator whether this is the fingerprint on the server’s screen:"),
    "install": Word("Trust the certificate on your device:"),
    "iphone": (
        says(
            "Open the file and allow the profile. Install it in Settings, General, VPN & Device Management. "
            "Then switch it on in Settings, General, About, Certificate Trust Settings."
        )
    ),
    "android": says("Open Settings and search for CA certificate. Choose Install anyway, then the file."),
    "windows": (
        says(
            "Open the file and choose Install Certificate. As its place choose Trusted Root Certification Authorities."
        )
    ),
    "mac": says("Open the file, which adds it to Keychain Access. Open it there, and under Trust choose Always Trust."),
    "linux": (
        says(
            "In Firefox, open Settings and search for certificates. Choose View Certificates, Authorities, Import. In "
            "Chromium, open Settings, Privacy and security, Security, Manage certificates."
        )
    ),
    "open": Word("From now on, open the server at"),
    "scan": says("This page on a phone: scan the code."),
    "limits": says("The certificate counts only for names and addresses of local networks, and for no other website."),
}
"""The texts of the page by their placeholder."""
_MEDIA_TYPE = "application/x-x509-ca-cert"


def fingerprint(settings: config.Config) -> str | None:
    """The SHA-256 of the authority's certificate, as certificate viewers show it; None without one."""
    certificate = _certificate(settings)
    if certificate is None:
        return None
    digest = hashlib.sha256(certificate).hexdigest().upper()
    return ":".join(digest[i : i + 2] for i in range(0, len(digest), 2))


def _certificate(settings: config.Config) -> bytes | None:
    """The authority's certificate (DER); None where the server shows none."""
    path: Path = settings.tls_dir / "authority.pem"
    if not settings.tls or not path.exists():
        return None
    import ssl  # here, because few servers need it

    return ssl.PEM_cert_to_DER_cert(path.read_text("ascii"))


class Trust:
    def on_get(self, req: Request, resp: Response) -> None:
        """Show it, in the reader's language."""
        from html import escape  # here, because the page is read once a device

        settings = config.current()
        sha256, page = fingerprint(settings), hosts.trust_url(settings)
        if sha256 is None:
            raise HTTPNotFound
        language = accepted(req.get_header("Accept-Language")) or ENGLISH
        style = _asset("trust.css")
        said = {name: escape(translated(text, language)) for name, text in TEXTS.items()}
        resp.text = Template(_asset("trust.html")).substitute(
            said,
            language=language,
            title=escape(translated(TITLE, language)),
            style=style,
            fingerprint=sha256,
            address=escape(f"https://{req.env['HTTP_HOST']}/"),
            code=qr.svg(page or f"{req.prefix}{hosts.TRUST}").decode().partition("?>")[2],
        )
        resp.content_type, resp.cache_control = "text/html; charset=utf-8", ["no-store"]
        digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
        resp.set_header(
            "Content-Security-Policy",
            f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
        )


class Certificate:
    def on_get(self, req: Request, resp: Response) -> None:
        """Download the authority's certificate."""
        certificate = _certificate(config.current())
        if certificate is None:
            raise HTTPNotFound
        resp.data, resp.content_type = certificate, _MEDIA_TYPE
        resp.downloadable_as = "erp.crt"
        resp.cache_control = ["no-store"]


def _asset(name: str) -> str:
    return (files("erp.web.pages") / name).read_text("utf-8")
