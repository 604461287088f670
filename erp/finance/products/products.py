"""Products: the rules of adding and changing them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from erp.finance.books import accounts
from erp.finance.books.dimensions import assigning
from erp.finance.contacts import tax_rates
from erp.finance.products.bodies import NewProduct, ProductChange
from erp.finance.products.models import Product
from erp.kernel import money
from erp.kernel.complaints import refuse_any, unknown_currency
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import AlreadyExists, Complaint
from erp.kernel.language import Noun, Word, says
from erp.store import changes, events, sql, workspace_settings
from erp.store.router import WORKSPACE


def add(new: NewProduct) -> Product:
    """Add a product.

    Raises:
        UnknownReference: there is no such tax rate or account in this workspace.
        Invalid: with a complaint for every field that is wrong.
        AlreadyExists: another product has the number.
    """
    values = columns(new)
    product = Product.add(**_checked(values, values))
    events.write("product.created", "product", product.id, _event_data(product))
    return product


def change(id: str, body: ProductChange) -> Product:
    """Change a product; existing lines keep the fields they took.

    Raises:
        UnknownReference: there is no such tax rate or account in this workspace.
        Invalid: with a complaint for every field that is wrong.
        AlreadyExists: another product has the number.
    """
    product = Product.find_to_change(id)
    values = changes.differing(product, columns(body))
    result = {name: values.get(name, getattr(product, name)) for name in ProductChange.__struct_fields__}
    values = changes.differing(product, _checked(values, result))
    if values:
        data = {"name": product.name, "changes": changes.before_and_after(product, values)}
        product.change(**values)
        events.write("product.updated", "product", id, data)
    return product


def remove(id: str) -> None:
    """Delete an unused product.

    Raises:
        InUse: a document names it.
    """
    product = Product.find_to_change(id)
    refusal = says("{name} is used in documents and cannot be deleted. Archive the product instead.", name=product.name)
    changes.delete(product, refusal, _event_data)


def archive(id: str) -> Product:
    """Archive a product, so that no new line can name it."""
    return changes.archive(Product.find_to_change(id), _event_data)


def unarchive(id: str) -> Product:
    """Unarchive a product, so that new lines can name it again.

    Raises:
        InvalidTransition: it is not archived.
        Invalid: its tax rate or account has been archived.
    """
    product = changes.unarchive(Product.find_to_change(id), _event_data)
    values = {name: getattr(product, name) for name in ProductChange.__struct_fields__}
    _with_accounts(values, values)
    return product


def dimensions(ids: Iterable[str | None]) -> dict[str | None, str | None]:
    """The default dimensions of products, as stored."""
    return dict(WORKSPACE.rows(_DIMENSIONS, (sql.array({id for id in ids if id is not None}),)))


_DIMENSIONS = "SELECT id, dimensions FROM product WHERE id IN (SELECT value FROM json_each(?))"


def columns(body: NewProduct | ProductChange) -> dict[str, Any]:
    """The sent fields, as columns; the account may still be a code."""
    values, settings = assigning.as_columns(body.changes()), workspace_settings.current()
    for name in ("unit_price", "purchase_price"):
        if values.get(name) is not None:
            values[name] = money.scaled(values[name], money.MICRO)
    if "currency" in values and values["currency"] is None:
        values["currency"] = settings.base_currency
    if "price_includes_tax" in values and values["price_includes_tax"] is None:
        values["price_includes_tax"] = settings.prices_include_tax
    return values


def _event_data(product: Product) -> dict[str, Any]:
    return {"name": product.name, "number": product.number}


def _checked(values: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Check the values of a new or changed product; return them with the id of the account.

    Args:
        values: the values to write.
        result: all values of the product after that.
    """
    checked = _with_accounts(values, result)
    number = values.get("number")
    if number is not None and WORKSPACE.rows("SELECT 1 FROM product WHERE number = ?", (number,)):
        raise AlreadyExists(says("Another product has the number {number}.", number=number), field="number")
    return checked


_RATES = {"tax_rate_id": "taxRateId", "purchase_tax_rate_id": "purchaseTaxRateId"}
_ACCOUNTS = {"account_id": "accountId", "purchase_account_id": "purchaseAccountId"}


def _with_accounts(values: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Check currency, tax rates and accounts, if they are written; return the values with the ids of the accounts."""
    complaints = [] if result["currency"] in DIGITS else [unknown_currency("currency")]
    rates = {field: values[name] for name, field in _RATES.items() if values.get(name) is not None}
    complaints += tax_rates.look_up(rates)[1] if rates else []
    named = {
        field: result[name]
        for name, field in _ACCOUNTS.items()
        if result[name] is not None and values.keys() & {name, "currency"}
    }
    by_field, wrong = accounts.look_up(named) if named else ({}, [])
    wrong += [
        complaint for field, account in by_field.items() for complaint in _misfits(field, account, result["currency"])
    ]
    refuse_any([*complaints, *wrong], Noun("account") if wrong else Noun("tax rate"))
    return {**values, **{name: by_field[field].id for name, field in _ACCOUNTS.items() if field in by_field}}


def _misfits(field: str, account: accounts.AccountRef, currency: str) -> Iterator[Complaint]:
    if account.needs_contact:
        message = says(
            "Account {code} cannot be used for a product ({subtype}). Choose another account.",
            code=account.code,
            subtype=Word.of(account.subtype),
        )
        yield Complaint(field, "unsuitable_account", message)
    elif account.currency not in (currency, workspace_settings.current().base_currency):
        message = says(
            "Account {code} is in {currency}. Choose one in the product's or base currency.",
            code=account.code,
            currency=account.currency,
        )
        yield Complaint(field, "wrong_currency", message)
