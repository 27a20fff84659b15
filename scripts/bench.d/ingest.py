"""Notifications taken in and durable, client on the same machine ÷ (`openssl speed ecdsap256` on both cores ÷ 3).

64 connections; a notification carries two or three signatures, each of which is verified. Afterwards the bytes that the
log takes on disk, its indexes included, are divided by the bytes of the bodies received.
"""

import os

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
WARM_UP = 3_000
# The warm-up is slower than what follows; this much more is sent, so that measuring lasts as long as it should.
MARGIN = 1.3
# 5 GB of bodies; they are read from the page cache.
COUNT_MAX = 300_000


def measure(bench):
  cores = os.cpu_count() or 1
  with harness.Ledger("ingest", bench.ledgerd) as ledger:
    daemon = ledger.serve()
    bodies, _ = harness.sign(WARM_UP, seed=101, name="warm-up")
    received = bodies.stat().st_size
    pace = harness.post([daemon], bodies)["perSecond"]
    bodies, paths = harness.sign(min(int(pace * bench.seconds * MARGIN), COUNT_MAX), seed=102, name="ingest")
    bytes_each = bodies.stat().st_size
    received += bytes_each
    harness.psql(ledger.database, "CHECKPOINT")
    before = harness.openssl_verifications(bench.limit_seconds(), cores)
    used = daemon.cpu_seconds()
    result = harness.post([daemon], bodies)
    used = daemon.cpu_seconds() - used
    after = harness.openssl_verifications(bench.limit_seconds(), cores)
    bodies.unlink()
    stored = int(harness.psql(ledger.database, "SELECT pg_total_relation_size('ledger.events') + "
                              "pg_total_relation_size('ledger.header_segments')"))
    limit = (before + after) / 2 / 3
    resident, largest = daemon.memory()
    harness.say(f"ingest: {result['perSecond']:,} notifications/s, limit {limit:,.0f}/s; the daemon used {used:.1f} s "
                f"CPU, the client {result['clientCPUSeconds']:.1f} s of {result['seconds']:.1f} s; "
                f"daemon {resident} MB, at most {largest} MB")
    yield bench.Figure("ingest", result["perSecond"] / limit, 0.5, raw={
      "perSecond": result["perSecond"], "count": result["count"], "seconds": result["seconds"],
      "bytesEach": bytes_each // result["count"], "p50Microseconds": result["p50Microseconds"],
      "p99Microseconds": result["p99Microseconds"], "opensslVerificationsPerSecond": [before, after],
      "daemonCPUSeconds": used, "clientCPUSeconds": result["clientCPUSeconds"], "daemonMegabytesMax": largest,
    })
    yield bench.Figure("bytes-on-disk", stored / received, 0.17, at_most=True, raw={
      "bytesStored": stored, "bytesReceived": received, "notifications": WARM_UP + result["count"],
    })
