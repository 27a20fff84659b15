"""One document verified with its chain cached ÷ the bare signature by `openssl speed ecdsap256`, one core."""

import re

import harness

PRODUCTS = ["VerifyBench"]


def measure(bench):
  output = harness.run([harness.RELEASE / "VerifyBench"], seconds=300)
  harness.say(output.strip())

  def figure(name):
    pattern = rf"^{name}: \d+ bytes, (\d+) ns, (\d+) signature\(s\); openssl (\d+) and (\d+) ns"
    if not (found := re.search(pattern, output, re.MULTILINE)):
      raise harness.Failure(f"VerifyBench printed no line about the {name}")
    nanoseconds, signatures, before, after = map(int, found.groups())
    raw = {"nanoseconds": nanoseconds, "opensslNanoseconds": [before, after]}
    return (before + after) / 2 * signatures / nanoseconds, raw

  ratio, raw = figure("transaction, chain cached")
  raw["notification"] = figure("notification, chain cached")[1]
  yield bench.Figure("verify", ratio, 0.85, raw=raw)
