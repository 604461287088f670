"""How fast the books take what is posted, and what it costs to be sure of it: P5, P8, P9, P18."""

import statistics
import time
from pathlib import Path

import pytest

from erp.store.tips import Tips
from tests.bench import load
from tests.bench.bare_sql import Replay
from tests.bench.figures import Figures
from tests.bench.load import Load
from tests.bench.measuring import ROUNDS, failures, hello_load, in_turns, p50, p99, rate
from tests.bench.offices import Books, Desk
from tests.bench.servers import Running

TRANSACTIONS = 300
"""How many bare transactions make up a round."""


def _over_its_limit(office: Books, requests: list[str], hello: Running, copy: Path) -> tuple[float, str]:
    """How much longer a POST takes than hello and the bare SQL of the last such POST together; the same in words."""
    posting = Load(office.desk.server.port, requests)
    load.run(posting)
    replay = Replay(office.file, copy)
    bare, posts, hellos = [], [], []
    for _ in range(ROUNDS):
        bare.append(replay.milliseconds(TRANSACTIONS))
        ((post,), (greeting,)) = in_turns(posting, hello_load(hello), rounds=1)
        posts.append(post)
        hellos.append(greeting)
    replay.close()
    assert failures(posts, hellos) == 0
    sql, post_ms, hello_ms = statistics.median(bare), p50(posts), p50(hellos)
    limit = hello_ms + sql
    return post_ms / limit, f"{post_ms:.2f} ms against hello {hello_ms:.2f} + bare SQL {sql:.2f} = {limit:.2f} ms"


@pytest.mark.bench("P5")
def test_an_invoice_costs_little_more_than_the_server_and_its_rows(
    figures: Figures, desk: Desk, hello: Running, tmp_path: Path
):
    office = desk.workspace("Invoices")
    times, line = _over_its_limit(office, [office.invoice()], hello, tmp_path / "copy.db")
    figures.ratio("P5", times, "≤", 2, f"invoice POST {line} (stretch goal 1.6)")


@pytest.mark.bench("P5b")
def test_a_payment_costs_little_more_than_the_server_and_its_rows(
    figures: Figures, desk: Desk, hello: Running, tmp_path: Path
):
    office = desk.workspace("Payments")
    times, line = _over_its_limit(office, office.payments(200), hello, tmp_path / "copy.db")
    figures.ratio("P5b", times, "≤", 2.2, f"payment POST {line}")


@pytest.mark.bench("P5c")
def test_a_journal_entry_costs_little_more_than_the_server_and_its_rows(
    figures: Figures, desk: Desk, hello: Running, tmp_path: Path
):
    office = desk.workspace("Journals")
    times, line = _over_its_limit(office, [office.journal()], hello, tmp_path / "copy.db")
    figures.ratio("P5c", times, "≤", 2.2, f"journal POST {line}")


@pytest.mark.bench("P8")
def test_posting_stays_as_fast_in_old_books(figures: Figures, young: Books, old: Books):
    loads = [Load(books.desk.server.port, [books.journal()]) for books in (young, old)]
    at_10k, at_1m = in_turns(*loads)
    assert failures(at_10k, at_1m) == 0
    line = f"journal POST {p50(at_1m):.2f} ms at 1M postings, {p50(at_10k):.2f} ms at 10k"
    figures.ratio("P8", p50(at_1m) / p50(at_10k), "≤", 1.3, line)


@pytest.mark.bench("P9")
def test_sixteen_people_post_in_one_workspace(figures: Figures, desk: Desk):
    office = desk.workspace("Sixteen")
    one, sixteen = (Load(desk.server.port, [office.journal()], connections, 2) for connections in (1, 16))
    alone, together = in_turns(one, sixteen)
    assert failures(alone, together) == 0
    line = f"{rate(together):.0f} journal POST/s from 16 clients, {rate(alone):.0f} from one; 0 failed"
    figures.ratio("P9", rate(together) / rate(alone), "≥", 0.8, line)
    line = f"p99 {p99(together):.1f} ms of 16 clients, p50 {p50(alone):.2f} ms of one"
    figures.ratio("P9", p99(together) / p50(alone), "≤", 60, line)


@pytest.mark.bench("P18")
def test_waiting_for_the_disk_costs_less_than_the_invoice_itself(figures: Figures, desk: Desk, tmp_path: Path):
    office = desk.workspace("Power failures")
    office.issue(20)
    safe, fast = (Replay(office.file, tmp_path / f"{mode}.db", mode) for mode in ("FULL", "NORMAL"))
    turns = [(safe.milliseconds(TRANSACTIONS), fast.milliseconds(TRANSACTIONS)) for _ in range(ROUNDS)]
    safe.close()
    fast.close()
    full, normal = map(statistics.median, zip(*turns, strict=True))
    line = f"bare SQL of an invoice {full:.2f} ms with synchronous FULL, {normal:.2f} ms with NORMAL"
    figures.ratio("P18", full / normal, "≤", 1.8, line)


@pytest.mark.bench("P18")
def test_noting_a_change_costs_a_small_part_of_an_invoice(figures: Figures, desk: Desk, tmp_path: Path):
    """So that the loss of a write-ahead log is found: `erp.store.tips`."""
    (posts,) = in_turns(Load(desk.server.port, [desk.workspace("Notes").invoice()]))
    assert failures(posts) == 0
    notes, begun = Tips(tmp_path / "tips.db"), time.perf_counter()
    for seq in range(TRANSACTIONS):
        notes.note("workspace.db", (seq, "0" * 64))
    each = (time.perf_counter() - begun) / TRANSACTIONS * 1000
    notes.close()
    line = f"{each:.3f} ms for a note, {p50(posts):.2f} ms for an invoice POST"
    figures.ratio("P18", each / p50(posts), "≤", 0.03, line)
