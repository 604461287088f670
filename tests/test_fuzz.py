"""Requests made at random from the documentation never make the server fail (reliability H1).

Ordinary runs make one for each operation. `TRY_FUZZ=4`, as in `.ci/run`, makes as many, and those at the limits of
each field, right and wrong, that can be told from the documentation.
"""

import gc
import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from erp.demo import scenario
from erp.web.transport.uploads import FORM, TAKEN, XLSX, XML, ZIP
from tests.conftest import Installation, Office
from tests.demo.small import SMALL
from tests.documented import document

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = int(os.environ.get("TRY_FUZZ", "1"))
SCHEMA = schemathesis.openapi.from_dict(document())
if "TRY_FUZZ" not in os.environ:
    SCHEMA.config.phases.coverage.enabled = False  # 12,000 requests; `.ci/run` sends them
ADDRESSES = set(SCHEMA)
LEFT_ALONE = ("logout", "sessions/{id}", "change-password", "/leave", "/archive", "/members/{id}")
"""What would end the session, or take the rights, that the other requests need."""


@schemathesis.serializer(ZIP, XLSX, *TAKEN - {FORM, XML, "text/xml"})
def as_it_is(context: Any, value: Any) -> bytes:
    """Files that are no text: whatever is sent, it can hardly be one."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@pytest.fixture(scope="module")
def olga(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    story = tmp_path_factory.mktemp("story") / "small.toml"
    story.write_text(SMALL, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenario, "SCENARIO", story)  # sample data from the whole one takes 15 s
        yield Installation(tmp_path_factory.mktemp("fuzz")).office("Olga")
    gc.collect()  # the client leaves the spooled files of spreadsheets to the collector


pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@SCHEMA.exclude(path_regex="|".join(each.replace("{", r"\{") for each in LEFT_ALONE)).parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_to_any_request_is_a_documented_one(case: Any, olga: Office) -> None:
    own = {"Authorization": f"Bearer {olga.token}", "Host": "localhost", "Accept-Encoding": "identity"}
    case.headers = {**dict(case.headers or {}), **own}
    case.headers.pop("x-workspace-id", None)
    answer = case.call(app=olga.installation.app, base_url="http://localhost")
    if answer.status_code == 405 and case.formatted_path in ADDRESSES:
        return  # an id that is by chance a word of another address, such as /hr/holidays/import
    case.validate_response(answer, checks=CHECKS)
