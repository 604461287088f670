"""Products over HTTP."""

from erp.finance.products import listing, products
from erp.finance.products.bodies import NewProduct, ProductChange, ProductFilter
from erp.finance.products.models import Product
from erp.finance.products.views import ProductView
from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page
from erp.web.transport import sheets
from erp.web.transport.sheets import ImportedView, ReadRows, SheetImport


class Collection:
    @endpoint(permission="finance.read")
    def on_get(self, query: ProductFilter) -> Page[ProductView]:
        """List products by name.

        Archived products are left out; `isArchived=true` lists only them.
        """
        return listing.search(query)

    @endpoint(permission="finance.write", status=201, refuses=(UnknownReference, AlreadyExists))
    def on_post(self, body: NewProduct) -> ProductView:
        """Add a product.

        A line of a document that names it as `productId`, by its id or number, takes omitted fields from it:
        description, unit, price, tax rate and account; a line of a bill takes the purchase price, tax rate and account.
        """
        return ProductView.of(products.add(body))


class Import:
    @endpoint(permission="finance.write", prepare=sheets.rows_of(NewProduct))
    def on_post(self, body: SheetImport, prepared: ReadRows[NewProduct]) -> ImportedView:
        """Add products from a spreadsheet, all or none.

        The headings are the fields of the body of a `POST` that adds one. Errors name the row (`rows[3].name`; the
        headings are row 1). `dryRun` only checks.
        """
        return sheets.load(body, prepared, products.add)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> ProductView:
        """Show a product.

        It shows the price, the unit, the tax rate and the account that a line takes when it names the product.
        """
        return ProductView.of(Product.find(id))

    @endpoint(permission="finance.write", refuses=(UnknownReference, AlreadyExists))
    def on_patch(self, id: str, body: ProductChange) -> ProductView:
        """Change a product. Existing lines, drafts included, keep the fields they took.

        Fields that are left out stay. A number that another product has is refused (409).
        """
        return ProductView.of(products.change(id, body))

    @endpoint(permission="finance.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a product that no document names.

        A product in use is refused (409 `in_use`); archive it instead.
        """
        products.remove(id)


class Archive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ProductView:
        """Archive a product, so that no new line can name it.

        Existing lines keep what they took. A product that is archived already is refused (409).
        """
        return ProductView.of(products.archive(id))


class Unarchive:
    @endpoint(permission="finance.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ProductView:
        """Unarchive a product, so that new lines can name it again.

        A product that is not archived is refused (409).
        """
        return ProductView.of(products.unarchive(id))
