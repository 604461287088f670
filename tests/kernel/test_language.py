from datetime import UTC, date, datetime

import pytest

from erp.kernel import clock, language, money
from erp.kernel.language import Digits, Listed, Sentence, Word, says


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("", None),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE", "de"),
        ("fr", None),
        ("*", None),
        ("fr, de;q=0.5, en;q=0.4", "de"),
        ("en-GB, de;q=0.9", "en"),
        ("de;q=0.2, en;q=0.8", "en"),
        ("de;q=0, en", "en"),
        ("de;q=0", None),
        ("de;q=viel", None),
    ],
)
def test_the_language_that_a_browser_likes_best(header, expected):
    assert language.accepted(header) == expected


def test_a_sentence_is_english_text_that_still_knows_its_places():
    sentence = says("{number} is already void.", number="INV-1")
    assert sentence == "INV-1 is already void."
    assert isinstance(sentence, Sentence)
    assert language.params(sentence) == {"number": "INV-1"}
    assert language.translated(sentence, "de") == "INV-1 ist schon storniert."
    assert language.translated(sentence, "en") == "INV-1 is already void."


def test_a_sentence_is_marked_first_and_filled_later():
    marked = says("{number} is already void.")
    assert language.translated(marked.fill(number="INV-1"), "de") == "INV-1 ist schon storniert."
    assert marked == "{number} is already void."


def test_text_that_nobody_has_translated_stays_english():
    assert language.translated("Nobody says this.", "de") == "Nobody says this."
    assert language.translated(says("Nobody says {word}.", word="no"), "de") == "Nobody says no."


@pytest.mark.parametrize(
    ("amount", "currency", "plain", "english", "german"),
    [
        (123456, "EUR", "1234.56 EUR", "1,234.56 EUR", "1.234,56 EUR"),
        (-5, "EUR", "-0.05 EUR", "-0.05 EUR", "-0,05 EUR"),
        (1234567, "JPY", "1234567 JPY", "1,234,567 JPY", "1.234.567 JPY"),
        (0, "KWD", "0.000 KWD", "0.000 KWD", "0,000 KWD"),
    ],
)
def test_amounts_are_written_as_their_readers_write_them(amount, currency, plain, english, german):
    sentence = says("{number} has an open amount of {open}.", number="INV-1", open=money.shown(amount, currency))
    assert sentence == f"INV-1 has an open amount of {plain}."
    assert language.params(sentence) == {"number": "INV-1", "open": plain}
    assert language.translated(sentence, "en") == f"INV-1 has an open amount of {english}."
    assert language.translated(sentence, "de") == f"Offen auf INV-1: {german}."


def test_days_instants_words_and_rows_are_written_as_their_readers_write_them(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 9, 4, tzinfo=UTC))
    since = clock.shown(datetime(2026, 9, 3, 20, 0, tzinfo=UTC), "Europe/Berlin")
    clocked_in = says("{name} has been clocked in since {since}. Clock out first.", name="Ben", since=since)
    assert clocked_in == "Ben has been clocked in since 22:00 on 3 September. Clock out first."
    assert language.params(clocked_in) == {"name": "Ben", "since": "2026-09-03T20:00:00.000Z"}
    german = "Ben ist seit 22:00 Uhr am 3. September eingestempelt. Stempeln Sie erst aus."
    assert language.translated(clocked_in, "de") == german

    day = says("{day} is already a holiday.", day=date(2026, 11, 22))
    assert (day, language.params(day)) == ("2026-11-22 is already a holiday.", {"day": "2026-11-22"})
    assert language.translated(day, "de") == "Der 22.11.2026 ist schon ein Feiertag."
    assert language.translated(day, "en") == "22 Nov 2026 is already a holiday."

    possible = Listed.of([Word("active"), Word("cancelled")], "or")
    message = "A project that is {status} cannot become {wanted}, only {possible}."
    state = says(message, status=Word.of("on_hold"), wanted=Word("planned"), possible=possible)
    assert state == "A project that is on hold cannot become planned, only active or cancelled."
    assert language.params(state)["possible"] == ["active", "cancelled"]
    german = "Ein Projekt mit dem Status „pausiert“ kann nicht „geplant“ werden, nur aktiv oder abgebrochen."
    assert language.translated(state, "de") == german


def test_three_things_in_a_row_have_commas_before_the_last_word():
    assert Listed.of(["a", "b", "c"], "and") == "a, b and c"
    assert Listed.of(["a"], "and") == "a"
    assert Listed.of([], "and") == ""


def test_what_is_no_figure_stays_as_it_is():
    message = says("Must be less than {percent}.", percent=Digits("about 5"))
    assert language.translated(message, "de") == "Muss kleiner als about 5 sein."
