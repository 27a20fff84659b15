"""Single entitlement reads over HTTP, 64 connections, 20,000 customers ÷ `pgbench -S -M prepared -c 64 -j 2`.

Every customer is asked for under each of its keys, at random, and every answer must hold the key; p99 is in
milliseconds.

The daemon keeps no answers (hot.py measures those), so each comes from the tables.

The client is `LedgerBench get`: 6–7 µs of CPU a request, the check included, where wrk with a script that chooses the
path costs 8–10 µs (same daemon, same minute). It shares the cores with the server, so the cheaper one is fairer.
"""

import customers
import harness

PRODUCTS = ["ledgerd", "LedgerBench"]


def measure(bench):
  with harness.Ledger("reads", bench.ledgerd, hotReadsBytes=0) as ledger:
    daemon, paths = customers.load(ledger, seed=201)
    harness.get(daemon, paths, seconds=2)  # warm-up of both caches

    result, used, limits = customers.against_pgbench(bench, daemon, lambda: harness.get(daemon, paths, bench.seconds))
    raw = customers.raw(result, used, limits, daemon) | {"bytesEach": result["bodyBytes"] // max(result["count"], 1)}
    limit = sum(limits) / 2
    harness.say(f"reads: {result['perSecond']:,}/s, pgbench {limit:,.0f}/s; the daemon used {used:.1f} s CPU, the client "
                f"{result['clientCPUSeconds']:.1f} s of {result['seconds']:.1f} s; daemon at most "
                f"{raw['daemonMegabytesMax']} MB")
    yield bench.Figure("reads", result["perSecond"] / limit, 1.0, raw=raw)
    yield bench.Figure("reads-p99-ms", result["p99Microseconds"] / 1000, 5, at_most=True, raw=raw)
