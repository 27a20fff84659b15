"""Events read through `/v1/events` (NDJSON, pages of 10,000) a second ÷ `COPY (the same columns) TO STDOUT`.

One reader follows the log from its beginning, page after page, and counts what it gets: every position once, in order at
the ends of the pages. COPY's rows go to /dev/null.

Besides, how long an event takes from the answer of the daemon that appended it to a stream of another daemon.
"""

import http.client
import json
import subprocess
import time

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
NOTIFICATIONS = 30_000
PAGE = 10_000
WAKES = 300
COLUMNS = ("position, kind, environment, bundle_id, recorded_at, signed_at, source, notification_type, subtype, "
           "notification_id, transaction_id, original_transaction_id, app_transaction_id, caused_by")


def measure(bench):
  with harness.Ledger("feed", bench.ledgerd) as ledger:
    daemon = ledger.serve()
    bodies, _ = harness.sign(NOTIFICATIONS, seed=301, name="feed")
    last = harness.post([daemon], bodies)["positionMax"]
    bodies.unlink()
    ledger.wait_for_projection(last)
    harness.psql(ledger.database, "VACUUM ANALYZE")
    follow(daemon, last, 1)  # warm-up of both caches
    before = copy(ledger, last, bench.limit_seconds())
    used = daemon.cpu_seconds()
    count, byte_count, seconds = follow(daemon, last, bench.seconds)
    used = daemon.cpu_seconds() - used
    after = copy(ledger, last, bench.limit_seconds())
    limit = (before + after) / 2
    resident, largest = daemon.memory()
    wakes = wake(daemon, ledger.serve(), last)
    harness.say(f"feed: {count / seconds:,.0f} events/s of {byte_count // count} bytes, COPY {limit:,.0f}/s; the daemon "
                f"used {used:.1f} s CPU of {seconds:.1f} s; daemon {resident} MB, at most {largest} MB")
    yield bench.Figure("feed", count / seconds / limit, 0.2, raw={
      "perSecond": count / seconds, "copyPerSecond": [before, after], "events": last, "count": count,
      "bytesEach": byte_count // count, "daemonCPUSeconds": used, "daemonMegabytesMax": largest,
      "wakeMilliseconds": wakes,
    })


def follow(daemon, last, seconds):
  """Reads the log from its beginning, again and again; events, bytes and seconds."""
  connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
  count, byte_count, begin = 0, 0, time.monotonic()
  while time.monotonic() - begin < seconds:
    position = 0
    while position < last:
      connection.request("GET", f"/v1/events?after={position}&limit={PAGE}&format=ndjson")
      answer = connection.getresponse()
      page = answer.read()
      lines = page.count(b"\n")
      if answer.status != 200 or not lines:
        raise harness.Failure(f"/v1/events?after={position} answered {answer.status} with {lines} events of {last}")
      reached = json.loads(page[page.rfind(b"\n", 0, -1) + 1:])["position"]
      if reached != position + lines:
        raise harness.Failure(f"/v1/events?after={position} ended at {reached} with {lines} events")
      position, count, byte_count = reached, count + lines, byte_count + len(page)
  seconds = time.monotonic() - begin
  connection.close()
  return count, byte_count, seconds


def wake(appending, streaming, last):
  """Milliseconds from the answer of one daemon to the event on a stream of another: the median and the 99th of 100."""
  bodies, _ = harness.sign(WAKES, seed=302, name="wake")
  stream = http.client.HTTPConnection("127.0.0.1", streaming.port, timeout=30)
  stream.request("GET", f"/v1/events:stream?after={last}")
  events = stream.getresponse()
  post = http.client.HTTPConnection("127.0.0.1", appending.port, timeout=30)
  times = []
  with open(bodies, "rb") as lines:
    for body in lines:
      post.request("POST", "/v1/notifications", body.rstrip())
      answer = json.loads(post.getresponse().read())
      begin = time.monotonic()
      wanted = b"id: %d\n" % answer["position"]
      while events.readline() != wanted:
        pass
      times.append((time.monotonic() - begin) * 1000)
  stream.close()
  post.close()
  bodies.unlink()
  times.sort()
  median, high = times[len(times) // 2], times[len(times) * 99 // 100]
  harness.say(f"feed: from the answer of one daemon to a stream of another {median:.1f} ms (median), {high:.1f} ms (p99)")
  return [round(median, 2), round(high, 2)]


def copy(ledger, last, seconds):
  """Events a second through COPY."""
  command = ["psql", "--no-psqlrc", "--quiet", f"--dbname={harness.conninfo(ledger.database)}", "--command",
             f"COPY (SELECT {COLUMNS} FROM ledger.events ORDER BY position) TO STDOUT"]
  rounds, begin = 0, time.monotonic()
  while time.monotonic() - begin < seconds:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    rounds += 1
  rate = rounds * last / (time.monotonic() - begin)
  harness.say(f"COPY TO STDOUT: {rate:,.0f} events/s")
  return rate
