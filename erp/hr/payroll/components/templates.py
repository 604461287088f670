"""The pay templates that come with the program: pay components as data, for an office to start from."""

import json
from importlib.resources import files

from erp.hr.payroll.components.bodies import NewPayComponent
from erp.web.scalars import Day
from erp.web.schema import Body, decode


class PayTemplate(Body):
    """A file of `sets`; a template without a currency has no amounts.

    Its figures are for pay between two days; without them they are for any time.
    """

    code: str
    name: str
    source: str
    components: list[NewPayComponent]
    country: str | None = None
    currency: str | None = None
    year: str | None = None
    valid_from: Day | None = None
    valid_to: Day | None = None
    leaves_out: list[str] = []


def _load() -> dict[str, PayTemplate]:
    texts = [file.read_text("utf-8") for file in files("erp.hr.payroll.components").joinpath("sets").iterdir()]
    templates = [decode(json.loads(text), PayTemplate) for text in texts]
    return {template.code: template for template in sorted(templates, key=lambda template: template.code)}


TEMPLATES = _load()
SEEDED = "generic"
"""The template of a new workspace."""
