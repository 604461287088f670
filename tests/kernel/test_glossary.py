"""The glossary of the program is kept: one German word for one thing, and none that it forbids."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest

from erp.kernel import language
from tests.paths import ROOT

GLOSSARY = (ROOT / "erp" / "docs" / "glossary.md").read_text("utf-8")
GENDER = re.compile(r"^(.*?) (?:m|f|n|pl\.)(?=$|[, (;])")
SEVERAL_MEANINGS = {
    *(
        "account",
        "asset",
        "balance",
        "beginning",
        "break",
        "code",
        "cost",
        "credit",
        "debit",
        "document",
        "draft",
        "entry",
    ),
    *(
        "equity",
        "expense",
        "fiscal year",
        "file",
        "income",
        "liability",
        "line",
        "manager",
        "note",
        "person",
        "project",
    ),
    *(
        "box",
        "cash basis",
        "contact",
        "deposit",
        "direction",
        "inbox",
        "journal",
        "leave",
        "offset",
        "pay",
        "people",
        "pool",
    ),
    *(
        "receivable",
        "payable",
        "recovery",
        "result",
        "review",
        "role",
        "salary",
        "session",
        "status",
        "tax code",
        "user",
    ),
    *(
        "task",
        "timer: start",
        "invoice",
        "bill",
        "employee",
        "attendance",
        "history",
        "supplier",
        "customer",
        "discount",
    ),
    *("member", "invite", "earning", "delivery", "unmatch", "match", "hire", "punch", "overtime"),
    *("carried forward", "last day", "made", "suggestion", "days left", "reverse charge", "small difference"),
}
"""Words that stand in other meanings as well, or in compounds; a context or a longer term tells which."""
LONGER = (
    "opening balances",
    "supplier credit note",
    "purchase credit note",
    "fiscal year ends",
    "cash flow from",
    "payment terms (days)",
    "payment terms (months)",
)
"""Terms and phrases with a wording of their own, of which shorter terms are a part."""


def section(title: str) -> str:
    return GLOSSARY.partition(f"## {title}\n")[2].partition("\n## ")[0]


def words(title: str) -> list[str]:
    """The words listed in a section, one paragraph of them."""
    return [word.strip() for word in section(title).strip().split("\n\n")[0].replace("\n", " ").split(",")]


def terms() -> Iterator[tuple[str, str]]:
    """Each English term with its German noun, where the row has as many of both."""
    rows = [line.strip("| ").split(" | ") for line in section("Terms").splitlines() if line.startswith("| ")]
    for english, german, *_ in (row for row in rows[1:] if len(row) > 1):
        ones, others = english.split(" · "), german.split(" · ")
        if len(ones) == len(others):
            for one, other in zip(ones, others, strict=True):
                noun = GENDER.match(other)
                term = re.sub(r" \(.*\)", "", one)
                if noun and term not in SEVERAL_MEANINGS:
                    yield term, noun[1]


def plain(text: str) -> str:
    """Without umlauts, so that a plural has the letters of its singular."""
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


@cache
def messages() -> list[tuple[str, str, str]]:
    """The English text, its context, and the German one, singular and plural apart."""
    found = []
    for entry in language.entries("de"):
        english = [entry.msgid, entry.msgid_plural or entry.msgid]
        german = [text for _, text in sorted(entry.msgstr_plural.items())] or [entry.msgstr]
        for one, other in zip(english, german, strict=False):
            found.append((one, entry.msgctxt or "", other))
    return found


def test_the_glossary_has_terms_and_verbs_in_both_languages():
    assert len(dict(terms())) > 60
    assert dict(terms())["payment reference"] == "Verwendungszweck"
    assert "| Match · Unmatch | Zuordnen · Zuordnung aufheben |" in section("Verbs: one for one act")


def longer_than(term: str) -> re.Pattern[str]:
    """Finds the places of a text, and the terms of which this one is a part."""
    longer = [other for other in (*LONGER, *(other for other, _ in terms())) if term in other and other != term]
    return re.compile("|".join([r"\{[^}]*\}", *(rf"\b{re.escape(other)}s?" for other in longer)]), re.IGNORECASE)


def has(german: str, noun: str) -> bool:
    """Whether a text has a noun and its adjective, in any case and number."""
    return all(plain(word).rpartition("-")[2][: max(4, len(word) - 2)] in plain(german) for word in noun.split())


@pytest.mark.parametrize(("term", "noun"), sorted(set(terms())))
def test_a_message_with_an_english_term_has_its_german_one(term, noun):
    of_term, longer = re.compile(rf"\b{re.escape(term)}(?:s|es)?\b", re.IGNORECASE), longer_than(term)
    wrong = {
        english: german
        for english, context, german in messages()
        if not context and of_term.search(longer.sub("", english)) and not has(german, noun)
    }
    assert wrong == {}, f"{term} is {noun}"


@pytest.mark.parametrize("word", words("Words that always have a context"))
def test_a_word_with_several_meanings_has_a_context(word):
    assert [context for english, context, _ in messages() if english == word and not context] == []


@pytest.mark.parametrize("word", words("Never in a German message"))
def test_no_german_message_has_a_forbidden_word(word):
    assert [german for _, _, german in messages() if re.search(rf"\b{word}", german, re.IGNORECASE)] == []


def test_a_credit_note_to_a_customer_is_no_gutschrift():
    assert [
        german for _, _, german in messages() if re.search(r"(?<!Lieferanten)gutschrift", german, re.IGNORECASE)
    ] == []


@pytest.mark.parametrize("word", words("Never in an English message"))
def test_no_english_message_has_a_forbidden_word(word):
    assert [english for english, _, _ in messages() if re.search(rf"\b{word}\b", english, re.IGNORECASE)] == []
