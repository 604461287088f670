"""Wage data for an external payroll provider: each figure once, and later what has changed."""

import pytest

from tests.hr.attendance.records import grant_leave, marked_day, punch
from tests.hr.payroll.payrolls import add_components, hourly, leave_type, log_time, paid_employee, payroll_run, salary

EXPORTS = "/hr/payroll/wage-exports"
OCTOBER, SEPTEMBER = "2026-10", "2026-09"
TRANSPORT = {"code": "transport", "name": "Transport", "kind": "earning", "calculation": "fixed", "amount": "60.00"}
LODAS_HEAD = [
    "[Allgemein]",
    "Ziel=LODAS",
    "Version_SST=1.0",
    "BeraterNr=29098",
    "MandantenNr=55003",
    "Datumsformat=TT/MM/JJJJ",
    "Feldtrennzeichen=;",
    "Zahlenkomma=,",
    "[Satzbeschreibung]",
    (
        "1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;pnr#bwd;la_eigene#bwd;bs_nr#bwd;bs_wert_butab#bwd;"
        "kostenstelle#bwd;"
    ),
    "[Bewegungsdaten]",
]


@pytest.fixture(autouse=True)
def _november(clock_at):
    clock_at("2026-11-26T09:00:00Z")


def wage_type(office, source="worked_hours", number=1000, unit="hours", **fields):
    body = {"source": source, "wageType": number, "unit": unit, **fields}
    return office.ok("POST", "/hr/wage-types", body)


def datev(office):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"datevAdvisor": 29098, "datevClient": 55003})


def export(office, month=OCTOBER, format="csv", **fields):
    return office.ok("POST", EXPORTS, {"month": month, "format": format, **fields})


def work(office, employee, minutes, month=OCTOBER):
    """So many minutes in a month, at most 1,000 a day."""
    day = 1
    while minutes:
        part = min(1000, minutes)
        start, end = f"{month[5:]}-{day:02} 00:00", f"{part // 60:02}:{part % 60:02}"
        marked_day(office, employee, f"{month}-{day:02}", punch(start, end))
        minutes, day = minutes - part, day + 1


def rows(made):
    return [(row["personnelNumber"], row["month"], row["wageType"], row["quantity"]) for row in made["rows"]]


def file_of(office, made):
    answer = office.call("GET", f"{EXPORTS}/{made['id']}/file")
    assert answer.status_code == 200, answer.text
    return answer.content


def test_lodas_has_hours_with_a_decimal_comma(acme):
    datev(acme)
    anna = paid_employee(acme, employeeNumber="E-0017")
    ben = paid_employee(acme, "Ben", employeeNumber="E-9", payrollNumber=12345)
    work(acme, anna, 9150)
    work(acme, ben, 7460)
    wage_type(acme, processingKey=1)
    content = file_of(acme, export(acme, format="lodas"))
    assert content.count(b"\r\n") == content.count(b"\n") == 13
    assert content.decode("cp1252").split("\r\n") == [
        *LODAS_HEAD,
        "1;01/10/2026;17;1000;1;152,50;;",
        "1;01/10/2026;12345;1000;1;124,33;;",
        "",
    ]


def test_lohn_und_gehalt_has_each_value_in_the_column_of_its_unit(acme):
    anna = paid_employee(acme, employeeNumber="17")
    work(acme, anna, 9150)
    grant_leave(acme, anna, "2026-10-29")
    wage_type(acme)
    wage_type(acme, "leave_days", 1500, "days")
    wage_type(acme, "base_pay", 2000, "amount")
    content = file_of(acme, export(acme, format="lohn_und_gehalt"))
    assert content.decode("cp1252").split("\r\n") == [
        (
            "Personalnummer;Kalendertag;Ausfallschlüssel;Lohnart;Stunden;Tage;Wert;Faktor;Lohnveränderung;Kostenstelle;"
            "Kostenträger"
        ),
        "17;01.10.2026;;1000;152,50;;;;;;",
        "17;01.10.2026;;1500;;1,00;;;;;",
        "17;01.10.2026;;2000;;;3000,00;;;;",
        "",
    ]


def test_the_table_has_a_row_for_each_figure(acme):
    paid_employee(acme, "Anna", employeeNumber="17")
    wage_type(acme, "base_pay", 2000, "amount")
    assert file_of(acme, export(acme)).decode().split("\r\n") == [
        "month,personnelNumber,employeeName,source,wageType,unit,quantity,processingKey",
        '"2026-10",17,"Anna","base_pay",2000,"amount",3000.00,',
        "",
    ]


def test_absence_counts_in_days_or_in_scheduled_hours(acme):
    anna = paid_employee(acme, employeeNumber="1")
    acme.ok("POST", "/hr/holidays", {"date": "2026-10-05", "name": "Fair"})
    for day, code in (("2026-10-06", "sick"), ("2026-10-07", "unpaid"), ("2026-10-08", "annual")):
        grant_leave(acme, anna, day, leaveTypeId=leave_type(acme, code))
    for number, source in enumerate(("leave_days", "sick_days", "unpaid_days", "holiday_days")):
        wage_type(acme, source, 100 + number, "days")
        wage_type(acme, source, 200 + number, "hours")
    assert [(number, quantity) for _, _, number, quantity in rows(export(acme))] == [
        *((100 + place, "1.00") for place in range(4)),
        *((200 + place, "8.00") for place in range(4)),
    ]


def test_overtime_components_and_logged_hours_are_exported(acme):
    component = acme.ok("POST", "/hr/pay-components", TRANSPORT)["id"]
    anna = paid_employee(acme, pay=salary(components=[{"componentId": component}]), employeeNumber="1")
    marked_day(acme, anna, "2026-10-01", punch("10-01 06:00", "16:00"))
    paid_employee(acme, "Olga", pay=hourly(), user=acme, employeeNumber="2")
    log_time(acme, "2026-10-02", 90)
    wage_type(acme)
    wage_type(acme, "overtime_hours", 1100)
    wage_type(acme, "component", 2100, "amount", componentId=component)
    assert rows(export(acme)) == [
        (1, OCTOBER, 1000, "10.00"),
        (1, OCTOBER, 1100, "2.00"),
        (1, OCTOBER, 2100, "60.00"),
        (2, OCTOBER, 1000, "1.50"),
    ]


def test_pay_needs_no_run_and_is_the_same_after_one(acme):
    paid_employee(acme, employeeNumber="1")
    wage_type(acme, "base_pay", 2000, "amount")
    before = export(acme, dryRun=True)
    payroll_run(acme, {"periodStart": "2026-10-01", "periodEnd": "2026-10-31"})
    assert rows(before) == rows(export(acme)) == [(1, OCTOBER, 2000, "3000.00")]


def test_a_later_export_has_what_changed_with_its_month(acme):
    anna = paid_employee(acme, employeeNumber="1")
    work(acme, anna, 600, SEPTEMBER)
    wage_type(acme)
    assert rows(export(acme, SEPTEMBER)) == [(1, SEPTEMBER, 1000, "10.00")]
    assert rows(export(acme, SEPTEMBER)) == []
    marked_day(acme, anna, f"{SEPTEMBER}-10", punch("09-10 08:00", "09:20"))
    work(acme, anna, 120)
    made = export(acme)
    assert rows(made) == [(1, SEPTEMBER, 1000, "1.33"), (1, OCTOBER, 1000, "2.00")]
    assert [(entry["code"], entry["month"], entry["count"]) for entry in made["warnings"]] == [
        ("changed_since", SEPTEMBER, 1)
    ]
    (record,) = acme.ok("GET", "/hr/attendance", params={"employeeId": anna, "dateFrom": f"{OCTOBER}-01"})
    acme.ok("DELETE", f"/hr/attendance/{record['id']}")
    assert rows(export(acme)) == [(1, OCTOBER, 1000, "-2.00")]


def test_months_before_the_previous_year_are_corrected_no_more(acme):
    anna = paid_employee(acme, employeeNumber="1", hireDate="2024-01-01")
    wage_type(acme)
    for month in ("2024-12", SEPTEMBER, "2024-11"):
        assert rows(export(acme, month)) == []
    for month in ("2024-12", SEPTEMBER, "2024-11"):
        day = f"{month}-02"
        marked_day(acme, anna, day, {"in": f"{day}T08:00:00Z", "out": f"{day}T09:00:00Z"})
    assert rows(export(acme)) == [(1, SEPTEMBER, 1000, "1.00")]
    assert rows(export(acme, "2025-01")) == [(1, "2024-11", 1000, "1.00"), (1, "2024-12", 1000, "1.00")]


def test_who_had_nothing_in_an_exported_month_is_corrected_too(acme):
    paid_employee(acme, "Anna", employeeNumber="1")
    ben = paid_employee(acme, "Ben", employeeNumber="2")
    wage_type(acme)
    assert rows(export(acme, SEPTEMBER)) == []
    work(acme, ben, 60, SEPTEMBER)
    assert rows(export(acme)) == [(2, SEPTEMBER, 1000, "1.00")]


def test_a_month_of_only_some_is_exported_later_for_the_others(acme):
    anna, ben = (paid_employee(acme, name, employeeNumber=number) for name, number in (("Anna", "1"), ("Ben", "2")))
    wage_type(acme, "base_pay", 2000, "amount")
    assert rows(export(acme, employeeIds=["1"])) == [(1, OCTOBER, 2000, "3000.00")]
    assert rows(export(acme, employeeIds=[anna, ben])) == [(2, OCTOBER, 2000, "3000.00")]


def test_a_new_wage_type_corrects_no_earlier_month(acme):
    anna = paid_employee(acme, employeeNumber="1")
    work(acme, anna, 60, SEPTEMBER)
    wage_type(acme)
    export(acme, SEPTEMBER)
    wage_type(acme, "base_pay", 2000, "amount")
    assert rows(export(acme)) == [(1, OCTOBER, 2000, "3000.00")]
    assert rows(export(acme, SEPTEMBER)) == [(1, SEPTEMBER, 2000, "3000.00")]


def test_exports_are_numbered_listed_and_stay(acme):
    paid_employee(acme, employeeNumber="1")
    changed = wage_type(acme, "base_pay", 2000, "amount")
    first, second = export(acme, SEPTEMBER), export(acme)
    assert [first["number"], second["number"]] == [1, 2]
    acme.ok("PATCH", f"/hr/wage-types/{changed['id']}", {"wageType": 2001})
    acme.ok("DELETE", f"/hr/wage-types/{changed['id']}")
    assert acme.ok("GET", f"{EXPORTS}/{first['id']}")["rows"] == first["rows"]
    assert [(row["number"], row["rowCount"]) for row in acme.ok("GET", EXPORTS)] == [(2, 1), (1, 1)]
    assert [row["id"] for row in acme.ok("GET", EXPORTS, params={"month": SEPTEMBER})] == [first["id"]]


def test_a_dry_run_stores_nothing(acme):
    paid_employee(acme, employeeNumber="1")
    wage_type(acme, "base_pay", 2000, "amount")
    answer = acme.call("POST", EXPORTS, {"month": OCTOBER, "format": "csv", "dryRun": True})
    assert answer.status_code == 200
    assert rows(answer.json["data"]) == [(1, OCTOBER, 2000, "3000.00")]
    assert acme.ok("GET", EXPORTS) == []


def test_figures_without_a_wage_type_are_named(acme):
    add_components(acme, {**TRANSPORT, "appliesToAll": True})
    anna = paid_employee(acme, employeeNumber="1")
    work(acme, anna, 60)
    grant_leave(acme, anna, "2026-10-29")
    wage_type(acme, "base_pay", 2000, "amount")
    warned = [(entry["code"], entry["source"], entry["componentName"]) for entry in export(acme)["warnings"]]
    assert warned == [
        ("unmapped", "component", "Transport"),
        ("unmapped", "leave_days", None),
    ]


def test_an_export_needs_wage_types_numbers_and_settings(acme):
    body = {"month": OCTOBER, "format": "csv"}
    paid_employee(acme, "Anna", employeeNumber="none")
    acme.refused("POST", EXPORTS, body, status=422, code="wage_type_missing")
    wage_type(acme, "base_pay", 2000, "amount")
    refusal = acme.refused("POST", EXPORTS, body, status=422, code="personnel_number_missing")
    assert "Anna" in refusal["message"]
    acme.refused("POST", EXPORTS, {**body, "format": "lodas"}, status=422, code="datev_numbers_missing")
    acme.refused("POST", EXPORTS, {**body, "employeeIds": ["nobody"]}, status=422, code="unknown_reference")


@pytest.mark.parametrize("number", ["0", "100000", "E-12-0017"])
def test_the_digits_of_a_number_are_a_personnel_number_up_to_99999(acme, number):
    anna = paid_employee(acme, employeeNumber=number)
    wage_type(acme, "base_pay", 2000, "amount")
    acme.refused("POST", EXPORTS, {"month": OCTOBER, "format": "csv"}, status=422, code="personnel_number_missing")
    acme.ok("PATCH", f"/hr/employees/{anna}", {"payrollNumber": 17})
    assert rows(export(acme)) == [(17, OCTOBER, 2000, "3000.00")]


def test_two_people_never_share_a_personnel_number(acme):
    paid_employee(acme, "Anna", employeeNumber="E-7")
    ben = paid_employee(acme, "Ben", employeeNumber="8", payrollNumber=7)
    wage_type(acme, "base_pay", 2000, "amount")
    refusal = acme.refused("POST", EXPORTS, {"month": OCTOBER, "format": "csv"}, status=422)
    assert "Anna, Ben" in refusal["message"]
    body = {"name": "Cleo", "hireDate": "2026-01-01", "payrollNumber": 7}
    acme.refused("POST", "/hr/employees", body, status=409, code="already_exists")
    acme.refused("PATCH", f"/hr/employees/{ben}", {"payrollNumber": 100_000}, status=422)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"unit": "days"}, "unit", "wrong_unit"),
        ({"source": "component", "unit": "amount"}, "componentId", "required"),
        ({"wageType": 0}, "wageType", "out_of_range"),
        ({"wageType": 10_000}, "wageType", "out_of_range"),
    ],
)
def test_a_wage_type_fits_its_figure(acme, fields, field, code):
    body = {"source": "worked_hours", "wageType": 1000, "unit": "hours", **fields}
    (detail,) = acme.refused("POST", "/hr/wage-types", body, status=422)["details"]
    assert (detail["field"], detail["code"]) == (field, code)


def test_a_figure_has_a_number_once_and_a_mapped_component_stays(acme):
    component = acme.ok("POST", "/hr/pay-components", TRANSPORT)["id"]
    wage_type(acme, "component", 2100, "amount", componentId=component)
    hours = {"source": "worked_hours", "wageType": 1, "unit": "hours", "componentId": component}
    (detail,) = acme.refused("POST", "/hr/wage-types", hours, status=422)["details"]
    assert (detail["field"], detail["code"]) == ("componentId", "not_applicable")
    again = {"source": "component", "wageType": 2100, "unit": "amount", "componentId": component}
    acme.refused("POST", "/hr/wage-types", again, status=409, code="already_exists")
    acme.refused("DELETE", f"/hr/pay-components/{component}", status=409, code="in_use")
