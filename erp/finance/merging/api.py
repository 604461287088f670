"""Merging contacts over HTTP."""

from erp.finance.contacts.models import Contact
from erp.finance.contacts.views import ContactView
from erp.finance.merging import merges
from erp.finance.merging.bodies import ContactMerge
from erp.finance.merging.views import MergePreview
from erp.kernel.errors import Conflict, InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint


class Merge:
    @endpoint(permission="finance.write", refuses=(Conflict, InvalidTransition, UnknownReference))
    def on_post(self, id: str, body: ContactMerge) -> ContactView | MergePreview:
        """Merge a duplicate into another contact.

        Nothing that is posted changes: issued documents keep their name, and open items, balances, reports and lists
        count for the contact that stays, its head. Drafts, recurring documents, projects, bank rules, learned IBANs
        and a block from reminders move, and empty fields of the head are filled. The duplicate is archived; wherever
        its id is sent, it means the head. Different VAT numbers or currencies are refused (409 `conflict`) unless
        `force` is sent. The answer is the head; with `dryRun`, what would move, what would stay, and the differences.
        """
        planned = merges.plan(id, body)
        if body.dry_run:
            return MergePreview.of(planned)
        return ContactView.of(Contact.find(merges.merge(planned, force=body.force).id))


class Unmerge:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> ContactView:
        """Undo the merge of a duplicate.

        What the merge moved and filled goes back, where it has not changed since. Refused (409 `in_use`) once an
        allocation, an offset, a final invoice, the invoice of a quote or a reminder joins documents of both; an
        allocation also when it was removed again.
        """
        return ContactView.of(merges.unmerge(id))
