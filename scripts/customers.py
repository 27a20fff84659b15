"""What the measurements of reads share: a ledger full of customers, and the pgbench that reads are measured against."""

import re

import harness

CUSTOMERS = 20_000
NOTIFICATIONS = 40_000
# 500,000 rows, 75 MB: in the shared buffers of scripts/with-postgres.
PGBENCH_SCALE = 5


def load(ledger, seed):
  """Fills the ledger, starts a daemon over it and prepares both databases; the daemon, and the file of paths."""
  daemon = ledger.serve()
  bodies, paths = harness.sign(NOTIFICATIONS, seed=seed, name=ledger.database, customers=CUSTOMERS)
  loaded = harness.post([daemon], bodies)
  bodies.unlink()
  ledger.wait_for_projection(loaded["positionMax"])
  initialize_pgbench()
  settle(ledger)
  return daemon, paths


def initialize_pgbench():
  harness.psql("postgres", "DROP DATABASE IF EXISTS pgbench")
  harness.psql("postgres", "CREATE DATABASE pgbench")
  harness.run(["pgbench", "--initialize", "--quiet", f"--scale={PGBENCH_SCALE}", harness.conninfo("pgbench")])


def settle(ledger):
  """The databases become what they are some time after a load: analysed, and nothing left to write."""
  harness.psql(ledger.database, "VACUUM ANALYZE", seconds=3600)
  harness.psql("postgres", "CHECKPOINT", seconds=3600)


def against_pgbench(bench, daemon, measure):
  """Measures between two runs of pgbench: the result, the daemon's seconds of CPU, and the rates of pgbench."""
  before = pgbench(bench.limit_seconds())
  used = daemon.cpu_seconds()
  result = measure()
  used = daemon.cpu_seconds() - used
  return result, used, [before, pgbench(bench.limit_seconds())]


def raw(result, used, limits, daemon):
  """What is kept of a measurement besides its ratio."""
  kept = ["perSecond", "count", "seconds", "p50Microseconds", "p99Microseconds", "clientCPUSeconds"]
  return {name: result[name] for name in kept} | {
    "pgbenchPerSecond": limits, "daemonCPUSeconds": used, "daemonMegabytesMax": daemon.memory()[1],
  }


def pgbench(seconds):
  output = harness.run(["pgbench", "--select-only", "--protocol=prepared", "--client=64", "--jobs=2",
                        f"--time={seconds}", "--no-vacuum", harness.conninfo("pgbench")])
  rate = float(re.search(r"^tps = ([\d.]+)", output, re.MULTILINE)[1])
  harness.say(f"pgbench -S -M prepared -c 64 -j 2: {rate:,.0f}/s")
  return rate
