"""The list of pay components: its filters and orders."""

from typing import Annotated, Literal

import msgspec

from erp.hr.payroll.calculation.values import Calculation, Kind
from erp.hr.payroll.components.views import PayComponentView
from erp.hr.payroll.models import PayComponent
from erp.store import sql
from erp.web.paging import page
from erp.web.schema import Page, RecordQuery


class PayComponentFilter(RecordQuery):
    """Filter for pay components."""

    is_archived: Annotated[bool, msgspec.Meta(description="List the archived ones instead.")] = False
    kind: Kind | None = None
    calculation: Calculation | None = None
    q: Annotated[str, msgspec.Meta(max_length=200, description="Text in the code or the name.")] | None = None
    sort: Literal["position", "-position", "code", "-code", "name", "-name", "createdAt", "-createdAt"] = "position"


SORTABLE = {"position": PayComponent.position, "code": PayComponent.code, "name": PayComponent.name}


def search(query: PayComponentFilter) -> Page[PayComponentView]:
    components = PayComponent.select().where(PayComponent.archived_at.is_null(not query.is_archived))
    if query.kind is not None:
        components = components.where(PayComponent.kind == query.kind)
    if query.calculation is not None:
        components = components.where(PayComponent.calculation == query.calculation)
    if query.q is not None:
        components = components.where(sql.positional(sql.contains(("name", "code"), query.q)))
    return page(components, query, views=PayComponentView.of_many, sort=query.sort, sortable=SORTABLE)
