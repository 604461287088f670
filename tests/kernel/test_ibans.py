import pytest

from erp.kernel import ibans


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("GB82-WEST-1234-5698-7654-32", "GB82WEST12345698765432"),
        ("NO93 8601 1117 947", "NO9386011117947"),
        ("MT84 MALT 0110 0001 2345 MTLC AST0 01S", "MT84MALT011000012345MTLCAST001S"),
    ],
)
def test_an_iban_is_stored_in_one_spelling(written, stored):
    assert ibans.tidied(written) == stored
    assert ibans.is_valid(stored)
    assert ibans.found(written) == stored


@pytest.mark.parametrize(
    "text",
    [
        "",
        "DE",
        "DE88370400440532013000",  # other check digits
        "DE3437040044053201300",  # a digit short, with check digits that are right for it
        "DE893704004405320130000",
        "ZZ22370400440532013000",  # no such country, with check digits that are right for it
        "DE\N{ARABIC-INDIC DIGIT EIGHT}9370400440532013000",
    ],
)
def test_an_iban_of_another_length_country_or_with_other_check_digits_is_wrong(text):
    assert not ibans.is_valid(text)


@pytest.mark.parametrize("text", [None, "", "532013000", "DE88370400440532013000"])
def test_what_is_no_iban_is_not_found_to_be_one(text):
    assert ibans.found(text) is None
