"""The content of bank files, in XML and CSV."""

import csv
import io
from datetime import date
from xml.etree import ElementTree

import pytest

from erp.finance.payments.credit_transfer import NAMESPACE, Batch, Transfer, pain001
from erp.hr.payroll.transfers import as_csv

NAMES = {"p": NAMESPACE}
PEOPLE = [
    Transfer("PR-2026-001 EMP-0001", "Zoë Größe & Sohn", "DE89370400440532013000", 123_456),
    Transfer("PR-2026-001 EMP-0002", "Łukasz Żółć", "PL61109010140000071219812874", 7),
]


def batch(currency: str = "EUR", people: list[Transfer] = PEOPLE) -> Batch:
    return Batch(
        "PR-2026-001", "Acme", "NL91ABNA0417164300", currency, date(2026, 1, 30), "2026-01-28T09:00:00.000Z", people
    )


def texts(root: ElementTree.Element, path: str) -> list[str | None]:
    return [element.text for element in root.findall(path, NAMES)]


def test_the_file_has_the_transfers_and_their_sum():
    root = ElementTree.fromstring(pain001(batch()))
    assert texts(root, ".//p:CdtTrfTxInf//p:InstdAmt") == ["1234.56", "0.07"]
    assert texts(root, ".//p:CtrlSum") == ["1234.63", "1234.63"]
    assert texts(root, ".//p:NbOfTxs") == ["2", "2"]
    assert texts(root, ".//p:CdtrAcct//p:IBAN") == [transfer.iban for transfer in PEOPLE]
    assert texts(root, ".//p:DbtrAcct//p:IBAN") == ["NL91ABNA0417164300"]
    assert texts(root, ".//p:ReqdExctnDt/p:Dt") == ["2026-01-30"]


def test_in_euro_names_have_only_characters_that_every_bank_accepts():
    root = ElementTree.fromstring(pain001(batch()))
    assert texts(root, ".//p:Cdtr/p:Nm") == ["Zoe Groesse + Sohn", "Lukasz Zolc"]
    assert texts(root, ".//p:SvcLvl/p:Cd") == ["SEPA"]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Jörg Müßig", "Joerg Muessig"),
        ("Ägidius Öztürk", "Aegidius Oeztuerk"),
        ("JÖRG MÜLLER", "JOERG MUELLER"),
        ("ÖBB-Infrastruktur AG", "OEBB-Infrastruktur AG"),
        ("Jo\u0308rg", "Joerg"),
        ("François Núñez", "Francois Nunez"),
        ("Ελληνική Εταιρεία", "Elliniki Etaireia"),
        ("Иван Петров", "Ivan Petrov"),
        ("Søren Ærø – Łódź", "Soren Aero - Lodz"),
    ],
)
def test_letters_of_every_script_are_written_as_banks_write_them(name, written):
    people = [Transfer("PR-2026-001 EMP-0001", name, "DE89370400440532013000", 100)]
    root = ElementTree.fromstring(pain001(batch(people=people)))
    assert texts(root, ".//p:Cdtr/p:Nm") == [written]


def test_in_another_currency_names_are_unchanged_and_the_transfer_is_not_sepa():
    root = ElementTree.fromstring(pain001(batch("PLN")))
    assert texts(root, ".//p:Cdtr/p:Nm") == [transfer.holder for transfer in PEOPLE]
    assert not texts(root, ".//p:SvcLvl/p:Cd")


@pytest.mark.parametrize(("currency", "amount"), [("JPY", "123456"), ("KWD", "123.456"), ("CHF", "1234.56")])
def test_an_amount_has_the_decimals_of_its_currency(currency, amount):
    root = ElementTree.fromstring(pain001(batch(currency, PEOPLE[:1])))
    assert texts(root, ".//p:InstdAmt") == [amount]


def test_the_csv_names_everyone_and_contains_no_formula():
    people = [*PEOPLE, Transfer("PR-2026-001 EMP-0003", "=cmd()", None, 100)]
    rows = list(csv.DictReader(io.StringIO(as_csv(batch(people=people)).decode())))
    assert [row["amount"] for row in rows] == ["1234.56", "0.07", "1.00"]
    assert rows[2]["name"] == "'=cmd()"
    assert rows[2]["iban"] == ""


def test_a_payment_reference_that_is_too_long_tells_how_many_numbers_it_lacks():
    numbers = [f"RE-2026-{n:05}" for n in range(1, 21)]
    transfer = Transfer("PAY-1", "Meyer", "DE89370400440532013000", 100, remittance=", ".join(numbers))
    root = ElementTree.fromstring(pain001(batch(people=[transfer])))
    assert texts(root, ".//p:Ustrd") == [f"{', '.join(numbers[:8])} + 12 more"]
