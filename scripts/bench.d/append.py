"""Events appended in batches of 256 ÷ binary COPY of the same rows into the same table without indexes.

The product's own Appender sends them on one connection; each batch is a transaction and durable before the next begins.
COPY brings all rows in one transaction, which is durable at its end. The two take turns, each time over the same rows.
"""

import time

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
BATCH = 256
ROUNDS = 3
WARM_UP = 20_000
EVENTS_PER_ROUND_MAX = 1_000_000
COLUMNS = ("position, recorded_at, signed_at, caused_by, header_id, kind, environment, source, notification_id, "
           "app_account_token, bundle_id, notification_type, subtype, transaction_id, original_transaction_id, "
           "app_transaction_id, digest, inner_offsets, inner_positions, signature, payload, received")


def measure(bench):
  with harness.Ledger("append", bench.ledgerd) as ledger:
    harness.psql(ledger.database, "CREATE TABLE unindexed (LIKE ledger.events INCLUDING STORAGE "
                                  "INCLUDING COMPRESSION)")
    pace = harness.append(ledger, WARM_UP, seed=0, batch=BATCH)["perSecond"]
    harness.psql(ledger.database, "ANALYZE ledger.events")
    count = min(pace * bench.seconds // ROUNDS // BATCH * BATCH, EVENTS_PER_ROUND_MAX)
    rounds = []
    for seed in range(1, ROUNDS + 1):
      appended = harness.append(ledger, count, seed, batch=BATCH)
      rounds.append((appended["perSecond"], copy(ledger, appended["positionMax"] - count, count)))
    appends, copies = (sum(1 / rate for rate in rates) for rates in zip(*rounds))
    harness.say(f"append: {ROUNDS / appends:,.0f} events/s, COPY {ROUNDS / copies:,.0f}/s")
    yield bench.Figure("append", copies / appends, 0.6, raw={
      "appendsPerSecond": [rate for rate, _ in rounds], "copiesPerSecond": [round(rate) for _, rate in rounds],
      "eventsPerRound": count, "batch": BATCH,
    })


def copy(ledger, after, count):
  """Events a second that COPY brings into the table without indexes; the rows are those behind a position."""
  file = harness.WORK / "append.rows"
  harness.psql(ledger.database, f"\\copy (SELECT {COLUMNS} FROM ledger.events WHERE position > {after} "
                                f"ORDER BY position LIMIT {count}) TO '{file}' (FORMAT binary)")
  harness.psql(ledger.database, "TRUNCATE unindexed")
  begin = time.monotonic()
  harness.psql(ledger.database, f"\\copy unindexed ({COLUMNS}) FROM '{file}' (FORMAT binary)")
  seconds = time.monotonic() - begin
  file.unlink()
  return count / seconds
