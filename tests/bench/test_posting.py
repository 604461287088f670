"""How fast the books take what is posted: P5, P8, P9."""

import pytest

from erp.kernel.config import Config
from tests.bench.bare_sql import Replay
from tests.bench.conftest import Figures
from tests.bench.load import Load
from tests.bench.measuring import failures, hello_load, in_turns, p50, p99, rate
from tests.bench.offices import Books, Desk
from tests.bench.servers import Running

pytestmark = pytest.mark.bench


def test_an_invoice_costs_little_more_than_the_server_and_its_rows(
    figures: Figures, desk: Desk, hello: Running, tmp_path
):
    office = desk.workspace("Invoices")
    office.issue(20)
    replay = Replay(Config(data_dir=desk.server.folder).workspaces_dir / f"{office.id}.db", tmp_path / "copy.db")
    loads = (Load(desk.server.port, [office.invoice()]), hello_load(hello))
    bare, invoices, hellos = [], [], []
    for _ in range(5):
        bare.append(replay.milliseconds(300))
        ((invoice,), (greeting,)) = in_turns(*loads, rounds=1)
        invoices.append(invoice)
        hellos.append(greeting)
    replay.close()
    assert failures(invoices, hellos) == 0
    sql, invoice_ms, hello_ms = sorted(bare)[2], p50(invoices), p50(hellos)
    limit = hello_ms + sql
    line = f"invoice POST {invoice_ms:.2f} ms against hello {hello_ms:.2f} + bare SQL {sql:.2f} = {limit:.2f} ms"
    figures.ratio("P5", invoice_ms / limit, "≤", 4, line)


def test_posting_stays_as_fast_in_old_books(figures: Figures, young: Books, old: Books):
    loads = [Load(books.desk.server.port, [books.journal()]) for books in (young, old)]
    at_10k, at_1m = in_turns(*loads)
    assert failures(at_10k, at_1m) == 0
    line = f"journal POST {p50(at_1m):.2f} ms at 1M postings, {p50(at_10k):.2f} ms at 10k"
    figures.ratio("P8", p50(at_1m) / p50(at_10k), "≤", 1.3, line)


def test_sixteen_people_post_in_one_workspace(figures: Figures, desk: Desk):
    office = desk.workspace("Sixteen")
    one, sixteen = (Load(desk.server.port, [office.journal()], connections, 2) for connections in (1, 16))
    alone, together = in_turns(one, sixteen)
    assert failures(alone, together) == 0
    line = f"{rate(together):.0f} journal POST/s from 16 clients, {rate(alone):.0f} from one; 0 failed"
    figures.ratio("P9", rate(together) / rate(alone), "≥", 0.8, line)
    line = f"p99 {p99(together):.1f} ms of 16 clients, p50 {p50(alone):.2f} ms of one"
    figures.ratio("P9", p99(together) / p50(alone), "≤", 60, line)
