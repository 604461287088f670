"""The dimensions of a line: by the code of each dimension, the code of its value.

They are stored as JSON in a single spelling, sorted by code, so that equal ones are equal texts.
"""

import json
import re
from collections.abc import Mapping
from typing import ClassVar

from erp.kernel.language import says
from erp.store.recorded import canonical
from erp.web.scalars import Scalar, Unfit

VALUE_CODE = r"[A-Za-z0-9._/\-]{1,36}"
"""DATEV takes at most 36 characters of a cost centre."""
_PAIR = re.compile(rf"\s*([a-z0-9]{{1,20}})\s*:\s*({VALUE_CODE})\s*")


class Dimensions(Scalar):
    """The values of dimensions by their codes."""

    json_schema: ClassVar[dict[str, object]] = {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "examples": [{"cc": "100"}],
        "description": "By the code of a dimension, the code of its value. In a table: `cc:100`, with commas between"
        " several.",
    }

    def __init__(self, codes: Mapping[str, str]) -> None:
        self.codes = codes

    def __str__(self) -> str:
        return ",".join(f"{code}:{value}" for code, value in self.codes.items())

    @classmethod
    def read(cls, value: object) -> "Dimensions":
        """Read an object, or the text of a table."""
        matches = [_PAIR.fullmatch(pair) for pair in _pairs(value)]
        codes = {match[1]: match[2] for match in matches if match is not None}
        if len(codes) < len(matches):
            raise Unfit("not_dimensions", says('Must have the form {"cc": "100"}: a value for each dimension.'))
        return cls(codes)


def _pairs(value: object) -> list[str]:
    if isinstance(value, dict):
        return [f"{code}:{name if isinstance(name, str) else ''}" for code, name in value.items()]
    return value.split(",") if isinstance(value, str) else [""]


def stored(dimensions: Dimensions | Mapping[str, str] | None) -> str | None:
    """The text to store; None without any."""
    codes = dimensions.codes if isinstance(dimensions, Dimensions) else dimensions
    return canonical(codes) if codes else None


def of_text(text: str | None) -> dict[str, str]:
    """The stored values by the codes of their dimensions."""
    return json.loads(text) if text else {}
