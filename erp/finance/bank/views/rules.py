"""Views of bank rules."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.bank import store
from erp.finance.bank.bodies import RuleFilter
from erp.finance.bank.models import BankRule
from erp.finance.books.dimensions.codes import of_text
from erp.store import names
from erp.web.paging import page
from erp.web.schema import Page, RecordView, show


class BankRuleView(RecordView):
    """The account for lines with a text."""

    text: str
    account_id: str
    account_code: str
    account_name: str
    contact_id: str | None
    contact_name: str | None
    direction: Literal["in", "out", "any"]
    account_of_bank_id: str | None
    account_of_bank_name: str | None
    tax_rate_id: str | None
    tax_rate_name: str | None
    project_id: str | None
    project_name: str | None
    dimensions: dict[str, str]
    description: str | None
    is_automatic: bool
    used_count: Annotated[int, Meta(description="The transactions that are matched by it.")]
    last_used_at: str | None

    @classmethod
    def of(cls, rule: BankRule) -> "BankRuleView":
        return cls.of_many([rule])[0]

    @classmethod
    def of_many(cls, rules: Sequence[BankRule]) -> "list[BankRuleView]":
        named = names.of(
            account=[id for rule in rules for id in (rule.account_id, rule.account_of_bank_id)],
            contact=[rule.contact_id for rule in rules],
            tax_rate=[rule.tax_rate_id for rule in rules],
            project=[rule.project_id for rule in rules],
        )
        uses = store.uses_of_rules([rule.id for rule in rules])
        return [
            show(
                cls,
                rule,
                account_code=named.code(rule.account_id),
                account_name=named.name(rule.account_id),
                contact_name=named.name(rule.contact_id),
                account_of_bank_name=named.name(rule.account_of_bank_id),
                tax_rate_name=named.name(rule.tax_rate_id) if rule.tax_rate_id else None,
                project_name=named.name(rule.project_id),
                dimensions=of_text(rule.dimensions),
                used_count=uses.get(rule.id, (0, None))[0],
                last_used_at=uses.get(rule.id, (0, None))[1],
            )
            for rule in rules
        ]


def listed(query: RuleFilter) -> Page[BankRuleView]:
    return page(BankRule.select(), query, views=BankRuleView.of_many, sort=query.sort)
