"""A running server for tests, and raw requests to it."""

import http.client
import signal
import socket
import subprocess
import sys
import threading
import urllib.parse
from contextlib import contextmanager

from erp.runtime.server import Server, bind
from tests import documented

if sys.platform == "win32":
    OWN_CONSOLE = subprocess.CREATE_NO_WINDOW
    CTRL_C = """
import ctypes, sys
console = ctypes.windll.kernel32
console.FreeConsole()
assert console.AttachConsole(int(sys.argv[1]))
console.SetConsoleCtrlHandler(None, True)
assert console.GenerateConsoleCtrlEvent(0, 0)
"""

    def interrupt(process):
        """Press Ctrl-C in the console of a program that was started with `creationflags=OWN_CONSOLE`."""
        subprocess.run([sys.executable, "-c", CTRL_C, str(process.pid)], stdin=subprocess.DEVNULL, check=True)

else:
    OWN_CONSOLE = 0

    def interrupt(process):
        """Ask a program to stop, as a system that shuts down does."""
        process.send_signal(signal.SIGTERM)


def shut_down(process):
    """Stop a program; it ends well."""
    interrupt(process)
    assert process.wait(20) == 0


def office(environ, start_response):
    """An application that answers with the body or path of the request."""
    if environ["PATH_INFO"] == "/broken":
        raise RuntimeError("a secret in the traceback")
    body = environ["wsgi.input"].read() or environ["PATH_INFO"].encode()
    start_response("200 OK", [("Content-Length", str(len(body))), ("Content-Type", "text/plain")])
    return [body]


@contextmanager
def running(config, app=office, limits=None, prepare=lambda server: None, sock=None, build=Server):
    sock = sock or bind("127.0.0.1", 0)
    office_server = build(app, config, sock, limits)
    prepare(office_server)
    thread = threading.Thread(target=office_server.run)
    thread.start()
    try:
        yield office_server
    finally:
        office_server.stop()
        thread.join()
        sock.close()


@contextmanager
def connection(office_server):
    address = urllib.parse.urlsplit(office_server.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as client:
        yield client


def answer(client):
    response = http.client.HTTPResponse(client)
    response.begin()
    with response:
        status, headers, content = response.status, response.getheaders(), response.read()
    if status >= 400 and "application/json" in response.headers.get_content_type():
        documented.check("GET", f"{documented.PREFIX}/", status, headers, content)  # a refusal as everywhere
    return status, dict(headers), content


def ask(office_server, raw):
    with connection(office_server) as client:
        client.sendall(raw)
        return answer(client)


def get(office_server, path="/hello"):
    return ask(office_server, f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())


def wait_for(condition, seconds=5.0):
    until = threading.Event()
    for _ in range(int(seconds / 0.01)):
        if result := condition():
            return result
        until.wait(0.01)
    raise AssertionError(f"the condition was not met within {seconds:g} seconds")
