"""The page of share links: one document by its secret, outside of the app and without signing in.

Style and script are inside, so that no other file is needed. Browsers send nothing behind `#`, where the secret is; the
script sends it in the body of a request.
"""

import hashlib
import json
from base64 import b64encode
from importlib.resources import files
from string import Template

from falcon import Request, Response

from erp.kernel.language import ENGLISH, Word, accepted, says, translated

PATH = "/s"
TITLE = Word("Shared document")
TEXTS = {
    "loading": says("The document is being opened."),
    "noscript": says("This page needs JavaScript."),
    "nothing": says("This link does not open"),
    "offline": says("The server does not answer. Try again later."),
    "pin": says("PIN of the link"),
    "open": Word("Open", "act"),
    "office": Word("From", "sender"),
    "issueDate": Word("Date"),
    "dueDate": Word("Due date"),
    "total": Word("Total"),
    "amountDue": Word("Amount due"),
    "state": Word("Status"),
    "payment": Word("Payment"),
    "holder": Word("Payee"),
    "reference": Word("Payment reference"),
    "code": says("QR code of the transfer"),
    "scan": says("Scan this code with your banking app. It fills in the transfer."),
    "version": says("version {revision}"),
    "validUntil": Word("Valid until"),
    "netTotal": Word("Net"),
    "taxTotal": Word("Tax"),
    "includeTax": says("The prices and amounts of the lines include VAT."),
    "lines": Word("Lines"),
    "item": says("Item {position}: choose one"),
    "option": Word("Optional", "line"),
    "optional": says("Optional, not in the total"),
    "alternative": says("Alternative to item {position}"),
    "chosen": Word("chosen", "option"),
    "notChosen": Word("not chosen"),
    "price": says("{quantity} × {price}"),
    "perUnits": says("per {quantity}"),
    "answer": says("Your answer"),
    "name": says("Your name"),
    "note": says("Note (optional)"),
    "reason": says("Reason (optional)"),
    "word": says(
        "With your name you say that you order this. It is your word, and no qualified electronic signature. Your "
        "name, the time, and a fingerprint of the PDF are kept."
    ),
    "acceptFor": says("Accept for {total}"),
    "declineIt": says("Decline…"),
    "decline": says("Decline the quote"),
    "back": Word("Back"),
    "accepted": says("Thank you. You have accepted the quote."),
    "declined": says("You have declined the quote."),
    "form.pdf": says("Download the PDF"),
    "form.order_confirmation": says("Download the order confirmation (PDF)"),
    "form.xml": says("Download the e-invoice (XML)"),
    "state.issued": Word("Open", "amount"),
    "state.accepted": Word("Accepted"),
    "state.declined": Word("Declined"),
    "state.expired": Word("Expired"),
    "state.superseded": Word("Superseded"),
    "state.closed": Word("Closed"),
    "state.overdue": Word("Overdue"),
    "state.partially_paid": Word("Partly paid"),
    "state.paid": Word("Paid"),
    "state.credited": Word("Credited"),
    "state.written_off": Word("Closed"),
    "state.void": Word("Void"),
}
"""The texts of the page."""
KINDS: dict[str, Word] = {}
"""The titles of documents by their kind, which `erp.app` registers."""


class Shared:
    def on_get(self, req: Request, resp: Response) -> None:
        """Show the page, in the reader's language."""
        from html import escape  # here, because few servers share

        language = accepted(req.get_header("Accept-Language")) or ENGLISH
        said = {name: translated(text, language) for name, text in TEXTS.items()}
        said |= {f"kind.{kind}": translated(title, language) for kind, title in KINDS.items()}
        texts = json.dumps({**said, "title": translated(TITLE, language)}, ensure_ascii=False)
        style, script = _asset("shared.css"), _asset("shared.js")
        resp.text = Template(_asset("shared.html")).substitute(
            language=language,
            title=escape(translated(TITLE, language)),
            loading=escape(said["loading"]),
            noscript=escape(said["noscript"]),
            texts=texts.replace("<", "\\u003c"),
            style=style,
            script=script,
        )
        resp.content_type, resp.cache_control = "text/html; charset=utf-8", ["no-store"]
        resp.set_header("Referrer-Policy", "no-referrer")
        resp.set_header(
            "Content-Security-Policy",
            f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}';"
            " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    return (files("erp.web.pages") / name).read_text("utf-8")
