"""Hot single reads over HTTP: 300 customers, 64 connections ÷ `pgbench -S -M prepared -c 64 -j 2`; p99 in milliseconds.

The daemon keeps the answers in memory and follows the log meanwhile; every answer must hold the key it was asked for.
"""

import re

import customers
import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
KEYS = 300


def measure(bench):
  with harness.Ledger("hot", bench.ledgerd) as ledger:
    daemon, paths = customers.load(ledger, seed=221)
    few = paths.with_suffix(".few")
    few.write_text("".join(f"{line}\n" for line in paths.read_text().splitlines()[:KEYS]))
    harness.get(daemon, few, seconds=2)  # warm-up

    before = lookups(daemon)
    result, used, limits = customers.against_pgbench(bench, daemon, lambda: harness.get(daemon, few, bench.seconds))
    hits, misses = (after - earlier for after, earlier in zip(lookups(daemon), before))
    raw = customers.raw(result, used, limits, daemon) | {"hits": hits, "misses": misses}
    limit = sum(limits) / 2
    harness.say(f"hot: {result['perSecond']:,}/s, pgbench {limit:,.0f}/s; {hits:,} hits, {misses:,} misses; the daemon "
                f"used {used:.1f} s CPU, the client {result['clientCPUSeconds']:.1f} s of {result['seconds']:.1f} s; "
                f"daemon at most {raw['daemonMegabytesMax']} MB")
    yield bench.Figure("hot", result["perSecond"] / limit, 1.8, raw=raw)
    yield bench.Figure("hot-p99-ms", result["p99Microseconds"] / 1000, 5, at_most=True, raw=raw)


def lookups(daemon):
  """Hits and misses so far."""
  text = daemon.get("/metrics")[1].decode()
  return [int(re.search(rf'^ledgerd_hot_reads_total{{result="{result}"}} (\d+)', text, re.MULTILINE)[1])
          for result in ("hit", "miss")]
