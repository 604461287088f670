"""The identifiers of specifications and of the business process, and the chosen codes."""

from erp.finance.output.einvoice.model import Profile
from erp.kernel.language import Word

EN16931 = "urn:cen.eu:en16931:2017"
SPECIFICATION: dict[Profile, str] = {
    "en16931": EN16931,
    "factur_x": EN16931,
    "xrechnung": f"{EN16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
}
PROCESS = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"

REASON_CODES = {"AE": "VATEX-EU-AE", "K": "VATEX-EU-IC", "G": "VATEX-EU-G", "O": "VATEX-EU-O"}
"""Reasons why no tax is charged. Source: code list VATEX of EN 16931."""
REASONS = {
    "AE": Word("Reverse charge"),
    "K": Word("Intra-Community supply"),
    "G": Word("Export outside the EU"),
    "O": Word("Not subject to VAT"),
}
