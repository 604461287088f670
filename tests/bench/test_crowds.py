"""What many at once do to each other, and to memory: P10, P12, P15, P23."""

import pytest

from tests.bench import load
from tests.bench.figures import Figures
from tests.bench.load import Load
from tests.bench.measuring import failures, hello_load, in_turns, p50, p99, rate
from tests.bench.offices import LIST, Desk
from tests.bench.servers import Running


@pytest.mark.bench("P10")
def test_300_connections_are_served_as_well_as_16(figures: Figures, desk: Desk):
    requests = desk.workspace("Crowd").mixed()
    few, many = in_turns(*(Load(desk.server.port, requests, connections, 2) for connections in (16, 300)))
    assert failures(few, many) == 0
    line = f"{rate(many):.0f} mixed requests/s on 300 connections, {rate(few):.0f} on 16; 0 errors"
    figures.ratio("P10", rate(many) / rate(few), "≥", 0.6, line)


@pytest.mark.bench("P12")
def test_20_sign_ins_at_once_block_no_one(figures: Figures, fresh: Running):
    idle, desk = fresh.memory(), Desk(fresh)
    office = desk.workspace("Morning")
    office.issue(60)
    lists = Load(fresh.port, [office.get(LIST)], 1, 2)
    crowd = Load(fresh.port, desk.sign_ins(20), 20, 4, in_step=True)
    (quiet,) = in_turns(lists, rounds=3)
    meanwhile = []
    for _ in range(3):
        signing_in = load.start(crowd)
        meanwhile.append(load.run(lists))
        signed_in = load.outcome(signing_in)
        assert set(signed_in.statuses) <= {"200", "503"}
        assert signed_in.successes
    assert failures(quiet, meanwhile) == 0
    grown = fresh.peak_memory() - idle
    figures.ratio("P12", grown, "≤", 200, f"MiB above {idle:.0f} MiB at their peak; sign-ins {signed_in.statuses}")
    line = f"list p99 {p99(meanwhile):.1f} ms meanwhile, quiet p50 {p50(quiet):.2f} ms"
    figures.ratio("P12", p99(meanwhile) / p50(quiet), "≤", 20, line)


@pytest.mark.bench("P15", "P23")
def test_16_people_work_a_day(figures: Figures, fresh: Running, hello: Running):
    idle = fresh.memory()
    requests = Desk(fresh).workspace("Work").mixed()
    work, hellos = in_turns(Load(fresh.port, requests, 16, 3), hello_load(hello, 16, 3))
    assert failures(work, hellos) == 0
    share = max(outcome.client_share for outcome in hellos)
    line = f"{rate(work):.0f} requests/s from 16 clients, 20 % writes, p50 {p50(work):.1f} ms, p99 {p99(work):.1f} ms; "
    line += f"0 errors; {rate(hellos):.0f} hello/s from as many (client at {share:.0%} of a core)"
    figures.ratio("P23", rate(work) / rate(hellos), "≥", 0.2, line)
    figures.ratio("P15", idle, "≤", 48, "MiB when idle")
    figures.ratio("P15", fresh.memory(), "≤", 75, f"MiB after {len(work)} rounds of the mixed load")
