"""Views of bank rules."""

from collections.abc import Sequence

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
    tax_rate_id: str | None
    tax_rate_name: str | None
    project_id: str | None
    project_name: str | None
    dimensions: dict[str, str]
    description: str | None
    is_automatic: bool

    @classmethod
    def of(cls, rule: BankRule) -> "BankRuleView":
        return cls.of_many([rule])[0]

    @classmethod
    def of_many(cls, rules: Sequence[BankRule]) -> "list[BankRuleView]":
        named = names.of(
            account=[rule.account_id for rule in rules],
            tax_rate=[rule.tax_rate_id for rule in rules],
            project=[rule.project_id for rule in rules],
        )
        return [
            show(
                cls,
                rule,
                account_code=named.code(rule.account_id),
                account_name=named.name(rule.account_id),
                tax_rate_name=named.name(rule.tax_rate_id) if rule.tax_rate_id else None,
                project_name=named.name(rule.project_id),
                dimensions=of_text(rule.dimensions),
            )
            for rule in rules
        ]


def listed(query: RuleFilter) -> Page[BankRuleView]:
    return page(BankRule.select(), query, views=BankRuleView.of_many, sort=query.sort)
