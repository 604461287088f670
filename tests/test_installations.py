"""Many installations behind one proxy, as the documentation sets them up; 20 of them when it is tried thoroughly."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import urlopen

import pytest

from erp import cli
from tests.conftest import IS_THOROUGH, PASSWORD
from tests.docs.pages import blocks, page
from tests.paths import ROOT
from tests.proxies import Client, found, free_port, listening, made_keys, needs, nginx, replaced
from tests.servers import OWN_CONSOLE, wait_for

NAMES = ["acme", "bolt", "crane", *(f"office{number}" for number in range(4, 21))]
"""The first two are those of the documentation."""
if not IS_THOROUGH:
    NAMES = NAMES[:3]

ERP = (sys.executable, "-m", "erp")
DOMAIN = "example.com"
WAITING = "erp: Another backup or restore is under way. Waiting until it has finished."
"""Said where an installation makes its daily backup meanwhile, soon after it has started."""
TELLS_MEMORY = Path("/proc/self/smaps_rollup").exists()
IDLE = 65
"""MiB of its own that an installation may use before its first request, without the files that processes share."""

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="the proxies run on Linux and macOS"),
]


def documented(name, language):
    (block,) = blocks(page("growing"), name, language)
    return block


def of(name):
    return f"{name}.{DOMAIN}"


def erp(*words):
    """Run a command of the program to its end."""
    return subprocess.run(
        [*ERP, *map(str, words)], input=f"{PASSWORD}\n", capture_output=True, text=True, cwd=ROOT, check=False
    )


def is_ready(port):
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/api/health", timeout=5) as answer:
        return answer.status == 200


def memory_of(process):
    """The MiB that a process uses and shares with no other, however many of them run."""
    shares = Path(f"/proc/{process.pid}/smaps_rollup").read_text("utf-8")
    (kilobytes,) = re.findall(r"^Pss_Anon: +([0-9]+) kB", shares, re.MULTILINE)
    return int(kilobytes) / 1024


class Installation:
    """A data folder with settings of its own, and its server."""

    def __init__(self, folder, proxy_port):
        self.folder, self.name, self.port = folder, folder.name, free_port()
        self.olga = {"email": f"olga@{of(self.name)}", "password": PASSWORD}
        self.url = f"https://{of(self.name)}:{proxy_port}"
        folder.mkdir()
        settings = documented("settings", "toml")
        settings = replaced(settings, ("8421", str(self.port)), ("https://acme.example.com", self.url))
        (folder / "erp.toml").write_text(settings, "utf-8")
        made = erp("user", "create", self.olga["email"], "--admin", "--data-dir", folder)
        assert made.returncode == 0, made.stderr
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [*ERP, "serve", "--data-dir", str(self.folder), "--no-browser"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            creationflags=OWN_CONSOLE,
        )
        wait_for(lambda: is_ready(self.port) or self.process.poll() is not None, 60)
        assert self.process.poll() is None
        self.memory_at_start = memory_of(self.process) if TELLS_MEMORY else 0

    def stop(self):
        self.process.kill()
        self.process.wait(20)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return made_keys(tmp_path_factory.mktemp("keys"), f"*.{DOMAIN}")


@pytest.fixture(scope="module")
def port():
    """The port of the proxies, which run one after another."""
    return free_port()


@pytest.fixture
def plain():
    """The port of a proxy without TLS."""
    return free_port()


@pytest.fixture(scope="module")
def offices(tmp_path_factory, port):
    folder = tmp_path_factory.mktemp("srv")
    with ExitStack() as running:
        made = []
        for name in NAMES:
            made.append(Installation(folder / name, port))
            running.callback(made[-1].stop)
        yield made


def with_offices(block, part, offices):
    """The block of a proxy, with the part of one office in it for each of these."""
    acme, bolt = (found[0] for found in re.finditer(part, block, re.MULTILINE | re.DOTALL))
    assert replaced(acme, ("acme", "bolt"), ("8421", "8422")) == bolt
    assert acme + bolt in block
    parts = (replaced(acme, ("acme", one.name), ("8421", str(one.port))) for one in offices)
    return block.replace(acme + bolt, "".join(parts))


def in_nginx(folder, keys, port, plain, offices):
    block = with_offices(documented("proxy", "nginx"), r"^    \w+\.example\.com [^\n]*;\n", offices)
    files = [(f"/etc/ssl/example.com.{kind}", str(keys / f"erp.{kind}")) for kind in ("crt", "key")]
    block = replaced(
        block, ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("listen 80;", f"listen 127.0.0.1:{plain};"), *files
    )
    return nginx(folder, port, block)


def in_caddy(folder, keys, port, plain, offices):
    folder.mkdir()
    block = with_offices(documented("proxy", "caddy"), r"^\w+\.example\.com {\n.*?^}\n", offices)
    ours = f":{port} {{\n    tls {keys / 'erp.crt'} {keys / 'erp.key'}\n"
    usual = "{\n    admin off\n    auto_https off\n    default_bind 127.0.0.1\n}\n"
    (folder / "Caddyfile").write_text(usual + block.replace(" {\n", ours), "utf-8")
    own = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return listening(
        [found("caddy"), "run", "--config", folder / "Caddyfile"], port, env=own, stderr=subprocess.DEVNULL
    )


def in_haproxy(folder, keys, port, plain, offices):
    folder.mkdir()
    block = with_offices(documented("proxy", "haproxy"), r"^backend [^\n]*\n    [^\n]*\n", offices)
    block = replaced(
        block,
        ("bind :443", f"bind 127.0.0.1:{port}"),
        ("bind :80", f"bind 127.0.0.1:{plain}"),
        ("/etc/haproxy/example.com.pem", str(keys / "erp.pem")),
    )
    (folder / "haproxy.cfg").write_text(block, "utf-8")
    return listening([found("haproxy"), "-f", folder / "haproxy.cfg"], port)


@pytest.mark.parametrize(
    "in_front",
    [
        pytest.param(in_nginx, marks=needs("nginx", "openssl")),
        pytest.param(in_caddy, marks=needs("caddy", "openssl")),
        pytest.param(in_haproxy, marks=needs("haproxy", "openssl")),
    ],
)
def test_each_name_leads_to_its_own_installation_and_to_no_other(offices, in_front, tmp_path, keys, port, plain):
    with in_front(tmp_path / "proxy", keys, port, plain, offices), ExitStack() as opened:
        clients = [opened.enter_context(closing(Client(keys, port, "127.0.0.2", of(one.name)))) for one in offices]
        for one, client in zip(offices, clients, strict=True):
            client.kept = {"X-Forwarded-For": "203.0.113.9"}
            client.sign_in(one.olga)
            _, sessions = client.call("GET", "/auth/sessions")
            assert {each["address"] for each in sessions["data"]} == {"127.0.0.2"}
            name = f"{one.name} by {in_front.__name__}"
            made = client.call("POST", "/workspace", {"name": name})[1]["data"]
            client.kept["X-Workspace-Id"] = made["id"]
            _, invite = client.call("POST", "/workspace/invites", {"email": "anna@example.com", "role": "member"})
            assert invite["data"]["acceptUrl"].startswith(f"{one.url}/#invite=")
            assert name in {each["name"] for each in client.call("GET", "/workspace")[1]["data"]}
        for at, client in enumerate(clients):
            other = opened.enter_context(closing(Client(keys, port, "127.0.0.2", of(NAMES[at - 1]))))
            other.kept = client.kept
            assert other.call("GET", "/auth/sessions")[0].status == 401
            assert other.call("POST", "/auth/sign-in/email", offices[at].olga)[0].status == 401
        nobody = opened.enter_context(closing(Client(keys, port, name=of("nobody"))))
        answer, content = nobody.ask("GET", "/api/health")
        assert answer.status >= 400 or content == b""
        assert b"status" not in content


@pytest.mark.parametrize(
    "in_front",
    [
        pytest.param(in_nginx, marks=needs("nginx", "openssl")),
        pytest.param(in_haproxy, marks=needs("haproxy", "openssl")),
    ],
)
def test_plain_http_leads_to_https(offices, in_front, tmp_path, keys, port, plain):
    with (
        in_front(tmp_path / "proxy", keys, port, plain, offices),
        closing(HTTPConnection("127.0.0.1", plain)) as client,
    ):
        client.request("GET", "/docs?a=1", headers={"Host": of("acme")})
        answer = client.getresponse()
        assert answer.status in {301, 302}
        assert answer.headers["Location"] == f"https://{of('acme')}/docs?a=1"


@needs("nginx", "openssl")
def test_one_that_is_down_leaves_the_others_at_work(offices, tmp_path, keys, port, plain):
    acme, bolt = offices[:2]
    with in_nginx(tmp_path / "proxy", keys, port, plain, offices):

        def status(one):
            with closing(Client(keys, port, name=of(one.name))) as client:
                return client.ask("GET", "/api/health")[0].status

        assert [status(acme), status(bolt)] == [200, 200]
        bolt.stop()
        try:
            assert [status(acme), status(bolt)] == [200, 502]
        finally:
            bolt.start()
        assert [status(acme), status(bolt)] == [200, 200]


def test_all_are_checked_and_backed_up_while_they_run(offices, tmp_path):
    folder, elsewhere = offices[0].folder.parent, tmp_path / "elsewhere"
    check, backup = documented("all", "sh").splitlines()
    words = check.removeprefix("sudo -u erp erp ").split()
    done = erp(*(folder if word == "/srv/erp" else word for word in words))
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line in {f"{name}:" for name in NAMES}] == [
        f"{name}:" for name in sorted(NAMES)
    ]
    places = {"/srv/erp": folder, "/mnt/elsewhere": elsewhere}
    done = erp(*(places.get(word, word) for word in backup.removeprefix("sudo -u erp erp ").split()))
    assert (done.returncode, {*done.stderr.splitlines()} - {WAITING}) == (0, set())
    made = sorted(path.relative_to(elsewhere).parts[0] for path in elsewhere.glob("*/erp-*-manual.zip"))
    assert made == sorted(NAMES)
    assert done.stdout.splitlines()[-1] == f"All {len(NAMES)} installations are done."


@pytest.mark.skipif(not TELLS_MEMORY, reason="this system does not tell how much is used")
def test_an_idle_one_uses_little_memory(offices):
    assert max(one.memory_at_start for one in offices) <= IDLE


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path):
    """With a program and a user that are there."""
    unit = tmp_path / "erp@acme.service"
    (command,) = re.findall("^ExecStart=/usr/local/bin/erp (.*)$", documented("unit", "ini"), re.MULTILINE)
    assert cli.parser().parse_args(command.split()).data_dir == "/srv/erp/%i"
    here = [("/usr/local/bin/erp", "/bin/true"), ("User=erp", "User=root")]
    unit.write_text(replaced(documented("unit", "ini"), *here), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
