"""Elements and focus in a real browser: each promise is a test in `view/*.test.js`."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

TESTS = sorted(Path(__file__).parent.glob("view/*.test.js"))
PROMISES = [
    (file.name, name)
    for file in TESTS
    for name in re.findall(r'^  (?:async )?"([^"]+)"\(\)', file.read_text("utf-8"), re.MULTILINE)
]
RUN = """async ([file, name]) => {
  const { tests } = await import(`/tests/view/${file}`);
  return Promise.resolve(tests[name]()).then(() => null, (error) => error.stack);
}"""


@pytest.mark.parametrize(("file", "promise"), PROMISES)
def test_the_elements_keep_their_promises(tab, files, file, promise):
    tab.goto(files)
    assert tab.evaluate(RUN, [file, promise]) is None


def test_no_promise_is_overlooked():
    assert len(PROMISES) >= 20
    counted = sum(file.read_text("utf-8").count('"() {') for file in TESTS)
    assert len(PROMISES) == counted
