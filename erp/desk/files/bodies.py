"""Request bodies of files."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.desk.files.records import ResourceType
from erp.finance.books.exchange_rates.bodies import RateOrLatest
from erp.finance.documents.bodies import SupplierNumber
from erp.web.inline import Inline
from erp.web.scalars import Amount, Day, Id, Line
from erp.web.schema import Body, Query, RecordQuery
from erp.web.transport.uploads import Upload

OfRecord = Annotated[ResourceType, Meta(description="The kind of record that has the file.")]
RecordId = Annotated[Id, Meta(description="The record's id, number, code or key.")]


class NewAttachment(Body):
    """A file and the record that it belongs to; without one, it goes to the inbox."""

    UPLOAD: ClassVar[bool] = True
    EXAMPLE: ClassVar[dict[str, Any]] = {"file": "JVBERi0xLjQKJSVFT0YK", "name": "bill.pdf"}

    file: Upload
    name: Annotated[
        str, Meta(min_length=1, max_length=1000, description="The file's name, with its ending, as `bill.pdf`.")
    ]
    resource_type: OfRecord | None = None
    resource_id: RecordId | None = None


class AttachmentFilter(RecordQuery):
    """Filter for files."""

    resource_type: OfRecord | None = None
    resource_id: RecordId | None = None
    is_filed: Annotated[bool, Meta(description="Whether they belong to a record; inbox files do not.")] | None = None
    q: Annotated[Line, Meta(description="Part of the file's name.")] | None = None


class ContentQuery(Query):
    """The form in which a file is sent."""

    inline: Inline = False


class Filing(Body):
    """The record for a file of the inbox."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"resourceType": "invoice", "resourceId": "R-2026-0001"}

    resource_type: OfRecord
    resource_id: RecordId


class BillOfFile(Body):
    """Fields that are not read from the file. With a supplier, the bill is not read from it at all."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"supplierId": "01970000-0000-7000-8000-000000000000", "amount": "119.00"}

    supplier_id: Annotated[Id, Meta(description="The supplier of a file that is not an e-invoice.")] | None = None
    amount: Annotated[Amount, Meta(description="Total of such a bill, tax included.")] | None = None
    description: Annotated[Line, Meta(description="Its description; by default the file's name.")] | None = None
    issue_date: Day | None = None
    supplier_number: SupplierNumber | None = None
    exchange_rate: RateOrLatest | None = None
    force: Annotated[bool, Meta(description="Accept a number that another bill of the supplier has.")] = False
