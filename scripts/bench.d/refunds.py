"""Refund register as CSV over HTTP ÷ COPY of its table, memory while it streams, totals of a month: by name only.

A million refunds (or `--events N`; 50,000 with --quick), spread over a year, go into the log past the daemons through
the append function, and a daemon folds them; none of that is timed. Then a daemon that was just started is asked.
"""

import http.client
import subprocess
import threading
import time

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
BY_NAME_ONLY = True
EVENTS = 1_000_000
EVENTS_QUICK = 50_000
BATCH = 1000
PATH = "/v1/registers/refunds?from=1970-01-01T00:00:00Z&to=2100-01-01T00:00:00Z&format=csv"
# Apple's month in the middle of the year that LedgerBench spreads refunds over.
MONTH = "FY2026-06"
COLUMNS = ("kind, transaction_id, original_transaction_id, bundle_id, product_id, purchase_date, happened_at, signed_at,"
           " recorded_at, currency, amount, revocation_class, is_app_problem, known_from, known_to, entry")
RUNS = 3


def measure(bench):
  count = bench.events or (EVENTS_QUICK if bench.is_quick else EVENTS)
  with harness.Ledger("refunds", bench.ledgerd) as ledger:
    last = harness.append(ledger, count, seed=1, batch=BATCH, refunded=True)["positionMax"]
    folding = ledger.serve()
    ledger.fold(last, count)
    folding.stop()
    harness.psql(ledger.database, "VACUUM ANALYZE projection.register_entries")
    daemon = ledger.serve()
    months = [totals(daemon) for _ in range(2 * RUNS)][1:]
    idle = daemon.memory()[0]
    streams = [stream(daemon, count) for _ in range(RUNS)]
    copies = [copy(ledger, count) for _ in range(RUNS)]
    rate, limit = max(rate for rate, _ in streams), max(copies)
    peak = max(peak for _, peak in streams)
    harness.say(f"refunds: {rate:,.0f} rows/s over HTTP, {limit:,.0f} rows/s by COPY, memory {idle} MB idle, {peak} MB "
                f"at most, totals of a month {', '.join(f'{month:.0f}' for month in months)} ms")
    raw = {"rowsPerSecond": round(rate), "copyRowsPerSecond": round(limit), "refunds": count}
    yield bench.Figure("refunds-csv", rate / limit, 0.2, raw=raw)
    yield bench.Figure("refunds-memory-mb", peak - idle, 64, at_most=True, raw={"idle": idle, "peak": peak})
    yield bench.Figure("refunds-totals-ms", sorted(months)[len(months) // 2], 100, at_most=True, raw={"runs": months})


def totals(daemon):
  """Milliseconds until a page of one row with the totals of a month is there."""
  begin = time.monotonic()
  status, _ = daemon.get(f"/v1/registers/refunds?period={MONTH}&limit=1")
  if status != 200:
    raise harness.Failure(f"the totals are answered with {status}")
  return (time.monotonic() - begin) * 1000


def stream(daemon, count):
  """Rows a second of the whole register as CSV, and the most memory meanwhile, in MB."""
  peak, isOver = [0], threading.Event()

  def watch():
    while not isOver.wait(0.05):
      peak[0] = max(peak[0], daemon.memory()[0])

  watcher = threading.Thread(target=watch)
  watcher.start()
  try:
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
    connection.request("GET", PATH)
    answer = connection.getresponse()
    rows = -1  # the names of the columns
    while piece := answer.read(1 << 20):
      rows += piece.count(b"\n")  # a piece may end between the two bytes of a row's end
    seconds = time.monotonic() - begin
    connection.close()
  finally:
    isOver.set()
    watcher.join()
  if rows != count:
    raise harness.Failure(f"{rows} rows came instead of {count}")
  return rows / seconds, peak[0]


def copy(ledger, count):
  """Rows a second of the same entries through COPY, in the same order."""
  command = ["psql", "--no-psqlrc", "--quiet", f"--dbname={harness.conninfo(ledger.database)}", "--command",
             f"COPY (SELECT {COLUMNS} FROM projection.register_entries WHERE environment = 1 AND known_to IS NULL"
             " AND kind IN ('refund', 'reversal') ORDER BY happened_at) TO STDOUT (FORMAT csv)"]
  begin = time.monotonic()
  subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
  return count / (time.monotonic() - begin)
