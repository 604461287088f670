"""Bodies and queries: every wrong field is named, at whatever depth."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from erp.kernel.errors import Complaint, Invalid
from erp.kernel.language import says
from erp.web import scalars
from erp.web.scalars import Amount, Day, Name, Percent, PositiveAmount, Quantity, Unfit
from erp.web.schema import Body, ListQuery, Unset, are_reversed, decode


class Line(Body):
    description: Name
    quantity: Quantity
    unit_price: Amount
    charge: PositiveAmount | None = None


class Span(Body):
    first: Day
    last: Day | None = None

    def check(self) -> Iterator[Complaint]:
        if are_reversed(self.first, self.last):
            yield Complaint("last", "too_early", says("Must not be before the first."))


class Order(Body, kw_only=True):
    date: Day
    method: Literal["cash", "card"] = "cash"
    lines: Annotated[list[Line], msgspec.Meta(min_length=1, max_length=3)]
    discount: Line | None = None
    tags: list[Annotated[str, msgspec.Meta(max_length=3)]] = []
    note: Name | Unset | None = UNSET
    delivered: Span | None = None
    pauses: list[Span] = []


def complaint_codes(value: object) -> dict[str, str]:
    with pytest.raises(Invalid) as refusal:
        decode(value, Order)
    return {complaint.field: complaint.code for complaint in refusal.value.details}


LINE = {"description": "Work", "quantity": "2", "unitPrice": "10.00"}
BACKWARDS = {"first": "2026-03-02", "last": "2026-03-01"}


def test_fields_that_do_not_go_together_are_named_with_their_path() -> None:
    order = {"date": "2026-03-01", "lines": [LINE]}
    assert complaint_codes({**order, "delivered": BACKWARDS}) == {"delivered.last": "too_early"}
    pauses = [{"first": "2026-03-02"}, BACKWARDS, {"first": "soon", "last": "2026-03-01"}]
    assert complaint_codes({**order, "pauses": pauses[:2]}) == {"pauses[1].last": "too_early"}
    assert complaint_codes({**order, "date": 5, "delivered": {**BACKWARDS, "x": 1}, "pauses": pauses}) == {
        "date": "not_a_date",
        "delivered.x": "unknown_field",
        "delivered.last": "too_early",
        "pauses[1].last": "too_early",
        "pauses[2].first": "not_a_date",
    }


def test_a_body_made_by_the_program_is_checked_as_one_that_is_sent() -> None:
    with pytest.raises(Invalid):
        Span(first=Day(2026, 3, 2), last=Day(2026, 3, 1))


def test_every_wrong_field_is_named_with_its_path() -> None:
    assert complaint_codes(
        {
            "date": "2026-02-30",
            "method": "gold",
            "lines": [LINE, {"quantity": "0", "unitPrice": "1e3", "charge": "-1", "x": 1}, 7],
            "discount": {"description": ""},
            "tags": ["ok", "long one", 5],
            "note": 5,
            "more": True,
        }
    ) == {
        "more": "unknown_field",
        "date": "not_a_date",
        "method": "not_one_of",
        "lines[1].x": "unknown_field",
        "lines[1].description": "required",
        "lines[1].quantity": "zero",
        "lines[1].unitPrice": "not_a_number",
        "lines[1].charge": "not_positive",
        "lines[2]": "wrong_type",
        "discount.description": "required",
        "discount.quantity": "required",
        "discount.unitPrice": "required",
        "tags[1]": "too_long",
        "tags[2]": "wrong_type",
        "note": "wrong_type",
    }


@pytest.mark.parametrize("body", [None, 5, "text", [], [LINE]])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    assert complaint_codes(body) == {"body": "wrong_type"}


def test_too_few_and_too_many_items_are_refused() -> None:
    assert complaint_codes({"date": "2026-01-01", "lines": []}) == {"lines": "too_few"}
    with pytest.raises(Invalid) as refusal:
        decode({"date": "2026-01-01", "lines": []}, Order)
    assert [complaint.message for complaint in refusal.value.details] == ["Must have at least 1 item."]
    assert complaint_codes({"date": "2026-01-01", "lines": [LINE] * 4}) == {"lines": "too_many"}


def test_a_field_that_is_not_sent_differs_from_one_that_is_cleared() -> None:
    order = {"date": "2026-01-01", "lines": [LINE]}
    assert "note" not in decode(order, Order).changes()
    assert decode({**order, "note": None}, Order).changes()["note"] is None


def test_a_number_and_its_text_are_the_same_amount() -> None:
    assert Amount.read("1250.10") == Amount.read(Decimal("1250.10")) == Decimal("1250.10")
    assert Amount.read(7) == 7


@pytest.mark.parametrize(
    "value",
    [
        "",
        " 1",
        "1 ",
        "1_0",
        "٣",
        "1e3",
        "NaN",
        "Infinity",
        "+1",
        ".5",
        "5.",
        "0x1",
        "00",
        "--1",
        "1,5",
        True,
        None,
        [],
        1.5,
    ],
)
def test_what_is_no_plain_decimal_is_refused(value: object) -> None:
    with pytest.raises(Unfit) as refusal:
        Amount.read(value)
    assert refusal.value.code == "not_a_number"


@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        (Amount, "1.0000001", "too_many_decimals"),
        (Amount, "1" * 30, "out_of_range"),
        (Amount, Decimal("1e400"), "not_a_number"),
        (PositiveAmount, "0", "not_positive"),
        (PositiveAmount, "-0.00", "not_positive"),
        (Quantity, "-0", "zero"),
        (Percent, "100.01", "out_of_range"),
        (Percent, "-1", "negative"),
        (scalars.ExchangeRate, "0", "not_positive"),
        (scalars.ExchangeRate, "0.0000000000001", "too_many_decimals"),
        (Day, "2026-13-01", "not_a_date"),
        (Day, "2026-1-1", "not_a_date"),
        (Day, "1899-12-31", "out_of_range"),
        (Day, 20260101, "not_a_date"),
    ],
)
def test_values_out_of_bounds_are_refused(kind: type[scalars.Scalar], value: object, code: str) -> None:
    with pytest.raises(Unfit) as refusal:
        kind.read(value)
    assert refusal.value.code == code


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_no_value_makes_decoding_fail_in_another_way(value: object) -> None:
    with pytest.raises(Invalid) as refusal:
        decode(value, Order)
    assert refusal.value.details


def test_query_strings_are_read_as_what_they_mean() -> None:
    query = decode({"limit": "20", "total": "true"}, ListQuery, strict=False)
    assert (query.limit, query.total, query.cursor) == (20, True, None)


@pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "201"}, {"limit": "x"}, {"total": "maybe"}, {"page": "2"}])
def test_query_strings_are_checked(query: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        decode(query, ListQuery, strict=False)
