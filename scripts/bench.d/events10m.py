"""Append rate of the last million of ten million events ÷ that of the first; takes 20 GB and many minutes: by name only.

Autovacuum and checkpoints run as in operation. With --quick there are 200,000 events (or `--events N`), in tenths, which
says little: the indexes stay in memory.
"""

import shutil

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
BY_NAME_ONLY = True
EVENTS = 10_000_000
EVENTS_QUICK = 200_000
BATCH = 256
# An event with its indexes, and the WAL that is kept.
BYTES_EACH, BYTES_BESIDES = 1_600, 4 << 30


def measure(bench):
  count = bench.events or (EVENTS_QUICK if bench.is_quick else EVENTS)
  need, free = count * BYTES_EACH + BYTES_BESIDES, shutil.disk_usage("/tmp").free
  if free < need:
    raise harness.Failure(f"{count:,} events need about {need >> 30} GB in /tmp, where {free >> 30} GB are free")
  with harness.Ledger("events10m", bench.ledgerd) as ledger:
    result = harness.append(ledger, count, seed=1, batch=BATCH, window=count // 10)
    rates = result["windowsPerSecond"]
    stored = int(harness.psql(ledger.database, "SELECT pg_total_relation_size('ledger.events')"))
    harness.say(f"events10m: {', '.join(f'{rate:,}' for rate in rates)} events/s, {stored / count:,.0f} bytes an event")
    yield bench.Figure("events10m", rates[-1] / rates[0], 0.9, raw={
      "windowsPerSecond": rates, "events": count, "bytesEach": stored // count,
    })
