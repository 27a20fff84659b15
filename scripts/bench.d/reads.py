"""Single entitlement reads over HTTP, 64 connections, 20,000 customers ÷ `pgbench -S -M prepared -c 64 -j 2`.

Every customer is asked for under each of its keys, at random, and every answer must hold the key; p99 is in
milliseconds.

The client is `LedgerBench get`: 6–7 µs of CPU a request, the check included, where wrk with a script that chooses the
path costs 8–10 µs (same daemon, same minute). It shares the cores with the server, so the cheaper one is fairer.
"""

import re

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
CUSTOMERS = 20_000
NOTIFICATIONS = 40_000
# 500,000 rows, 75 MB: in the shared buffers of scripts/with-postgres.
PGBENCH_SCALE = 5


def measure(bench):
  with harness.Ledger("reads", bench.ledgerd) as ledger:
    daemon = ledger.serve()
    bodies, paths = harness.sign(NOTIFICATIONS, seed=201, name="reads", customers=CUSTOMERS)
    loaded = harness.post([daemon], bodies)
    bodies.unlink()
    ledger.wait_for_projection(loaded["positionMax"])
    prepare(ledger)
    harness.get(daemon, paths, seconds=2)  # warm-up of both caches

    before = pgbench(bench.limit_seconds())
    used = daemon.cpu_seconds()
    result = harness.get(daemon, paths, bench.seconds)
    used = daemon.cpu_seconds() - used
    after = pgbench(bench.limit_seconds())

    limit = (before + after) / 2
    resident, largest = daemon.memory()
    harness.say(f"reads: {result['perSecond']:,}/s, pgbench {limit:,.0f}/s; the daemon used {used:.1f} s CPU, the client "
                f"{result['clientCPUSeconds']:.1f} s of {result['seconds']:.1f} s; daemon {resident} MB, "
                f"at most {largest} MB")
    raw = {
      "perSecond": result["perSecond"], "pgbenchPerSecond": [before, after], "count": result["count"],
      "seconds": result["seconds"], "bytesEach": result["bodyBytes"] // max(result["count"], 1),
      "p50Microseconds": result["p50Microseconds"], "p99Microseconds": result["p99Microseconds"],
      "daemonCPUSeconds": used, "clientCPUSeconds": result["clientCPUSeconds"], "daemonMegabytesMax": largest,
    }
    yield bench.Figure("reads", result["perSecond"] / limit, 1.0, raw=raw)
    yield bench.Figure("reads-p99-ms", result["p99Microseconds"] / 1000, 5, at_most=True, raw=raw)


def prepare(ledger):
  """Both databases as they are some time after a load: analysed, and nothing left to write."""
  harness.psql("postgres", "CREATE DATABASE pgbench")
  harness.run(["pgbench", "--initialize", "--quiet", f"--scale={PGBENCH_SCALE}", harness.conninfo("pgbench")])
  harness.psql(ledger.database, "VACUUM ANALYZE")
  harness.psql("postgres", "CHECKPOINT")


def pgbench(seconds):
  output = harness.run(["pgbench", "--select-only", "--protocol=prepared", "--client=64", "--jobs=2",
                        f"--time={seconds}", "--no-vacuum", harness.conninfo("pgbench")])
  rate = float(re.search(r"^tps = ([\d.]+)", output, re.MULTILINE)[1])
  harness.say(f"pgbench -S -M prepared -c 64 -j 2: {rate:,.0f}/s")
  return rate
