"""The first requests after a start, several at once."""

import subprocess
import sys

AT_ONCE = """
import sys, threading
from contextlib import suppress
import msgspec
from erp.app import areas
from erp.kernel.errors import Invalid
from erp.web import schema
from erp.web.openapi import contracts

def read(kind, together):
    together.wait()
    with suppress(Invalid):
        schema.decode({field.encode_name: [] for field in msgspec.structs.fields(kind)}, kind)

kinds = {}
for *_, contract in contracts(areas()):
    kinds |= dict.fromkeys((contract.body, contract.query))
kinds.pop(None)
sys.setswitchinterval(0.000001)
for kind in kinds:
    together = threading.Barrier(4)
    threads = [threading.Thread(target=read, args=(kind, together)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(len(kinds))
"""


def test_several_who_first_send_the_same_kind_of_body_at_once_do_not_stop_the_server():
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 150
