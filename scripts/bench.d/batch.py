"""Keys a second of the batch route, 500 a request, 4 connections, 20,000 customers ÷ `pgbench -S -M prepared -c 64 -j 2`.

Every customer is asked for under each of its keys, at random, and every answer must have an item for each key.
Afterwards single reads, from the tables too, run beside the batches: their p99 shows whether a batch keeps them waiting.
It has no goal of its own, because both share two cores with their clients.
"""

import concurrent.futures
import json
import random

import customers
import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
KEYS = 500
BODIES = 400
CONNECTIONS = 4
# Few enough that the batches take most of the machine.
READ_CONNECTIONS = 4


def measure(bench):
  with harness.Ledger("batch", bench.ledgerd, hotReadsBytes=0) as ledger:
    daemon, paths = customers.load(ledger, seed=211)
    bodies = write_bodies(paths)
    harness.batch(daemon, bodies, seconds=2, keys=KEYS, connections=CONNECTIONS)  # warm-up of both caches

    result, used, limits = customers.against_pgbench(
      bench, daemon, lambda: harness.batch(daemon, bodies, bench.seconds, keys=KEYS, connections=CONNECTIONS))
    with concurrent.futures.ThreadPoolExecutor() as pool:
      batches = pool.submit(harness.batch, daemon, bodies, bench.seconds, keys=KEYS, connections=CONNECTIONS)
      reads = harness.get(daemon, paths, bench.seconds, connections=READ_CONNECTIONS)
      beside = batches.result()

    limit = sum(limits) / 2
    raw = customers.raw(result, used, limits, daemon) | {
      "keysPerSecond": result["keysPerSecond"], "bytesEach": result["bodyBytes"] // max(result["count"], 1),
      "besideReads": {"keysPerSecond": beside["keysPerSecond"], "readsPerSecond": reads["perSecond"],
                      "readsP99Microseconds": reads["p99Microseconds"]},
    }
    harness.say(f"batch: {result['keysPerSecond']:,} keys/s, pgbench {limit:,.0f}/s; the daemon used {used:.1f} s CPU, "
                f"the client {result['clientCPUSeconds']:.1f} s of {result['seconds']:.1f} s; beside {reads['perSecond']:,} "
                f"single reads/s, whose p99 was {reads['p99Microseconds'] / 1000:.1f} ms, {beside['keysPerSecond']:,} keys/s")
    yield bench.Figure("batch", result["keysPerSecond"] / limit, 4, raw=raw)


def write_bodies(paths):
  """A file with a body a line, of random keys among those of the paths."""
  choice = random.Random(212)
  keys = [line.split("?", 1)[1].split("&", 1)[0].split("=", 1) for line in paths.read_text().splitlines()]
  file = paths.with_suffix(".batches")
  with open(file, "w") as out:
    for _ in range(BODIES):
      out.write(json.dumps({"keys": [{name: value} for name, value in choice.choices(keys, k=KEYS)]}) + "\n")
  return file
