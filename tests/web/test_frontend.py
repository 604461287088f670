"""The shape and the weight of the frontend: who imports whom, how many bytes a first view and a screen take, and which
fields of the API it leaves to scripts."""

import gzip
import posixpath
import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from erp.app import routes
from erp.finance.payments.runs import bodies as runs
from erp.store.event_types import ACTS
from erp.web.endpoint import contract_of
from erp.web.pages import static
from erp.workspace.settings import WorkspaceChange
from tests.conftest import HOST
from tests.web.test_static import EXPORT, FOLDER, IMPORT, LATER, MODULES

AREAS = ("finance", "work", "people", "office")
FIRST_VIEW = 150_000
SCREEN = 15_000
BESIDE_MODULES = ("sheet.css", "styles/print.css", "icons.svg")
LEFT_TO_SCRIPTS = {
    "allowFuture",  # a date far ahead in a page is a slip
    "allowPast",
    "approvedOnly",  # the setting says it for pages
    "claimIds",  # the page pays all that is due
    "closingBalance",
    "deductCredit",
    "discountAmount",
    "discountsGivenAccountId",
    "discountsReceivedAccountId",
    "endedAt",  # pages log a duration
    "includeDifferences",  # pages pay what is open
    "includeExpenses",
    "keepTokens",
    "onlySure",
    "reminderId",  # a page invoices the charges of a letter from the letter
    "ruleId",  # pages send the body that a suggestion names
    "withoutDiscount",
}
OTHER_ACTS = {  # controls of one name in two modules of a folder that are no second list of a record
    ("finance/assets", "lifeMonths"),  # a new estimate, from a month on
    ("finance/bank", "contactId"),  # whose credit the rest of a transaction is
    ("finance/budgets", "name"),  # of a copy
    ("finance/column_mappings", "name"),  # of a new one, and of its file
    ("finance/contacts", "kind"),  # a filter
    ("finance/dimensions", "code"),  # of a dimension, and of its values
    ("finance/dimensions", "name"),
    ("finance/documents", "exchangeRate"),  # for a file in another currency
    ("finance/documents", "force"),  # of a number that is taken, in a file and in a credit note
    ("finance/documents", "lines"),  # of the document, and the ones to credit
    ("finance/documents", "supplierNumber"),  # of a bill, and of its credit note
    ("finance/journals", "date"),  # of a reversal
    ("finance/payments", "direction"),  # a filter
    ("finance/reminders", "reason"),  # of an act on a letter, and of a block
    ("office/members", "role"),  # of an invite, and of a member
    ("office/settings", "file"),  # a logo, and a letterhead
    ("office/sign_in", "password"),
    ("people/attendance", "breakMinutes"),  # of a correction, and of a day
    ("people/attendance", "date"),  # of a correction, and of a day
    ("people/expenses", "currency"),
    ("people/expenses", "date"),  # of a line, and of the posting
    ("people/expenses", "taxRateId"),  # of a line, and of a category
    ("people/expenses", "vehicle"),  # of a line, and of a rate
    ("people/leave", "note"),  # of a rejection, and of an adjustment
    ("people/leave", "reason"),  # of a request, and of an adjustment
    ("people/payroll", "amount"),  # of a component, and of a line of a payslip
    ("people/payroll", "code"),  # of a component, and of a template
    ("people/payroll", "componentId"),  # of a line of a payslip, and of a wage type
    ("people/payroll", "currency"),  # of a component, and of a run
    ("people/payroll", "reason"),  # of a line of a payslip, and of a correction
    ("work/projects", "status"),  # a filter
    ("work/tasks", "dependsOn"),  # its control alone
    ("work/time", "isBillable"),  # its control alone
    ("work/time", "task"),  # the column of a table, and the row of a week
}
OTHER_FACTS = {  # facts with the label of a field that are none of its record
    ("finance/assets/item.js", "Cost"),  # beside the depreciation and the book value
    ("finance/payments/item.js", "Amount"),  # asked about once more before it is voided
    ("work/time/approve.js", "Note"),  # of the week
}
PASSED_ON = [(f"help/{area}.js", "HELP") for area in AREAS]  # to the panel that shows them
TAKEN = re.compile(r"""^(?:import|export) \{([^}]*)\} from ["']([^"']+)["'];$""", re.MULTILINE)
ASKED = re.compile(r"""load\("([^"]+)"\)\)\.(\w+)""")
TESTS = Path(__file__).parents[1] / "frontend"
FOLDERS = {posixpath.dirname(name) for name in MODULES if name.count("/") == 2 and name.startswith(AREAS)}
HOMES = {"time-logs": "time"}
TEXT = r'\bt(\.of)?\((?:"\w+", )?"([^"]+)"\)'
SCREENS = re.findall(r'screen\("(/[^"]*)", "([^"]+)"', (FOLDER / "routes.js").read_text("utf-8"))


def imports(name):
    return {beside(name, path) for _, path in IMPORT.findall((FOLDER / name).read_text("utf-8"))}


def loaded_later(name):
    return {beside(name, path) for path, _ in LATER.findall((FOLDER / name).read_text("utf-8"))}


def beside(name, path):
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def within(name, seen):
    """A module and all that it imports, but what is there already."""
    if name not in seen:
        seen.add(name)
        for other in imports(name):
            within(other, seen)
    return seen


def weigh(names):
    return sum(len(gzip.compress((FOLDER / name).read_bytes(), mtime=0)) for name in names)


def weigh_joined(module):
    """A script as a page loads it: joined with what it needs."""
    file = static.together(f"joined/{module}.js")
    assert file
    return len(gzip.compress(file.content, mtime=0))


def weigh_texts(name):
    texts = static.messages(f"messages/{name}.json")
    assert texts
    return len(gzip.compress(texts.content, mtime=0))


@pytest.mark.parametrize("name", [name for name in MODULES if "/" in name])
def test_core_imports_core_components_core_as_well_and_an_area_no_other_area(name):
    room = name.split("/")[0]
    allowed = {"core": {"core"}, "ui": {"core", "ui"}}.get(room, {"core", "ui", room})
    assert {other.split("/")[0] for other in imports(name) | loaded_later(name)} <= allowed


@pytest.mark.parametrize("name", MODULES)
def test_keys_are_read_in_one_place_that_knows_of_texts_put_together(name):
    script = (FOLDER / name).read_text("utf-8")
    assert name == "core/keys.js" or not re.search(r"isComposing|keyCode|(event|key)\.key\b", script)


def test_formats_of_the_browser_are_made_in_one_place_that_keeps_them():
    made = re.compile(r"new Intl\.|\.toLocale\w*String\(")
    assert [name for name in MODULES if made.search((FOLDER / name).read_text("utf-8"))] == []


def test_what_a_module_exports_another_one_or_a_test_imports():
    taken = set(PASSED_ON)
    for name in MODULES:
        text = (FOLDER / name).read_text("utf-8")
        taken |= {
            (beside(name, path), each.split()[0])
            for names, path in TAKEN.findall(text)
            for each in names.split(",")
            if each.strip()
        }
        taken |= {(beside(name, path), export) for path, export in LATER.findall(text)}
        taken |= {(f"{module}.js", export) for module, export in ASKED.findall(text)}
    of_tests = "".join(path.read_text("utf-8") for path in TESTS.rglob("*.*") if path.suffix in (".js", ".py"))
    left = [
        (name, export)
        for name in MODULES
        for export in EXPORT.findall((FOLDER / name).read_text("utf-8"))
        if (name, export) not in taken and not re.search(rf"\b{export}\b", of_tests)
    ]
    assert left == []


def test_every_variable_of_a_style_is_set():
    sheets = "\n".join(path.read_text("utf-8") for path in (FOLDER / "styles").glob("*.css"))
    scripts = "\n".join((FOLDER / name).read_text("utf-8") for name in MODULES)
    made = re.findall(r"(--[\w-]+)\s*:", sheets) + re.findall(r"[\"'`](--[\w-]+)", scripts)
    assert set(re.findall(r"var\((--[\w-]+)\)", sheets + scripts)) <= set(made)


def test_the_base_is_small():
    for name in ("core/view.js", "core/signals.js"):
        assert len((FOLDER / name).read_text("utf-8").splitlines()) <= 250


def test_no_text_becomes_markup_by_the_policy():
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in static.POLICY


def test_a_first_view_weighs_less_than_150_kilobytes_with_all_that_it_loads(installation):
    headers = {"Accept-Encoding": "gzip"}
    version = static.frontend()[0]
    others = [
        installation.client.simulate_get(path, headers=headers, **HOST).content
        for path in ("/", *(f"{static.PATH}/{version}/{name}" for name in BESIDE_MODULES))
    ]
    common = weigh_joined("app") + sum(map(len, others))
    heaviest = max(
        (weigh_joined(module) + weigh_texts("de") + weigh_texts(f"de/{module}"), path) for path, module in SCREENS
    )
    assert common + heaviest[0] <= FIRST_VIEW, (common, heaviest)


@pytest.mark.parametrize(("path", "module"), SCREENS)
def test_a_screen_weighs_less_than_15_kilobytes_beside_what_all_need(path, module):
    base = within("app.js", set())
    own = {name for name in within(f"{module}.js", set(base)) - base if name.startswith(AREAS)}
    assert weigh(own) <= SCREEN, sorted((weigh([name]), name) for name in own)


def test_the_pages_know_every_field_that_can_be_sent_but_a_few():
    words = set(re.findall(r"\w+", "\n".join((FOLDER / name).read_text("utf-8") for name in MODULES)))
    contracts = [contract_of(resource, verb) for resource in routes().values() for verb in ("post", "patch")]
    bodies = {contract.body for contract in contracts if contract and contract.body}
    fields = {field.encode_name for body in bodies for field in msgspec.structs.fields(body)}
    assert fields - words == LEFT_TO_SCRIPTS


def test_every_setting_of_a_workspace_is_on_a_page_of_the_settings():
    script = (FOLDER / "office/settings/pages.js").read_text("utf-8")
    named = {"default_accounts", "time_billing"}  # in modules of their own
    fields = {field.encode_name for field in msgspec.structs.fields(WorkspaceChange) if field.name not in named}
    assert fields - set(re.findall(r"\w+", script)) == set()


def test_each_field_of_a_record_is_drawn_in_one_module_of_its_folder():
    drawn = {
        folder: Counter(name for script in beside_each_other(folder).values() for name in drawn_in(script))
        for folder in FOLDERS
    }
    twice = {(folder, name) for folder, names in drawn.items() for name, count in names.items() if count > 1}
    assert twice == OTHER_ACTS


def test_the_facts_of_a_page_are_told_by_the_fields_of_its_record():
    found = set()
    for folder in FOLDERS:
        scripts = beside_each_other(folder)
        labels = {text for _, text in re.findall(TEXT, scripts.pop("fields.js", ""))}
        facts = {name: set(re.findall(rf"\[\s*{TEXT},", script)) for name, script in scripts.items()}
        found |= {(f"{folder}/{name}", text) for name, texts in facts.items() for _, text in texts if text in labels}
    assert found == OTHER_FACTS


@pytest.mark.parametrize("area", ["finance", "work", "people"])
def test_the_columns_of_an_import_are_told_by_the_fields_of_its_record(area):
    script = (FOLDER / area / "import.js").read_text("utf-8")
    tables = re.findall(r'path: "/(?:\w+/)*([\w-]+)/import",\n(.*?)\n  \}\)', script, re.DOTALL)
    own = [text for name, text in tables if f"{area}/{HOMES.get(name, name)}/fields.js" in MODULES]
    assert own
    assert [text for text in own if "columns" in text and "columnsOf(" not in text] == []


def test_the_page_puts_as_many_bills_into_a_run_as_one_can_name():
    (most,) = re.findall(r"const MOST = (\d+);", (FOLDER / "finance/payment_runs/new.js").read_text("utf-8"))
    assert int(most) == runs.MOST


def beside_each_other(folder):
    names = [name for name in MODULES if posixpath.dirname(name) == folder]
    return {posixpath.basename(name): (FOLDER / name).read_text("utf-8") for name in names}


def drawn_in(script):
    return set(re.findall(r'\bname: "([\w.]+)"', script))


def test_every_type_of_event_has_words():
    words = (FOLDER / "office" / "log" / "events.js").read_text("utf-8")
    nouns, acts = words.split("const ACTS")
    named = {*re.findall(r"^  (\w+): \(\)", nouns, re.MULTILINE)}, {*re.findall(r"^  (\w+): \(\)", acts, re.MULTILINE)}
    written = {act for of_noun in ACTS.values() for act in of_noun.split()}
    assert named == (set(ACTS), written)
