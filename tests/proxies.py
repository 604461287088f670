"""Real proxies for tests, with the configuration that the documentation shows, and browsers in front of them."""

import http.client
import json
import shutil
import socket
import ssl
import subprocess
from contextlib import contextmanager

import pytest

from tests.conftest import PASSWORD
from tests.servers import wait_for

NAME = "erp.example.com"
OLGA = {"email": "olga@example.com", "password": PASSWORD}


def found(name):
    """The path of a program, which a user's PATH may not lead to; empty if it is not installed."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin") or ""


OPENSSL = found("openssl")


def needs(*names):
    """Skip a test unless the programs are installed."""
    return pytest.mark.skipif(not all(map(found, names)), reason=f"{' and '.join(names)} are not installed")


def replaced(text, *pairs):
    """The text with each old part, which must be there once, replaced by its new one."""
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def free_port():
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def made_keys(folder, *names):
    """A folder with a certificate for the names, erp.crt, its key, erp.key, and both in one file, erp.pem."""
    asked = f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN={names[0]}"
    alternatives = ",".join(f"DNS:{name}" for name in names)
    rest = ["-addext", f"subjectAltName={alternatives}", "-keyout", "erp.key", "-out", "erp.crt"]
    subprocess.run([OPENSSL, *asked.split(), *rest], cwd=folder, check=True, capture_output=True)
    (folder / "erp.pem").write_bytes((folder / "erp.crt").read_bytes() + (folder / "erp.key").read_bytes())
    return folder


@contextmanager
def listening(command, port, **options):
    """Run a proxy until the block ends."""
    with subprocess.Popen(command, **options) as process:
        try:
            wait_for(lambda: process.poll() is not None or listens(port), 20)
            assert process.poll() is None, f"{command[0]} does not take the block of the documentation"
            yield process
        finally:
            process.terminate()


def nginx(folder, port, http_block):
    """Run nginx with a block of `http`, in a new folder."""
    folder.mkdir()
    places = "".join(f"{kind}_temp_path {kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    frame = "daemon off; master_process off; pid nginx.pid; error_log nginx.log; events {}"
    (folder / "nginx.conf").write_text(f"{frame} http {{ access_log off; {places} {http_block} }}")
    return listening([found("nginx"), "-p", folder, "-c", "nginx.conf", "-e", "nginx.log"], port)


def listens(port):
    """Whether something listens on a port of this computer."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Client(http.client.HTTPSConnection):
    """A browser of an office, which reaches the proxy from an address of its own."""

    def __init__(self, keys, port, source="127.0.0.1", name=NAME):
        super().__init__(name, port, timeout=20)
        self.trust = ssl.create_default_context(cafile=keys / "erp.crt")
        self.source = source
        self.kept = {}

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, source_address=(self.source, 0))
        self.sock = self.trust.wrap_socket(plain, server_hostname=self.host)

    def ask(self, verb, path, body=None, **headers):
        content = {"Content-Type": "application/json"} if body is not None else {}
        given = {**content, **self.kept, **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.request(verb, path, body if body is None or isinstance(body, bytes) else json.dumps(body), given)
        answer = self.getresponse()
        return answer, answer.read()

    def call(self, verb, path, body=None, **headers):
        answer, content = self.ask(verb, "/api/v1" + path, body, **headers)
        return answer, json.loads(content)

    def sign_in(self, who=OLGA):
        answer, content = self.call("POST", "/auth/sign-in/email", who, Origin=f"https://{self.host}:{self.port}")
        assert answer.status == 200, content
        (cookie,) = [each for each in answer.headers.get_all("Set-Cookie") if "erp_session_" in each]
        self.kept = {"Cookie": cookie.partition(";")[0], "Sec-Fetch-Site": "same-origin"}
        return cookie
