"""Quotes over HTTP."""

from erp.finance.invoices.views import InvoiceView
from erp.finance.quotes import acceptance, invoicing, listing, papers, previews, quotes, sending
from erp.finance.quotes.acceptance import QuoteExpired
from erp.finance.quotes.bodies import (
    NewQuote,
    QuoteAcceptance,
    QuoteChange,
    QuoteClose,
    QuoteDecline,
    QuoteInvoice,
    QuotePaperQuery,
    QuoteProject,
)
from erp.finance.quotes.figures import BadAlternative, NothingIncluded
from erp.finance.quotes.invoice_previews import QuoteInvoicePreview
from erp.finance.quotes.invoicing import AboveQuote, DepositOpen
from erp.finance.quotes.listing import QuoteFilter, QuoteSum
from erp.finance.quotes.models import Quote
from erp.finance.quotes.previews import QuotePreview, TypedQuote
from erp.finance.quotes.views import QuoteSummary, QuoteView
from erp.kernel.errors import AlreadyExists, Forbidden, InUse, InvalidTransition, SampleData, UnknownReference
from erp.mail.bodies import SendShared
from erp.mail.marking import SentMark
from erp.mail.messages import Draft
from erp.mail.sending import REFUSES
from erp.mail.views import MessageDraftView, MessageView, shown_message
from erp.share_links import links
from erp.share_links.bodies import NewShareLink, ShareLinkQuery, ShareLinkView
from erp.share_links.links import SharingOff
from erp.share_links.refusals import Superseded, TwoAlternatives
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.inline import shown
from erp.web.schema import File, SummedPage

_COLLECTION = "/api/v1/finance/quotes"


class Collection:
    @endpoint(permission="finance.read", refuses=(UnknownReference,))
    def on_get(self, query: QuoteFilter) -> SummedPage[QuoteSummary, QuoteSum] | list[QuoteSum]:
        """List quotes, without their lines; of each number the newest revision.

        `groupBy` answers counts and sums. With `total`, the page also has sums by currency.
        """
        return listing.sums(query) if query.group_by else listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, BadAlternative, NothingIncluded))
    def on_post(self, body: NewQuote) -> QuoteView:
        """Draft a quote. It posts nothing, now or later.

        It has the lines of a sales invoice. An `optional` line comes on top if the customer chooses it; an
        `alternative` replaces the included line whose position `alternativeTo` names. Neither is in the total.
        """
        return QuoteView.of(quotes.create(body))


class Preview:
    @endpoint(permission="finance.write", writes=False, refuses=(UnknownReference,))
    def on_post(self, body: TypedQuote) -> QuotePreview:
        """Compute the totals of a quote as far as it is typed, without storing anything.

        Incomplete input is accepted. `details` of the quote and of each line hold the errors that saving it would
        return. An option has its own amounts, without the document's discount.
        """
        return QuotePreview.of(previews.preview(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> QuoteView:
        """Show a quote with its lines, its revisions and its invoices.

        `can` lists the actions that its status allows.
        """
        return QuoteView.of(Quote.find(id))

    @endpoint(
        permission="finance.write", refuses=(UnknownReference, InvalidTransition, BadAlternative, NothingIncluded)
    )
    def on_patch(self, id: str, body: QuoteChange) -> QuoteView:
        """Change a draft, or the last day, reference and note of an issued quote.

        Each field that is sent replaces the old value, lists and objects as a whole; null restores the default. A line
        that is sent with its `id` keeps that id.
        """
        return QuoteView.of(quotes.change(id, body))

    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_delete(self, id: str) -> None:
        """Delete a draft. The number of a revision stays with the revision before it.

        What has been issued is never deleted.
        """
        quotes.remove(id)


class Issue:
    @endpoint(
        permission="finance.write", refuses=(UnknownReference, InvalidTransition, BadAlternative, NothingIncluded)
    )
    def on_post(self, id: str) -> QuoteView:
        """Issue a draft: it gets its number, and its lines, texts and parties are frozen.

        The revision before it is superseded.
        """
        return QuoteView.of(quotes.issue(id))


class Revise:
    @endpoint(
        permission="finance.write",
        status=201,
        collection=_COLLECTION,
        refuses=(UnknownReference, InvalidTransition, AlreadyExists),
    )
    def on_post(self, id: str) -> QuoteView:
        """Draft the next revision of an issued, expired or declined quote, under the same number.

        One draft at a time. The revision before stays valid until the draft is issued.
        """
        return QuoteView.of(quotes.revise(id))


class Accept:
    @endpoint(
        permission="finance.write",
        refuses=(UnknownReference, InvalidTransition, QuoteExpired, TwoAlternatives, Forbidden, AlreadyExists),
    )
    def on_post(self, id: str, body: QuoteAcceptance) -> QuoteView:
        """Accept a quote for the customer.

        The chosen options come in, and an alternative replaces its line; the accepted amounts are computed again and
        frozen. With `project`, a project begins: the customer's, at the accepted net as its fixed price and budget
        (in the base currency only), with the hours and days of the lines as its minutes. It needs `projects.write`, as
        naming a `projectId` does. Invoices of the quote take the project.
        """
        return QuoteView.of(acceptance.accept(id, body))


class BeginProject:
    @endpoint(permission="finance.write", refuses=(UnknownReference, InvalidTransition, Forbidden, AlreadyExists))
    def on_post(self, id: str, body: QuoteProject) -> QuoteView:
        """Begin the project of an accepted quote that has none, or name it.

        Such as of a quote that was accepted by its share link. The project begins as one that `accept` begins; it needs
        `projects.write`. Invoices of the quote that are made afterwards take it.
        """
        return QuoteView.of(acceptance.give_project(id, body))


class Decline:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, body: QuoteDecline) -> QuoteView:
        """Decline an issued or expired quote for the customer.

        It can be reopened or revised.
        """
        return QuoteView.of(quotes.decline(id, body))


class Reopen:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, InUse))
    def on_post(self, id: str) -> QuoteView:
        """Undo the last step: a declined or accepted quote is issued again, a closed one accepted again.

        An accepted quote with invoices or drafts is refused (409 `in_use`).
        """
        return QuoteView.of(quotes.reopen(id))


class Close:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, body: QuoteClose) -> QuoteView:
        """Close an accepted quote whose rest will not be invoiced.

        Its invoices stay as they are. It can be reopened.
        """
        return QuoteView.of(quotes.close(id, body))


class Duplicate:
    @endpoint(permission="finance.write", status=201, collection=_COLLECTION, refuses=(UnknownReference,))
    def on_post(self, id: str) -> QuoteView:
        """Draft a quote like another one, of any status, dated today.

        The copy gets a number of its own when it is issued.
        """
        return QuoteView.of(quotes.duplicate(id))


class Send:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, SharingOff, Superseded, *REFUSES),
        prepare=sending.prepare,
    )
    def on_post(self, id: str, body: SendShared, prepared: Draft) -> MessageView | MessageDraftView:
        """Send an issued quote to its customer by e-mail, as PDF.

        It goes to the contact's `recipients` for quotes, else to its `email`. Without a mail server, or with `via`
        `eml`, the message is `prepared` for your own mail program. The same quote to the same addresses within 5
        minutes needs `force`. `sentAt` of the quote is set once a message was handed to the mail server. A draft and a
        superseded revision are refused (409). With `withLink` it brings a share link, by which its receiver can accept
        or decline, and which is listed among the quote's links: once that is revoked, the message is not sent any more
        (`link_ended`).
        """
        Quote.find_to_change(id)
        return shown_message(sending.send(prepared, body))


class MarkSent:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, body: SentMark) -> QuoteView:
        """Mark an issued quote as sent, such as by post.

        Nothing is sent by it. A quote that was sent already is refused (409).
        """
        return QuoteView.of(quotes.mark_sent(id, body))


class UnmarkSent:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> QuoteView:
        """Mark a quote as not sent.

        Messages that went out stay listed.
        """
        return QuoteView.of(quotes.unmark_sent(id))


class Invoice:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/invoices",
        refuses=(UnknownReference, InvalidTransition, AboveQuote, DepositOpen),
    )
    def on_post(self, id: str, body: QuoteInvoice) -> InvoiceView | QuoteInvoicePreview:
        """Draft an invoice of an accepted quote: a `share`, parts of `lines`, or the `rest`.

        A part of a line is rounded once, and what completes it takes all that is left, so that all invoices together
        are the quote's net. Live invoices and drafts count, less credit notes. More than is left is a 422
        (`above_quote`), unless `force`. Document charges are invoiced as lines. The lines are printed in the quote's
        own terms where these give the same net, else as 1 × the net.

        A deposit invoice (`kind`) asks for a share and uses nothing up; then only further deposits and one final
        invoice follow, which bills all that is left and applies the deposits. With `dryRun`, nothing is stored.
        """
        if not body.dry_run:
            return InvoiceView.of(invoicing.invoice(id, body).full)
        with WORKSPACE.undone():
            return QuoteInvoicePreview.of(invoicing.invoice(id, body))


class Pdf:
    @endpoint(permission="finance.read", store=None, produces="application/pdf", refuses=(InvalidTransition,))
    def on_get(self, id: str, query: QuotePaperQuery) -> File:
        """Print a quote, or the confirmation of the order, as PDF in the language of its customer.

        The file of an issued quote is made at the first request and stays the same, once it has the address and the tax
        number or VAT number of the office and the address of the customer. Drafts are marked. The order confirmation
        has the accepted lines, and the day and the name of the yes. `X-Content-SHA256` is the hash of a stored file.
        With `inline`, a page may show it in a frame.
        """
        file = papers.file_of(id, query)
        return shown(file) if query.inline else file


class Links:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: ShareLinkQuery) -> list[ShareLinkView]:
        """List the share links of a quote, without their secrets.

        The newest first, revoked and expired ones included. Each revision has links of its own.
        """
        return [ShareLinkView.of(link) for link in links.of("quote", Quote.find(id).id)]

    @endpoint(
        permission="finance.write",
        status=201,
        shows_secret=True,
        refuses=(InvalidTransition, SharingOff, Superseded, SampleData),
        prepare=links.hashed_pin,
    )
    def on_post(self, id: str, body: NewShareLink, prepared: str | None) -> ShareLinkView:
        """Make a share link of an issued quote, by which its receiver can also accept or decline it.

        Everyone with `url` can do so without signing in, until the link expires or is revoked. The address has the
        secret, and is shown only once. The workspace must have the setting `shareLinks`.
        """
        return ShareLinkView.of(*links.make("quote", id, body, prepared))


class LinkRevoke:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, link_id: str) -> ShareLinkView:
        """Revoke a share link: it opens nothing any more.

        One that is revoked already is refused (409).
        """
        return ShareLinkView.of(links.revoke("quote", id, link_id))
