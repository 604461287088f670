"""Revaluations over HTTP."""

from erp.finance.books import ledger
from erp.finance.closing.revaluation import revaluations, views
from erp.finance.closing.revaluation.bodies import NewRevaluation, RevaluationFilter, RevaluationVoid
from erp.finance.closing.revaluation.models import Revaluation
from erp.finance.closing.revaluation.views import RevaluationPreview, RevaluationView
from erp.kernel.errors import AlreadyExists, InvalidTransition
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: RevaluationFilter) -> Page[RevaluationView]:
        """List revaluations.

        The newest first, void ones included.
        """
        return views.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(AlreadyExists, *ledger.POSTING))
    def on_post(self, body: NewRevaluation) -> RevaluationView | RevaluationPreview:
        """Revalue open items and accounts in foreign currencies at the end of a day.

        Receivables and payables are revalued item by item, accounts in a foreign currency by their balance; gains and
        losses are posted to accounts of their own. On the next day all of it is reversed automatically. Open items keep
        the value of their documents. Each day can have one revaluation. With `dryRun`, the answer is 200 and shows it;
        nothing is posted.
        """
        revaluation = revaluations.make(body)
        return RevaluationPreview.of(revaluation) if body.dry_run else RevaluationView.of(revaluation)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> RevaluationView:
        """Show a revaluation.

        It shows the rates, each item with its difference, both entries, and `can`, the actions open to you now.
        """
        return RevaluationView.of(Revaluation.find(id))


class Void:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, *ledger.POSTING))
    def on_post(self, id: str, body: RevaluationVoid) -> RevaluationView:
        """Void a revaluation: both entries are reversed on their own days, so that its day can be revalued again.

        One that is void is refused (409), as is one of locked days.
        """
        return RevaluationView.of(revaluations.void(id, body.reason))
