"""The chart of accounts of a new office."""

from collections import Counter

from erp.finance.books.chart import NORMAL_BALANCE, STANDARD, SUBTYPES

SYSTEM_ACCOUNTS = {
    "receivable": "1100",
    "payable": "2000",
    "bank": "1010",
    "input_tax": "1300",
    "tax": "2200",
    "deposits_requested": "1450",
    "deposits_received": "2400",
    "payroll_payable": "2300",
    "employee_payable": "2050",
    "company_card": "2100",
    "travel_expenses": "6400",
    "mileage": "6410",
    "per_diems": "6420",
    "payroll_taxes": "2310",
    "employee_deductions": "2320",
    "employer_contributions": "2330",
    "salaries": "6000",
    "employer_contributions_expense": "6010",
    "sales": "4000",
    "cost_of_sales": "5000",
    "bank_charges": "6800",
    "bad_debts": "6850",
    "recovered_debts": "4950",
    "reminder_charges": "4960",
    "default_interest": "4970",
    "doubtful_receivables": "1150",
    "discounts_given": "4050",
    "discounts_received": "5050",
    "small_difference_gains": "4940",
    "small_difference_losses": "6945",
    "exchange": "4900",
    "realised_exchange_gains": "4920",
    "realised_exchange_losses": "6910",
    "unrealised_exchange_gains": "4930",
    "unrealised_exchange_losses": "6920",
    "rounding": "4910",
    "accumulated_depreciation": "1590",
    "depreciation": "6700",
    "low_value_expense": "6710",
    "pool_depreciation": "6720",
    "asset_sales": "4850",
    "asset_disposals": "6960",
    "retained_earnings": "3200",
    "opening_balance": "3900",
}
TYPE_BY_FIRST_DIGIT = {
    "1": "asset",
    "2": "liability",
    "3": "equity",
    "4": "income",
    "5": "expense",
    "6": "expense",
}


def test_each_account_that_the_program_posts_to_is_there_exactly_once() -> None:
    codes = [(seed.system_key, seed.code) for seed in STANDARD if seed.system_key]
    assert sorted(codes) == sorted(SYSTEM_ACCOUNTS.items())


def test_codes_are_unique_and_in_order() -> None:
    codes = [seed.code for seed in STANDARD]
    assert codes == sorted(set(codes))


def test_each_account_is_of_a_known_subtype_and_of_its_type() -> None:
    assert [seed.type for seed in STANDARD] == [SUBTYPES[seed.subtype] for seed in STANDARD]


def test_the_first_digit_of_a_code_gives_the_type() -> None:
    assert [seed.type for seed in STANDARD] == [TYPE_BY_FIRST_DIGIT[seed.code[0]] for seed in STANDARD]


def test_suppliers_and_employees_are_owed_on_an_account_each_and_doubtful_receivables_have_one() -> None:
    held = Counter(seed.subtype for seed in STANDARD)
    assert (held["receivable"], held["payable"]) == (2, 2)


def test_assets_and_expenses_grow_by_debit_and_all_else_by_credit() -> None:
    assert set(SUBTYPES.values()) == set(NORMAL_BALANCE)
    assert {kind for kind, side in NORMAL_BALANCE.items() if side == "debit"} == {"asset", "expense"}
    assert set(NORMAL_BALANCE.values()) == {"debit", "credit"}


def test_contra_accounts_have_the_type_they_reduce() -> None:
    kinds = {seed.code: (seed.name, seed.type) for seed in STANDARD}
    assert kinds["1590"] == ("Accumulated depreciation", "asset")
    assert kinds["3100"] == ("Owner's drawings", "equity")
