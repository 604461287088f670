"""Reminders over HTTP: levels, base rates, blocks, the proposal, runs and letters."""

from erp.finance.books import ledger
from erp.finance.contacts import contacts, heads
from erp.finance.contacts.contacts import Merged
from erp.finance.contacts.views import ContactView
from erp.finance.documents import store as documents
from erp.finance.dunning import blocks, charges, letters, levels, listing, pdf, proposals, sending
from erp.finance.dunning.blocks import AlreadyBlocked
from erp.finance.dunning.bodies import (
    BaseRateChange,
    BaseRateFilter,
    LevelFilter,
    NewBaseRate,
    NewReminderBlock,
    NewReminderLevel,
    NewReminderRun,
    ProposalQuery,
    ReminderCharges,
    ReminderFilter,
    ReminderLevelChange,
    ReminderUndo,
    ReminderWaive,
)
from erp.finance.dunning.letters import AlreadyCharged, ChosenLetter, NotDue
from erp.finance.dunning.levels import DayTaken, LevelLimit, PositionTaken
from erp.finance.dunning.models import BaseRate, Reminder, ReminderLevel
from erp.finance.dunning.proposals import NoBaseRate
from erp.finance.dunning.sending import SendReminders
from erp.finance.dunning.views import (
    BaseRateView,
    ReminderLevelView,
    ReminderProposalView,
    ReminderRunPreview,
    ReminderRunView,
    ReminderView,
)
from erp.finance.invoices.views import InvoiceView
from erp.kernel.errors import InUse, InvalidTransition, UnknownReference
from erp.mail.bodies import Send
from erp.mail.marking import SentMark
from erp.mail.messages import Draft
from erp.mail.sending import REFUSES
from erp.mail.views import MessageDrafts, MessageDraftView, MessageView, SentMessages, shown_all, shown_message
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page


class Levels:
    @endpoint(permission="finance.read")
    def on_get(self, query: LevelFilter) -> Page[ReminderLevelView]:
        """List the levels of reminders by position.

        A new workspace has three: a payment reminder 7 days after the due date, a reminder 14 days after that letter,
        and a final reminder with interest 10 days later.
        """
        return listing.levels(query)

    @endpoint(permission="finance.write", status=201, refuses=(PositionTaken, LevelLimit))
    def on_post(self, body: NewReminderLevel) -> ReminderLevelView:
        """Add a level of reminders; there are at most five.

        An item reaches the next level so many days after its last letter, and the first one after its due date.
        """
        return ReminderLevelView.of(levels.add(body))


class Level:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ReminderLevelView:
        """Show a level of reminders.

        It shows the days, the fee, and whether interest and the lump sum are charged.
        """
        return ReminderLevelView.of(ReminderLevel.find(id))

    @endpoint(permission="finance.write", refuses=(PositionTaken, InUse))
    def on_patch(self, id: str, body: ReminderLevelChange) -> ReminderLevelView:
        """Change a level of reminders.

        Letters keep what they said. The position of a level that a letter names stays (409 `in_use`).
        """
        return ReminderLevelView.of(levels.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a level of reminders that no letter names.

        One that a letter names is refused (409 `in_use`), unless the letter is undone.
        """
        levels.remove(id)


class BaseRates:
    @endpoint(permission="finance.read")
    def on_get(self, query: BaseRateFilter) -> Page[BaseRateView]:
        """List base rates, the latest first.

        Default interest is the base rate of each day and the points of the setting `reminders`.
        """
        return listing.base_rates(query)

    @endpoint(permission="finance.write", status=201, refuses=(DayTaken,))
    def on_post(self, body: NewBaseRate) -> BaseRateView:
        """Enter the base rate that the central bank announces, from a day on.

        It may be below zero; with the points, interest is never below zero.
        """
        return BaseRateView.of(levels.add_rate(body))


class BaseRateItem:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> BaseRateView:
        """Show a base rate.

        It is in force from its day until the next one.
        """
        return BaseRateView.of(BaseRate.find(id))

    @endpoint(permission="finance.write", refuses=(DayTaken,))
    def on_patch(self, id: str, body: BaseRateChange) -> BaseRateView:
        """Change a base rate.

        Letters keep the interest that they asked for.
        """
        return BaseRateView.of(levels.change_rate(id, body))

    @endpoint(permission="finance.write")
    def on_delete(self, id: str) -> None:
        """Delete a base rate.

        Letters keep the interest that they asked for.
        """
        levels.remove_rate(id)


class ContactBlock:
    @endpoint(permission="finance.write", refuses=(AlreadyBlocked, Merged))
    def on_post(self, id: str, body: NewReminderBlock) -> ContactView:
        """Block a contact from reminders.

        It gets no letters until the block is lifted, or through `until`: from the day after, it is reminded again.
        """
        return ContactView.of(blocks.block_contact(id, body))


class ContactBlockLift:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ContactView:
        """Lift the block of a contact, so that it is reminded again.

        Blocks of its invoices stay.
        """
        return ContactView.of(blocks.lift_contact(id))


class InvoiceBlock:
    @endpoint(permission="finance.write", refuses=(AlreadyBlocked, InvalidTransition))
    def on_post(self, id: str, body: NewReminderBlock) -> InvoiceView:
        """Block an issued invoice from reminders.

        No letter names it until the block is lifted, or through `until`: from the day after, it is reminded again.
        """
        return InvoiceView.of(documents.full(blocks.block_invoice(id, body)))


class InvoiceBlockLift:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> InvoiceView:
        """Lift the block of an invoice, so that letters name it again.

        A block of its contact stays.
        """
        return InvoiceView.of(documents.full(blocks.lift_invoice(id)))


class ProposedRun:
    @endpoint(permission="finance.read", refuses=(NoBaseRate, UnknownReference))
    def on_get(self, query: ProposalQuery) -> ReminderProposalView:
        """Propose the reminders of a day: who is to get a letter, with its figures, and who is left out and why.

        A customer gets one letter a currency with all overdue items, once one of them has reached its next level; the
        letter has the highest. Interest is counted by day on the open amount: base rate and points ÷ 365, from the day
        after the due date through the day of the letter; a payment counts from the day after it.
        """
        contact_id = query.contact_id and contacts.refer(query.contact_id, "contactId", archived=True).id
        return ReminderProposalView.of(proposals.propose(query.date, contact_id=contact_id, currency=query.currency))


class Runs:
    @endpoint(
        permission="finance.write",
        status=201,
        refuses=(NotDue, NoBaseRate, UnknownReference),
        prepare=letters.look_ahead,
    )
    def on_post(self, body: NewReminderRun) -> ReminderRunView | ReminderRunPreview:
        """Make letters of the proposal, all or none.

        A letter that is not due any more, or an item that is blocked, refuses all (409 `not_due`), by row. Letters post
        nothing. With `dryRun`, the answer is 200 and shows them; nothing is stored.
        """
        chosen = [
            ChosenLetter(
                heads.of(row.contact_id),
                row.currency,
                row.level,
                None if row.item_ids is None else tuple(row.item_ids),
            )
            for row in body.letters
        ]
        proposal = letters.draft(body.date, chosen)
        if body.dry_run:
            return ReminderRunPreview.of(proposal)
        return ReminderRunView.of(proposal.day, letters.make(proposal))


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: ReminderFilter) -> Page[ReminderView]:
        """List reminders, the newest first.

        Undone letters are included; `status` chooses.
        """
        return listing.search(query)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ReminderView:
        """Show a reminder with its items.

        Its figures are frozen as of its day. A letter replaces the one before: fee, interest and lump sum are
        totals, and `charged` is taken off.
        """
        return ReminderView.of(Reminder.find(id))


class Pdf:
    @endpoint(permission="finance.read", store=None, produces="application/pdf")
    def on_get(self, id: str) -> File:
        """Print a reminder as PDF, in the language of its customer.

        The file is made at the first request from the data of the day the letter was made, and stays the same;
        `X-Content-SHA256` is its hash. An undone letter is marked.
        """
        return pdf.file_of(id)


class Undo:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, InUse))
    def on_post(self, id: str, body: ReminderUndo) -> ReminderView:
        """Undo a reminder: its items fall back to the level before.

        Its number stays. A letter whose charges are invoiced is refused (409 `in_use`): void that invoice first.
        """
        return ReminderView.of(letters.undo(id, body.reason))


class Charge:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, AlreadyCharged, *ledger.POSTING))
    def on_post(self, id: str, body: ReminderCharges) -> ReminderView:
        """Invoice the charges of a reminder: fee, interest and lump sum, or some of them, once.

        They become an issued sales invoice of today, due at once, without VAT, since they are damages. It posts to the
        default accounts `reminder_charges` and `default_interest`, and bears no interest itself. Charges can be
        invoiced after the items have been paid as well.
        """
        return ReminderView.of(charges.charge(id, body.parts))


class Waive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, AlreadyCharged))
    def on_post(self, id: str, body: ReminderWaive) -> ReminderView:
        """Waive the charges of a reminder.

        Neither it nor a later letter asks for them; later letters ask only for what is added after it.
        """
        return ReminderView.of(letters.waive(id, body.reason))


class SendByMail:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=(InvalidTransition, *REFUSES),
        prepare=sending.prepare,
    )
    def on_post(self, id: str, body: Send, prepared: Draft) -> MessageView | MessageDraftView:
        """Send a reminder to its customer by e-mail, as PDF.

        It goes to the contact's `recipients` for reminders, else to its `email`, with the text of its level. Without a
        mail server, or with `via` `eml`, the message is `prepared` for your own mail program. The same letter to the
        same addresses within 5 minutes needs `force`. `sentAt` of the letter is set once a message was handed to the
        mail server. An undone letter is refused (409).
        """
        return shown_message(sending.send(id, prepared, body))


class SendAll:
    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/workspace/messages",
        refuses=REFUSES,
        prepare=sending.prepare_all,
    )
    def on_post(self, body: SendReminders, prepared: list[Draft]) -> SentMessages | MessageDrafts:
        """Send up to 100 reminders to their customers, all or none, each in a message of its own.

        Errors name the row (`reminderIds[3]`).
        """
        return shown_all(sending.send_all(prepared, body))


class MarkAsSent:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str, body: SentMark) -> ReminderView:
        """Note that a reminder was sent, by post for example.

        `on` is the day, from the letter's own through today.
        """
        return ReminderView.of(letters.mark_sent(id, body))


class UnmarkAsSent:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ReminderView:
        """Note that a reminder was not sent after all.

        One that is not marked as sent is refused (409).
        """
        return ReminderView.of(letters.unmark_sent(id))
