"""Dimensions over HTTP."""

from erp.finance.books.dimensions import dimensions
from erp.finance.books.dimensions.bodies import (
    DimensionChange,
    DimensionFilter,
    DimensionValueChange,
    DimensionValueFilter,
    NewDimension,
    NewDimensionValue,
)
from erp.finance.books.dimensions.dimensions import TooManyDimensions
from erp.finance.books.dimensions.models import Dimension, DimensionValue
from erp.finance.books.dimensions.views import DimensionValueView, DimensionView
from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition, UnknownReference
from erp.store import sql
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import Page


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: DimensionFilter) -> Page[DimensionView]:
        """List dimensions by code.

        Archived dimensions are left out; `isArchived=true` lists only them.
        """
        select = Dimension.select().where(Dimension.archived_at.is_null(not query.is_archived))
        return page(select, query, views=DimensionView.of_many, sort="code", sortable={"code": Dimension.code})

    @endpoint(permission="finance.write", status=201, refuses=(AlreadyExists, TooManyDimensions))
    def on_post(self, body: NewDimension) -> DimensionView:
        """Add a dimension, such as the cost centre; at most three.

        Lines of documents and of journal entries then take `dimensions: {"cc": "100"}`. A line that names no value
        takes the default of its account, else of its product or its contact. Only income and expenses are posted with
        values. On the accounts in `requiredFor`, nothing is posted without one (`dimension_required`).
        """
        return DimensionView.of(dimensions.add(body))


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> DimensionView:
        """Show a dimension.

        Its values come with `GET /finance/dimensions/{id}/values`.
        """
        return DimensionView.of(Dimension.find(id))

    @endpoint(permission="finance.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: DimensionChange) -> DimensionView:
        """Change a dimension.

        Its code stays, as does everything posted with it.
        """
        return DimensionView.of(dimensions.change(id, body))


class Archive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> DimensionView:
        """Archive a dimension: nothing new is posted with it, and it is required nowhere.

        Reports still show it.
        """
        return DimensionView.of(dimensions.archive(id))


class Unarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, AlreadyExists, TooManyDimensions))
    def on_post(self, id: str) -> DimensionView:
        """Unarchive a dimension, so that new lines can have it again.

        Refused (409) where there are three others.
        """
        return DimensionView.of(dimensions.unarchive(id))


class Values:
    @endpoint(permission="finance.read")
    def on_get(self, id: str, query: DimensionValueFilter) -> Page[DimensionValueView]:
        """List the values of a dimension by code.

        Archived values are left out; `isArchived=true` lists only them.
        """
        select = DimensionValue.select().where(
            DimensionValue.dimension == Dimension.find(id).id,
            DimensionValue.archived_at.is_null(not query.is_archived),
        )
        if query.q is not None:
            select = select.where(sql.positional(sql.contains(("code", "name"), query.q)))
        return page(
            select, query, views=DimensionValueView.of_many, sort="code", sortable={"code": DimensionValue.code}
        )

    @endpoint(
        permission="finance.write",
        status=201,
        collection="/api/v1/finance/dimension-values",
        refuses=(AlreadyExists, UnknownReference),
    )
    def on_post(self, id: str, body: NewDimensionValue) -> DimensionValueView:
        """Add a value to a dimension.

        A report of its parent includes it.
        """
        return DimensionValueView.of(dimensions.add_value(id, body))


class Value:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> DimensionValueView:
        """Show a value of a dimension.

        Values that are archived are shown too.
        """
        return DimensionValueView.of(DimensionValue.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference,))
    def on_patch(self, id: str, body: DimensionValueChange) -> DimensionValueView:
        """Change the name or the parent of a value.

        Its code stays, as does everything posted with it.
        """
        return DimensionValueView.of(dimensions.change_value(id, body))


class ValueArchive:
    @endpoint(permission="finance.write", refuses=(InUse, InvalidTransition))
    def on_post(self, id: str) -> DimensionValueView:
        """Archive a value: nothing new is posted with it, and it is no longer a default.

        Refused as `in_use` while values below it are not archived.
        """
        return DimensionValueView.of(dimensions.archive_value(id))


class ValueUnarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> DimensionValueView:
        """Unarchive a value, so that new lines can have it again.

        One that is not archived is refused (409).
        """
        return DimensionValueView.of(dimensions.unarchive_value(id))
