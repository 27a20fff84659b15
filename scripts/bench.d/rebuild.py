"""`ledgerd rebuild`, events a second ÷ a sequential scan of the same payloads by the database.

The rebuild folds the whole log into new tables, compares them with the live ones and switches; its whole run is counted,
and the daemon goes on meanwhile. The scan unpacks every payload once, in one session, from the same
cache, and does nothing else with it.
"""

import time

import customers
import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
SCAN = """
SET max_parallel_workers_per_gather = 0;
SELECT sum(get_byte(payload, octet_length(payload) - 1)) FROM ledger.events;
"""


def measure(bench):
  with harness.Ledger("rebuild", bench.ledgerd) as ledger:
    customers.load(ledger, seed=241)
    events = int(harness.psql(ledger.database, "SELECT position FROM ledger.head"))
    scans = [seconds(lambda: harness.psql(ledger.database, SCAN)) for _ in range(3)]
    configuration = ledger.configuration(port=0)
    took = seconds(lambda: harness.run([ledger.ledgerd, "rebuild", "--config", configuration], seconds=1800))
    scan = sorted(scans)[1]
    harness.say(f"rebuild: {events:,} events in {took:.1f} s, {events / took:,.0f}/s; scan {events / scan:,.0f}/s")
    yield bench.Figure("rebuild", scan / took, 0.2, raw={
      "events": events, "rebuildSeconds": took, "scanSeconds": scans, "eventsPerSecond": events / took})


def seconds(work):
  began = time.monotonic()
  work()
  return time.monotonic() - began
