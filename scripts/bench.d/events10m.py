"""Reads at ten million events ÷ at one million, appends of the last ÷ the first million; 30 GB, half an hour: by name only.

One customer comes with each five events. When the log has its first tenth and when it has all of it, a daemon folds
what is new, and is then asked for random customers among all; it keeps no answers, so each comes from the tables. No
daemon runs during the appends. Autovacuum and checkpoints run as in operation. What pgbench does in the same minute
stands beside the reads, because much time lies between the two.

With --quick there are 200,000 events (or `--events N`), in tenths, which says little: everything stays in memory.
"""

import json
import random
import shutil

import customers
import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
BY_NAME_ONLY = True
EVENTS = 10_000_000
EVENTS_QUICK = 200_000
BATCH = 256
EVENTS_A_CUSTOMER = 5
# An event with its indexes and its share of the tables, and what is there besides: WAL, pgbench, paths.
BYTES_EACH, BYTES_BESIDES = 1_600, 14 << 30
# Customers who are looked at one by one: each must have a subscription.
SAMPLE = 200


def measure(bench):
  count = bench.events or (EVENTS_QUICK if bench.is_quick else EVENTS)
  need, free = count * BYTES_EACH + BYTES_BESIDES, shutil.disk_usage("/tmp").free
  if free < need:
    raise harness.Failure(f"{count:,} events need about {need >> 30} GB in /tmp, where {free >> 30} GB are free")
  tenth = count // 10
  customers.initialize_pgbench()
  with harness.Ledger("events10m", bench.ledgerd, hotReadsBytes=0) as ledger:
    first = grow(bench, ledger, tenth, tenth, known=0)
    last = grow(bench, ledger, count - tenth, tenth, known=first["customers"])
    stored, whole = (int(harness.psql(ledger.database, f"SELECT {size}")) // count for size in (
      "pg_total_relation_size('ledger.events')", "pg_database_size(current_database())"))

  rates = first["appendsPerSecond"] + last["appendsPerSecond"]
  harness.say(f"events10m: appends {', '.join(f'{rate:,}' for rate in rates)}/s, {stored:,} bytes an event, {whole:,} with "
              f"the tables; reads {first['perSecond']:,}/s, then {last['perSecond']:,}/s")
  yield bench.Figure("events10m", rates[9] / rates[0], 0.9, raw={
    "windowsPerSecond": rates, "events": count, "bytesEach": stored, "bytesEachWithTables": whole})
  yield bench.Figure("reads-10m", last["perSecond"] / first["perSecond"], 1 / 1.2, raw={"first": first, "last": last})


def grow(bench, ledger, events, window, known):
  """Appends events to a log that knows so many customers, folds them and measures the reads of all customers."""
  paths = harness.WORK / f"{ledger.database}.paths"
  appended = harness.append(ledger, events, seed=known + 1, batch=BATCH, window=window, paths=paths,
                            customer_each=EVENTS_A_CUSTOMER, customers=known)
  daemon = ledger.serve()
  folded = ledger.fold(appended["positionMax"], events)
  customers.settle(ledger)
  expect_subscriptions(daemon, paths)
  harness.get(daemon, paths, seconds=bench.seconds)  # warm-up of both caches
  result, used, limits = customers.against_pgbench(bench, daemon, lambda: harness.get(daemon, paths, bench.seconds))
  raw = customers.raw(result, used, limits, daemon)
  ledger.close()
  return raw | {"customers": appended["customers"], "appendsPerSecond": appended["windowsPerSecond"],
                "foldedPerSecond": round(folded), "bytesEach": result["bodyBytes"] // result["count"]}


def expect_subscriptions(daemon, paths):
  """Looks at random customers among all: a read of somebody unknown would be cheaper."""
  with open(paths) as lines:
    sample = random.Random(10).sample([line.strip() for line in lines], SAMPLE)
  for path in sample:
    status, body = daemon.get(path)
    if status != 200 or not json.loads(body)["subscriptions"]:
      raise harness.Failure(f"{path} is answered with {status} and no subscription")
