"""One event a commit, 64 clients over 4 daemons' writers ÷ INSERTs into a table with a bigserial, as many clients.

Each client waits until its event is durable before it sends the next one. A writer with its own connection stands for a
daemon; it is the daemon's own code, told to put one event into each commit. The INSERT brings a row of the same size
into a table with a bigserial and no other index; whoever comes first gets the smaller number, and gaps are allowed.

`commits-gathered` is the same with writers that gather what waits into one commit, as daemons do.
"""

import json
import re

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
DAEMONS = 4
CLIENTS = 64
# As many bytes as an event of one transaction takes.
ROW = "signature bytea NOT NULL, payload bytea NOT NULL"
INSERT = "INSERT INTO unordered (signature, payload) VALUES (decode(repeat('5a', 64), 'hex'), decode(repeat('7b', 760), 'hex'));\n"


def measure(bench):
  with harness.Ledger("commits", bench.ledgerd) as ledger:
    harness.psql(ledger.database, f"CREATE TABLE unordered (number bigserial PRIMARY KEY, {ROW})")
    script = harness.WORK / "unordered.sql"
    script.write_text(INSERT)
    harness.psql("postgres", "CHECKPOINT")
    before = pgbench(ledger, script, bench.limit_seconds())
    single = commit(ledger, bench.seconds, seed=1, batch_max=1)
    gathered = commit(ledger, bench.seconds, seed=2)
    after = pgbench(ledger, script, bench.limit_seconds())
    script.unlink()
    limit = (before + after) / 2
    for name, rate in (("commits", single), ("commits-gathered", gathered)):
      yield bench.Figure(name, rate / limit, 0.5, raw={
        "perSecond": rate, "insertsPerSecond": [before, after], "clients": CLIENTS, "daemons": DAEMONS,
      })


def commit(ledger, seconds, seed, batch_max=None):
  """Events a second through the writers."""
  words = ["--batch-max", batch_max] if batch_max else []
  output = harness.run([harness.RELEASE / "LedgerBench", "commit", "--database",
                        harness.conninfo(ledger.database, "ledger_bench"), "--writers", DAEMONS, "--clients", CLIENTS,
                        "--seconds", seconds, "--seed", seed, *words], seconds=seconds + 120)
  harness.say(f"commit, at most {batch_max or 'what waits'} an append: {output.strip()}")
  return json.loads(output)["perSecond"]


def pgbench(ledger, script, seconds):
  """Rows a second."""
  output = harness.run(["pgbench", "--no-vacuum", "--protocol=prepared", f"--client={CLIENTS}", "--jobs=2",
                        f"--time={seconds}", f"--file={script}", harness.conninfo(ledger.database)],
                       seconds=seconds + 120)
  rate = float(re.search(r"^tps = ([\d.]+)", output, re.MULTILINE)[1])
  harness.say(f"pgbench, INSERT with a bigserial, {CLIENTS} clients: {rate:,.0f}/s")
  return rate
