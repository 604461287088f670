"""The OpenAPI 3.1 document, made from the contracts."""

from erp.web.openapi.answers import refusals
from erp.web.openapi.document import Area, contracts, document

__all__ = ["Area", "contracts", "document", "refusals"]
