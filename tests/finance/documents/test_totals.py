import collections
import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from erp.finance.documents.totals import (
    Adjustment,
    Document,
    DocumentAdjustment,
    Line,
    Tax,
    compute,
    reverse_charges,
    with_taxes,
)
from erp.kernel.money import LIMIT, MICRO, OutOfRange, minor, scaled
from tests.paths import DATA

STANDARD = Tax("standard", "S", 20 * MICRO)
REDUCED = Tax("reduced", "S", 10 * MICRO)
EXEMPT = Tax("exempt", "E", 0)


FILES = (DATA / f"{name}.json" for name in ("invoices_published", "invoices_generated"))
PUBLISHED = [case for file in FILES for case in json.loads(file.read_text())["cases"] if case["strict"]]
ROUNDED_BY_LINE = [case for case in PUBLISHED if case.get("per_line_tax_total")]


def micro(text):
    return scaled(Decimal(text), MICRO)


def cents(text, case):
    return minor(Decimal(text), case["currency"])


def tax_of(item):
    return Tax(None, item["tax_category"], micro(item["tax_rate"] or "0"))


def one_adjustment(items, case, *, charge):
    taken = [cents(item["amount"], case) for item in items if item["charge"] is charge]
    return Adjustment(amount=sum(taken)) if taken else None


def line_of(item, case):
    return Line(
        quantity=micro(item["qty"]),
        unit_price=micro(item["unit_price"]),
        price_base_quantity=micro(item["price_base_qty"]),
        discount=one_adjustment(item["allowances_charges"], case, charge=False),
        charge=one_adjustment(item["allowances_charges"], case, charge=True),
        tax=tax_of(item),
    )


def document_of(case):
    adjustments = [
        DocumentAdjustment(Adjustment(amount=cents(item["amount"], case)), tax_of(item), item["charge"])
        for item in case["allowances_charges"]
    ]
    rounding = cents(case["rounding_amount"], case)
    lines = [line_of(item, case) for item in case["lines"]]
    return Document(lines, case["currency"], adjustments, rounding_amount=rounding)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_a_real_invoice_comes_to_its_published_totals(case):
    totals, expected = compute(document_of(case)), case["expected"]
    assert [line.net for line in totals.lines] == [cents(text, case) for text in expected["line_totals"]]
    breakdown = {(group.category, group.rate, group.base, group.amount) for group in totals.tax_breakdown}
    assert breakdown == {
        (row["tax_category"], micro(row["tax_rate"] or "0"), cents(row["taxable"], case), cents(row["tax"], case))
        for row in expected["tax_subtotals"]
    }
    assert {
        "sum_lines": totals.subtotal,
        "allowance_total": totals.discount_total,
        "charge_total": totals.charge_total,
        "tax_total": totals.tax_total,
        "gross": totals.total - totals.rounding_amount,
        "payable": totals.total - cents(case["prepaid"], case),
    } == {
        name: cents(expected[name], case)
        for name in ("sum_lines", "allowance_total", "charge_total", "tax_total", "gross", "payable")
    }


@pytest.mark.parametrize("case", ROUNDED_BY_LINE, ids=lambda case: case["id"])
def test_tax_rounded_line_by_line_comes_to_its_known_total(case):
    totals = compute(structs.replace(document_of(case), tax_rounding="line"))
    assert totals.tax_total == cents(case["per_line_tax_total"], case)


def priced(cents_each, tax=STANDARD, quantity=MICRO, **more):
    return Line(quantity, cents_each * 10_000, tax, **more)


def test_a_document_discount_lowers_the_base_of_each_rate():
    lines = [priced(5_000), priced(4_999, REDUCED)]
    totals = compute(Document(lines, "EUR", discount=Adjustment(amount=1_000)))
    assert [group.amount for group in totals.tax_breakdown] == [900, 450]
    assert [line.net for line in totals.lines] == [5_000, 4_999]
    assert [line.gross for line in totals.lines] == [5_400, 4_949]
    assert (totals.subtotal, totals.discount_total, totals.total) == (9_999, 1_000, 10_349)


def test_line_parts_are_rounded_one_by_one():
    line = priced(333, quantity=MICRO // 2, discount=Adjustment(percent=MICRO // 2), charge=Adjustment(percent=MICRO))
    assert compute(Document([line], "EUR")).lines[0].net == 167 - 1 + 2


def test_percentages_of_the_document_are_of_the_sum_of_lines():
    ten = Adjustment(percent=10 * MICRO)
    adjustments = [DocumentAdjustment(ten, EXEMPT), DocumentAdjustment(ten, EXEMPT, is_charge=True)]
    totals = compute(Document([priced(10_000)], "EUR", adjustments, discount=ten))
    assert [item.amount for item in totals.adjustments] == [1_000, 1_000]
    assert (totals.discount_total, totals.charge_total, totals.tax_total, totals.total) == (2_000, 1_000, 1_800, 10_800)


def test_a_returned_item_gives_back_its_part_of_the_discount():
    lines = [priced(10_000), priced(4_000, REDUCED, quantity=-MICRO)]
    totals = compute(Document(lines, "EUR", discount=Adjustment(percent=10 * MICRO)))
    assert [line.discount_share for line in totals.lines] == [1_000, -400]


def test_a_discount_above_the_lines_is_shared_by_their_size():
    lines = [priced(10_000), priced(9_999, quantity=-MICRO)]
    totals = compute(Document(lines, "EUR", discount=Adjustment(amount=500)))
    assert [line.discount_share for line in totals.lines] == [250, 250]


@pytest.mark.parametrize("category", ["Z", "E", "AE", "K", "G", "O"])
@pytest.mark.parametrize("included", [False, True])
def test_only_the_standard_category_bears_tax(category, included):
    lines = [priced(10_000, Tax(None, category, 20 * MICRO))]
    totals = compute(Document(lines, "EUR", prices_include_tax=included))
    assert (totals.subtotal, totals.tax_total, totals.total) == (10_000, 0, 10_000)


def test_prices_that_include_tax_are_what_the_customer_pays():
    totals = compute(Document([priced(1_000)] * 3, "EUR", prices_include_tax=True))
    assert [(line.net, line.tax, line.gross) for line in totals.lines] == [
        (834, 166, 1_000),
        (833, 167, 1_000),
        (833, 167, 1_000),
    ]
    assert (totals.tax_total, totals.total) == (500, 3_000)


def test_prices_that_include_tax_can_be_rounded_line_by_line():
    document = Document([priced(1_000)] * 4, "EUR", prices_include_tax=True)
    assert compute(document).tax_total == 667
    assert compute(structs.replace(document, tax_rounding="line")).tax_total == 668


def test_a_discount_on_prices_that_include_tax_includes_it_too():
    document = Document([priced(3)] * 500, "EUR", discount=Adjustment(amount=600), prices_include_tax=True)
    totals = compute(document)
    assert (totals.subtotal, totals.discount_total, totals.tax_total, totals.total) == (1_250, 500, 150, 900)


def test_a_return_that_nearly_cancels_a_sale_keeps_the_value_of_both():
    lines = [priced(12_000), priced(11_999, quantity=-MICRO)]
    totals = compute(Document(lines, "EUR", prices_include_tax=True))
    assert [line.net for line in totals.lines] == [10_000, -9_999]
    assert (totals.tax_total, totals.total) == (0, 1)


def test_rates_of_equal_percentage_share_their_group_by_value():
    twin = Tax("twin", "S", 20 * MICRO)
    lines = [priced(2, STANDARD)] * 50 + [priced(2, twin)] * 50
    (group,) = compute(Document(lines, "EUR")).tax_breakdown
    assert (group.rate_id, group.base, group.amount) == ("standard", 200, 40)
    assert [(rate.rate_id, rate.base, rate.tax) for rate in group.rates] == [("standard", 100, 20), ("twin", 100, 20)]


def test_cash_is_rounded_without_touching_tax():
    document = Document([priced(1_006)], "CHF", cash_step=5)
    totals = compute(document)
    assert (totals.tax_total, totals.rounding_amount, totals.total) == (201, -2, 1_205)
    assert compute(structs.replace(document, rounding_amount=0)).total == 1_207


@pytest.mark.parametrize(("currency", "net"), [("JPY", 13), ("EUR", 1_250), ("KWD", 12_500), ("CLF", 125_000)])
def test_a_line_is_worth_its_price_in_the_decimals_of_the_currency(currency, net):
    assert compute(Document([Line(MICRO, 12_500_000, EXEMPT)], currency)).subtotal == net


def test_a_price_may_be_for_more_than_one_unit():
    line = Line(3 * MICRO, 9_950_000, EXEMPT, price_base_quantity=12 * MICRO)
    assert compute(Document([line], "EUR")).subtotal == 249


def test_totals_beyond_the_books_are_refused():
    largest = Line(MICRO, LIMIT * 10_000, EXEMPT)
    assert compute(Document([largest], "EUR")).total == LIMIT
    with pytest.raises(OutOfRange):
        compute(Document([structs.replace(largest, tax=STANDARD)], "EUR"))
    with pytest.raises(OutOfRange):
        compute(Document([largest, largest, structs.replace(largest, quantity=-2 * MICRO)], "EUR"))


@pytest.mark.parametrize("given_twice", [{}, {"amount": 1, "percent": 1}])
def test_an_adjustment_is_either_an_amount_or_a_percentage(given_twice):
    with pytest.raises(ValueError, match="either"):
        Adjustment(**given_twice)


taxes = st.builds(
    Tax,
    st.sampled_from(["a", "b", None]),
    st.sampled_from(["S", "S", "E"]),
    st.sampled_from([0, 7 * MICRO, 8_100_000, 20 * MICRO]),
)
percentages = st.builds(lambda percent: Adjustment(percent=percent), st.integers(0, 100 * MICRO))
adjustment = st.one_of(percentages, st.builds(lambda amount: Adjustment(amount=amount), st.integers(0, 50_000)))
lines_of_both_signs = st.lists(
    st.builds(
        Line,
        quantity=st.one_of(st.integers(1, 20).map(lambda n: n * MICRO), st.integers(-(10**8), 10**8)),
        unit_price=st.one_of(st.integers(1, 99).map(lambda n: n * 10_000), st.integers(0, 10**9)),
        tax=taxes,
        price_base_quantity=st.sampled_from([MICRO, 3 * MICRO]),
        discount=st.none() | adjustment,
        charge=st.none() | adjustment,
    ),
    min_size=1,
    max_size=8,
)
documents = st.builds(
    Document,
    lines_of_both_signs,
    st.sampled_from(["EUR", "JPY", "KWD"]),
    st.lists(st.builds(DocumentAdjustment, adjustment, taxes, st.booleans()), max_size=3),
    discount=st.none() | adjustment,
    rounding_amount=st.none() | st.integers(-5, 5),
    prices_include_tax=st.booleans(),
    tax_rounding=st.sampled_from(["document", "line"]),
    cash_step=st.none() | st.sampled_from([5, 10]),
)


def signed(document, totals, name):
    return sum(
        getattr(result, name) * (1 if item.is_charge else -1)
        for item, result in zip(document.adjustments, totals.adjustments, strict=True)
    )


@given(documents)
def test_the_parts_of_a_document_make_up_its_total(document):
    totals = compute(document)
    lines = sum(line.gross for line in totals.lines)
    extras = signed(document, totals, "amount") + signed(document, totals, "tax")
    assert lines + extras + totals.rounding_amount == totals.total
    assert all(line.gross == line.net - line.discount_share + line.tax for line in totals.lines)
    net = totals.subtotal - totals.discount_total + totals.charge_total
    assert net == totals.net_total == totals.total - totals.tax_total - totals.rounding_amount
    assert sum(group.base for group in totals.tax_breakdown) == net
    assert sum(line.net_after_discount for line in totals.lines) + signed(document, totals, "amount") == net
    assert all(line.gross == line.net_after_discount + line.tax for line in totals.lines)


@given(documents)
def test_the_base_of_each_rate_is_the_sum_of_its_lines_and_adjustments(document):
    totals, bases = compute(document), collections.Counter[tuple[str, int]]()
    for line, of_line in zip(document.lines, totals.lines, strict=True):
        bases[line.tax.category, line.tax.rate] += of_line.net_after_discount
    for item, result in zip(document.adjustments, totals.adjustments, strict=True):
        bases[item.tax.category, item.tax.rate] += result.amount if item.is_charge else -result.amount
    assert {(group.category, group.rate): group.base for group in totals.tax_breakdown} == dict(bases)


@given(documents)
def test_the_tax_of_each_rate_is_that_of_its_lines_and_adjustments(document):
    totals = compute(document)
    assert sum(line.tax for line in totals.lines) + signed(document, totals, "tax") == totals.tax_total
    for group in totals.tax_breakdown:
        assert sum(rate.base for rate in group.rates) == group.base
        assert sum(rate.tax for rate in group.rates) == group.amount
        assert len({rate.rate_id for rate in group.rates}) == len(group.rates)


@given(documents)
def test_tax_rounded_once_is_within_half_a_unit_of_the_exact_tax(document):
    for group in compute(structs.replace(document, tax_rounding="document")).tax_breakdown:
        rate = group.rate if group.category == "S" else 0
        whole = group.base + group.amount if document.prices_include_tax else group.base
        divisor = 100 * MICRO + (rate if document.prices_include_tax else 0)
        assert abs(group.amount - Fraction(whole * rate, divisor)) <= Fraction(1, 2)


@given(documents)
def test_no_line_is_taxed_far_from_its_own_rate(document):
    for line, result in zip(document.lines, compute(document).lines, strict=True):
        rate = line.tax.rate if line.tax.category == "S" else 0
        exact = Fraction((result.net - result.discount_share) * rate, 100 * MICRO)
        assert abs(result.tax - exact) <= 4


@given(documents, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_change_the_totals(document, random):
    plain = structs.replace(document, discount=None)
    shuffled = structs.replace(plain, lines=random.sample(plain.lines, len(plain.lines)))
    assert figures(compute(shuffled)) == figures(compute(plain))


@given(documents, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_change_a_discount(document, random):
    net = structs.replace(document, prices_include_tax=False)
    before = compute(net)
    after = compute(structs.replace(net, lines=random.sample(net.lines, len(net.lines))))
    assert (after.subtotal, after.discount_total) == (before.subtotal, before.discount_total)


def figures(totals):
    breakdown = {(group.category, group.rate, group.base, group.amount) for group in totals.tax_breakdown}
    return totals.subtotal, totals.discount_total, totals.charge_total, totals.tax_total, totals.total, breakdown


@given(documents.filter(lambda document: not document.adjustments))
def test_prices_that_include_tax_add_up_to_the_total(document):
    shown = structs.replace(document, prices_include_tax=True, rounding_amount=0)
    prices = compute(structs.replace(shown, prices_include_tax=False, discount=None)).subtotal
    taken = compute(structs.replace(shown, prices_include_tax=False)).discount_total
    totals = compute(shown)
    assert totals.total == prices - taken
    if not document.discount:
        assert sum(line.gross for line in totals.lines) == prices


@given(documents, st.integers(0, 10**6))
def test_the_shares_of_a_discount_make_up_the_discount(document, amount):
    plain = structs.replace(document, discount=Adjustment(amount=amount), prices_include_tax=False, adjustments=())
    totals = compute(plain)
    assert sum(line.discount_share for line in totals.lines) == totals.discount_total == amount


def mirrored_adjustment(adjustment):
    if adjustment is None or adjustment.amount is None:
        return adjustment
    return Adjustment(amount=-adjustment.amount)


def mirrored(document):
    lines = [
        structs.replace(
            line,
            quantity=-line.quantity,
            discount=mirrored_adjustment(line.discount),
            charge=mirrored_adjustment(line.charge),
        )
        for line in document.lines
    ]
    adjustments = [
        structs.replace(item, adjustment=mirrored_adjustment(item.adjustment)) for item in document.adjustments
    ]
    rounding = None if document.rounding_amount is None else -document.rounding_amount
    discount = mirrored_adjustment(document.discount)
    return structs.replace(document, lines=lines, adjustments=adjustments, discount=discount, rounding_amount=rounding)


def negated(value):
    return tuple(-figure for figure in value)


@given(documents)
def test_a_credit_note_mirrors_its_invoice_to_the_cent(document):
    invoice, credit = compute(document), compute(mirrored(document))
    assert [structs.astuple(line) for line in credit.lines] == [
        negated(structs.astuple(line)) for line in invoice.lines
    ]
    assert [structs.astuple(item) for item in credit.adjustments] == [
        negated(structs.astuple(item)) for item in invoice.adjustments
    ]
    assert figures(credit)[:5] == negated(figures(invoice)[:5])
    assert credit.rounding_amount == -invoice.rounding_amount


OWED = Tax("owed", "AE", 20 * MICRO)
PRICES = st.integers(-50_000, 100_000)


def lines_of(prices, tax):
    """One piece each at a price in cents."""
    return [Line(quantity=MICRO, unit_price=price * MICRO // 100, tax=tax) for price in prices]


@given(st.lists(PRICES, min_size=1, max_size=6), st.lists(PRICES, max_size=3), st.booleans())
def test_tax_owed_in_the_sellers_place_is_that_of_the_sum_and_no_part_of_the_total(owed, taxed, included):
    lines = [*lines_of(owed, OWED), *lines_of(taxed, STANDARD)]
    document = Document(lines, "EUR", prices_include_tax=included)
    totals = compute(document)
    reverse = reverse_charges(document, totals)
    whole = Fraction(sum(owed), 5)
    assert sum(reverse) == int(abs(whole) + Fraction(1, 2)) * (1 if whole >= 0 else -1)
    assert not any(reverse[len(owed) :])
    assert sum(line.tax for line in totals.lines[: len(owed)]) == 0


def test_tax_owed_by_line_is_rounded_by_line_and_lowered_by_allowances():
    allowance = DocumentAdjustment(Adjustment(amount=12), OWED)
    document = Document(lines_of([12, 12], OWED), "EUR", [allowance], tax_rounding="line")
    assert reverse_charges(document, compute(document)) == [2, 2, -2]


@given(
    st.lists(PRICES, min_size=1, max_size=4),
    st.lists(PRICES, min_size=1, max_size=4),
    st.integers(-5, 5),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_another_tax_changes_the_tax_of_its_rate_alone(full, low, difference, discount, included):
    lines = [*lines_of(full, STANDARD), *lines_of(low, REDUCED)]
    document = Document(lines, "EUR", discount=Adjustment(amount=discount), prices_include_tax=included)
    totals = compute(document)
    changed = with_taxes(document, totals, {"standard": difference})
    before, after = ({tax.rate_id: tax for tax in each.tax_breakdown} for each in (totals, changed))
    assert after["standard"].amount == before["standard"].amount + difference
    assert after["reduced"] == before["reduced"]
    assert changed.total == totals.total + (0 if included else difference)
    assert sum(line.gross for line in changed.lines) == changed.total
    assert sum(line.tax for line in changed.lines) == changed.tax_total
