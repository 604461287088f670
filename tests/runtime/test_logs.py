import json
import logging
from pathlib import Path

import pytest

from erp.kernel.config import Config
from erp.runtime import logs


@pytest.fixture
def config(tmp_path):
    return Config(data_dir=tmp_path)


@pytest.fixture
def quiet_logging():
    root, erp = logging.getLogger(), logging.getLogger("erp")
    before = root.handlers[:], root.level, erp.level
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers[:], root.level = before[0], before[1]
    erp.setLevel(before[2])


@pytest.mark.usefixtures("quiet_logging")
def test_the_log_is_lines_of_text_with_the_extra_fields(config):
    logs.configure(config)
    logging.getLogger("erp.access").info("GET %s", "/x\nforged", extra={"request_id": "r1", "user_id": None})
    logging.getLogger("erp.access").debug("not at this level")
    logging.getLogger("waitress").warning("Exception while serving %s", "/secret")
    logs.flush()
    first, second = (config.logs_dir / "erp.log").read_text().splitlines()
    assert first.endswith("Z INFO    erp.access GET /x\\nforged request_id=r1")
    assert "secret" not in second


@pytest.mark.usefixtures("quiet_logging")
def test_the_log_can_be_json(config):
    logs.configure(Config(data_dir=config.data_dir, log_format="json", log_level="debug"))
    logging.getLogger("erp.access").debug("GET /x", extra={"status": 200})
    logs.flush()
    line = json.loads((config.logs_dir / "erp.log").read_text())
    assert line.pop("at").endswith("Z")
    assert line == {"level": "debug", "logger": "erp.access", "message": "GET /x", "status": 200}


@pytest.mark.usefixtures("quiet_logging")
def test_the_log_is_buffered_until_it_is_flushed_or_something_goes_wrong(config):
    logs.configure(config)
    file = config.logs_dir / "erp.log"
    logging.getLogger("erp.access").info("GET /x")
    assert file.read_text() == ""
    logs.flush()
    assert len(file.read_text().splitlines()) == 1
    logging.getLogger("erp.errors").warning("it broke")
    assert len(file.read_text().splitlines()) == 2


@pytest.mark.usefixtures("quiet_logging")
def test_a_full_log_file_is_rotated(config, monkeypatch):
    monkeypatch.setattr(logs, "FILE_SIZE", 400)
    logs.configure(config)
    for number in range(12):
        logging.getLogger("erp.access").info("GET /%s", number)
    logs.flush()
    files = sorted(config.logs_dir.iterdir())
    assert len(files) > 1
    assert all(file.stat().st_size <= 400 for file in files)
    assert sum(len(file.read_text().splitlines()) for file in files) == 12


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.usefixtures("quiet_logging")
def test_on_a_full_disk_errors_are_still_on_stderr(config, capsys):
    config.logs_dir.mkdir()
    (config.logs_dir / "erp.log").symlink_to("/dev/full")
    logs.configure(config)
    for _ in range(200):
        logging.getLogger("erp").info("x" * 200)
    logging.getLogger("erp").error("request r1: database or disk is full")
    logs.flush()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("ERROR   erp request r1: database or disk is full")
