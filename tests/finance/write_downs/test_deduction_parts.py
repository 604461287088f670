"""The parts of a deduction: nothing is lost, and all parts of a document come to exactly its rates."""

from hypothesis import given
from hypothesis import strategies as st

from erp.finance.write_downs.parts import Part, Rate, rest, split

R1 = [Rate("19", 19_000_000, 119_000, 19_000), Rate("7", 7_000_000, 21_400, 1_400)]
"""R1 of the month W: 1,000.00 @ 19 and 200.00 @ 7."""


def test_two_percent_of_r1() -> None:
    assert split(2_808, R1) == [Part("19", 2_380, 380), Part("7", 428, 28)]


def test_the_last_part_takes_all_that_is_left() -> None:
    paid = split(137_592, R1)
    assert rest(2_808, R1, paid) == [Part("19", 2_380, 380), Part("7", 428, 28)]
    assert rest(140_400, R1, ()) == [Part("19", 119_000, 19_000), Part("7", 21_400, 1_400)]


def test_the_last_part_takes_tax_that_rounding_by_line_has_moved() -> None:
    whole = [Rate("19", 19_000_000, 11_901, 1_901)]
    assert rest(11_901, whole, ()) == [Part("19", 11_901, 1_901)]
    assert split(11_901, whole) == [Part("19", 11_901, 1_900)]


def test_where_no_rest_fits_it_is_split_as_any_other() -> None:
    drifted = [Part("19", 119_000, 19_000), Part("7", 21_401, 1_400)]
    assert rest(1_000, R1, drifted) == split(1_000, R1)


rates = st.lists(
    st.tuples(st.sampled_from([0, 7_000_000, 19_000_000, 25_500_000]), st.integers(1, 10**9)), min_size=1, max_size=4
).map(
    lambda given: [
        Rate(str(i), percent, amount, (2 * amount * percent + 100_000_000 + percent) // (2 * (100_000_000 + percent)))
        for i, (percent, amount) in enumerate(given)
    ]
)


@given(rates, st.data())
def test_parts_come_to_the_amount_and_all_together_to_the_document(document: list[Rate], data: st.DataObject) -> None:
    total = sum(rate.amount for rate in document)
    first = data.draw(st.integers(1, total))
    parts = split(first, document)
    assert sum(part.amount for part in parts) == first
    assert all(0 <= part.tax <= part.amount for part in parts)
    if first < total:
        last = rest(total - first, document, parts)
        assert sum(part.amount for part in last) == total - first
        taken = [*parts, *last]
        if last != split(total - first, document):
            assert sum(part.tax for part in taken) == sum(rate.tax for rate in document)
