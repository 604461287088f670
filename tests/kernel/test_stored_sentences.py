"""Sentences in a file are read as they were written, in every language."""

from datetime import date

import pytest

from erp.kernel import stored_sentences
from erp.kernel.language import Digits, Listed, Word, says, translated

PARTS = says(
    "{month} {year}: {words}",
    month=Word("March"),
    year=2026,
    words=Listed.of([says("{percent} of {amount}", percent=Digits("5 %"), amount=Digits("1,250.00"))], "and"),
)
PERIOD = says("Correction of {start} to {end}", start=date(2026, 1, 5), end=date(2026, 1, 9))


@pytest.mark.parametrize("sentence", [PARTS, PERIOD, Word("Code", "account"), 'Linz {and} "back"'])
def test_a_stored_sentence_is_the_same_in_every_language(sentence):
    loaded = stored_sentences.load(stored_sentences.dump(sentence))
    assert [translated(loaded, spoken) for spoken in ("en", "de")] == [
        translated(sentence, spoken) for spoken in ("en", "de")
    ]
    assert type(loaded) is type(sentence)


def test_a_template_asks_for_no_attribute_of_its_values():
    with pytest.raises(ValueError, match="class"):
        stored_sentences.load('{"says": "{words.__class__}", "values": {"words": "a"}}')
