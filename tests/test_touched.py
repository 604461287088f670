"""The quick check runs the tests of what was touched, and no others."""

import shutil
import subprocess

import pytest

from tests.touched import ALWAYS, changed, to_run

FILES = (
    "erp/tasks/tasks.py",
    "erp/tasks/time/logs.py",
    "erp/tasks/time/tables/rows.py",
    "tests/frontend/test_board.py",
    "tests/tasks/conftest.py",
    "tests/tasks/test_tasks.py",
    "tests/tasks/boards/test_board.py",
    "tests/tasks/time/test_logs.py",
)
OF_TASKS = {"tests/tasks/test_tasks.py", "tests/tasks/boards/test_board.py"}
OF_TIME = {"tests/tasks/time/test_logs.py"}


@pytest.fixture
def project(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")
    return tmp_path


@pytest.fixture
def repository(project):
    """The project on main, with one commit."""
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    git(project, "init", "--quiet", "--initial-branch=main")
    commit(project)
    return project


def git(folder, *words):
    who = ("-c", "user.name=Mara", "-c", "user.email=mara@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True)


def commit(folder):
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=Change")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("erp/tasks/tasks.py", OF_TASKS),
        ("erp/tasks/time/logs.py", OF_TIME),
        ("erp/tasks/time/tables/rows.py", OF_TIME),
        ("tests/tasks/conftest.py", OF_TASKS),
        ("tests/tasks/test_tasks.py", {"tests/tasks/test_tasks.py"}),
        ("tests/tasks/test_deleted.py", set()),
        ("erp/app.py", set()),
        ("LICENSE", set()),
    ],
)
def test_a_changed_file_leads_to_the_tests_of_its_room(project, path, expected):
    assert set(to_run([path], project)) - set(ALWAYS) == expected


def test_a_changed_page_leads_to_no_test_in_a_browser_but_a_changed_test_to_itself(project):
    of_pages = to_run(["erp/frontend/tasks/board.js"], project)
    assert "tests/web/test_frontend.py" in of_pages
    assert "tests/frontend/test_board.py" not in of_pages
    assert "tests/frontend/test_board.py" in to_run(["tests/frontend/test_board.py"], project)


def test_whatever_was_changed_the_rules_of_the_whole_source_are_tested(project):
    assert set(to_run([], project)) == set(ALWAYS)


def test_everything_since_the_last_commit_on_main_counts(repository):
    git(repository, "switch", "--quiet", "--create", "field")
    (repository / "erp/tasks/tasks.py").write_text("PRIORITY = 1\n", "utf-8")
    commit(repository)
    (repository / "erp/tasks/time/logs.py").write_text("HOURS = 1\n", "utf-8")
    (repository / "erp/tasks/new.py").write_text("", "utf-8")
    assert set(changed(repository)) == {"erp/tasks/tasks.py", "erp/tasks/time/logs.py", "erp/tasks/new.py"}


def test_on_main_itself_what_is_not_committed_counts(repository):
    (repository / "erp/tasks/tasks.py").unlink()
    assert changed(repository) == ["erp/tasks/tasks.py"]
