"""Numbers and names in the texts of bank lines: the indexes find all that are there, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erp.finance.bank.texts import Names, Numbers, Text
from erp.store import router
from tests.finance.bank.january import camt, entry, lines, statement


@pytest.mark.parametrize(
    ("number", "words", "is_there"),
    [
        ("INV-2026-00017", "Rechnung INV-2026-00017 danke", True),
        ("INV-2026-00017", "rechnung inv 2026/00017", True),
        ("INV-2026-00017", "INV202600017", True),
        ("INV-2026-00017", "INV-2026-00018", False),
        ("17", "Rechnung 17", True),
        ("17", "Rechnung 117 oder 17a", False),
        ("R-17", "R 17", False),
        ("R-17", "(R-17)", True),
        ("RE/1", "zu RE/1.", True),
        ("№ 5", "zahle № 5 heute", True),
        ("Größe-1", "GRÖSSE-1", True),
        ("-", "nichts - gar nichts", True),
        ("", "nichts", False),
    ],
)
def test_a_number_is_found_as_a_word_and_a_long_one_however_it_is_written(number, words, is_there):
    assert Text(words).names(number) is is_there
    assert Numbers([("4711", 1), (number, 2)]).within(Text(words)) == ({2} if is_there else set())


PIECES = st.lists(
    st.sampled_from(["INV", "RE", "17", "2026", "0", "x", "ß", "é", "-", "/", " ", ".", "A1"]), max_size=8
)
WORDS = PIECES.map("".join)


@given(numbers=st.lists(WORDS | st.none(), max_size=20), words=WORDS, party=WORDS)
def test_the_index_of_numbers_finds_those_that_a_text_names(numbers, words, party):
    line = Text(words, party=party)
    found = Numbers((number, at) for at, number in enumerate(numbers)).within(line)
    assert found == {at for at, number in enumerate(numbers) if line.names(number)}


@given(names=st.lists(WORDS | st.none(), max_size=20), words=WORDS, party=WORDS)
def test_the_index_of_names_finds_those_that_a_text_has(names, words, party):
    line = Text(words, party=party)
    found = Names((name, at) for at, name in enumerate(names)).within(line)
    assert found == {at for at, name in enumerate(names) if line.has_name(name)}


def test_many_lines_ask_the_books_no_more_often_than_one(acme, monkeypatch):
    customer = acme.ok("POST", "/finance/contacts", {"name": "Adler und Söhne", "kind": "customer"})
    line = {"description": "Work", "quantity": "1", "unitPrice": "100.00"}
    terms = {"days": 30, "discounts": [{"days": 20, "percent": "2"}]}
    for _ in range(3):
        body = {"customerId": customer["id"], "issueDate": "2026-03-01", "lines": [line], "paymentTerms": terms}
        acme.ok("POST", "/finance/invoices", body)
    entries = [entry("77.00", "Adler und Söhne", ref=f"r{number}") for number in range(12)]
    statement(acme, camt(*entries, opening="0.00", closing="924.00"), account="1010")
    asked, execute = [], router.Router.execute_sql

    def counting(self, sql, *more, **named):
        asked.append(sql)
        return execute(self, sql, *more, **named)

    monkeypatch.setattr(router.Router, "execute_sql", counting)
    counts = []
    for limit in ("2", "12"):
        asked.clear()
        assert len(lines(acme, "1010", limit=limit)) == int(limit)
        counts.append(sum("SELECT" in sql for sql in asked))
    assert counts[0] == counts[1]
