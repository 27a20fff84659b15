"""What bench, soak and torture share: a ledger in a private PostgreSQL, daemons over it, and the load client.

All run beneath scripts/with-postgres, which starts the cluster and removes it. Only processes started here are ended.
"""

import http.client
import json
import mmap
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / ".build" / "release"
# The test chain is kept between runs; the rest (bodies, which may reach gigabytes, configurations, logs) is replaced.
WORK = ROOT / ".build" / "bench"

BUNDLE_ID = "com.example.app"
APP_APPLE_ID = 1234567890
CATALOG = {
  "products": {
    "com.example.pro.weekly": {"entitlement": "pro", "level": 1},
    "com.example.pro.monthly": {"entitlement": "pro", "level": 1},
    "com.example.pro.yearly": {"entitlement": "pro", "level": 1},
    "com.example.lifetime": {"entitlement": "pro", "level": 1},
    "com.example.season": {"entitlement": "season", "duration": "P3M"},
    "com.example.coins.500": {"unit": "coins", "units": 500, "rounding": "down"},
  }
}

READY_SECONDS_MAX = 30
STOP_SECONDS_MAX = 30
PROJECTION_SECONDS_MAX = 120
FOLDED_PER_SECOND_MIN = 500


class Failure(Exception):
  """What stopped a measurement or a check, as a sentence."""


def say(text):
  print(text, file=sys.stderr, flush=True)


def beneath_postgres(*options):
  """Starts this script again beneath scripts/with-postgres, unless it runs there already."""
  # An end from outside is an exception, so that the daemons started here are ended too.
  signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
  if "LEDGERD_TEST_POSTGRES" not in os.environ:
    wrapper = str(ROOT / "scripts" / "with-postgres")
    os.execv(wrapper, [wrapper, *options, sys.executable, *sys.argv])


def build(*products):
  for product in products:
    say(f"building {product}")
    run(["swift", "build", "-c", "release", "--product", product], seconds=3600, cwd=ROOT)


def run(command, seconds=600, text=None, accept=(0,), **options):
  """Runs a command to its end, with a text as its input, and returns its standard output."""
  words = [str(word) for word in command]
  try:
    ended = subprocess.run(words, text=True, input=text or "", capture_output=True, timeout=seconds, **options)
  except FileNotFoundError as error:
    raise Failure(f"{words[0]} is not installed or not built; see scripts/bootstrap") from error
  except subprocess.TimeoutExpired as error:
    raise Failure(f"{' '.join(words[:3])} … has not ended within {seconds} s") from error
  if ended.returncode not in accept:
    raise Failure(f"{' '.join(words[:3])} … ended with status {ended.returncode}:\n{ended.stdout}{ended.stderr}")
  return ended.stdout


def conninfo(database, user="ledgerd_test", host=None):
  """A connection to a database of the private cluster; the default user is its superuser.

  host: the folder of another socket than the cluster's own, such as that of a proxy before it.
  """
  place = f"host={host}" if host else os.environ["LEDGERD_TEST_POSTGRES"].split()[0]
  return f"{place} dbname={database} user={user}"


def touch_memory(leaving):
  """Writes once to all memory that is free but so many bytes, and gives it back.

  A virtual machine may be given its memory page by page at the first touch, which costs more than an append: whatever
  grows would seem to become slow.
  """
  with open("/proc/meminfo") as lines:
    available = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
  size = max(available - leaving, mmap.PAGESIZE) // mmap.PAGESIZE * mmap.PAGESIZE
  with mmap.mmap(-1, size) as area:
    for offset in range(0, size, mmap.PAGESIZE):
      area[offset] = 1
  say(f"touched {size >> 20:,} MB of memory")


def psql(database, text, seconds=600):
  """Runs SQL as the superuser: the rows without decoration, fields separated by |."""
  command = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]
  return run([*command, f"--dbname={conninfo(database)}"], seconds, text)


def openssl_verifications(seconds, processes):
  """P-256 verifications a second by `openssl speed`, all processes together.

  -elapsed: by the clock on the wall, as what it is compared with; whatever else the machine does slows both.
  """
  output = run(["openssl", "speed", "-elapsed", "-seconds", seconds, "-multi", processes, "ecdsap256"])
  rate = float(output.strip().splitlines()[-1].split()[-1])
  say(f"openssl speed ecdsap256, {processes} processes: {rate:,.0f} verifications/s")
  return rate


class Ledger:
  """A database of its own with the schema, and configurations for daemons over it.

  The daemons connect as a login of the role ledger_daemon, with no right but those of that role.
  """

  def __init__(self, name, ledgerd=None, **members):
    """members: of the daemons' configurations, besides the usual ones."""
    self.members = members
    self.database = f"ledger_{name}"
    self.ledgerd = str(ledgerd or RELEASE / "ledgerd")
    self.daemons = []
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "catalog.json").write_text(json.dumps(CATALOG, indent=2))
    self.chain = WORK / "chain"
    if not (self.chain / "root.der").exists():
      sign(1, seed=0, name="first")
    psql("postgres", f'CREATE DATABASE "{self.database}"')
    run([self.ledgerd, "migrate", "--config", self.configuration(port=0)], seconds=60)
    psql("postgres", """
      DO $role$ BEGIN
        CREATE ROLE ledger_bench LOGIN IN ROLE ledger_daemon;
      EXCEPTION WHEN duplicate_object THEN NULL;
      END $role$""")

  def configuration(self, port, host=None):
    path = WORK / f"{self.database}-{port}.json"
    path.write_text(json.dumps({
      "listen": f"127.0.0.1:{port or 8080}",
      "database": conninfo(self.database, "ledger_bench", host),
      "migrationDatabase": conninfo(self.database),
      "auth": "off",
      "apps": [{"bundleId": BUNDLE_ID, "appAppleId": APP_APPLE_ID, "environments": ["Production"]}],
      "trustedRoots": [str(self.chain / "root.der")],
      "onlineChecks": False,
      "catalog": str(WORK / "catalog.json"),
      **self.members,
    }, indent=2))
    return path

  def serve(self):
    daemon = Daemon(self.ledgerd, self.configuration, f"{self.database}-{len(self.daemons) + 1}")
    self.daemons.append(daemon)
    return daemon

  def wait_for_projection(self, position, seconds=PROJECTION_SECONDS_MAX):
    """Waits until reads stand at the position or later."""
    end = time.monotonic() + seconds
    path = f"/v1/entitlements?appTransactionId=0&minPosition={position}&waitMs=2000"
    while (status := self.daemons[0].get(path)[0]) != 200:
      if status not in (409, 503) or time.monotonic() > end:
        raise Failure(f"the projection has not reached {position}: the daemon answers {status}")

  def fold(self, position, count):
    """Waits until reads stand at the position, which so many events lead to; events a second."""
    begin = time.monotonic()
    self.wait_for_projection(position, seconds=60 + count // FOLDED_PER_SECOND_MIN)
    rate = count / (time.monotonic() - begin)
    say(f"folded at {rate:,.0f} events/s")
    return rate

  def close(self):
    """Stops the daemons; the exit status of each."""
    statuses = [daemon.stop() for daemon in self.daemons]
    self.daemons = []
    return statuses

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.close()


class Daemon:
  """A running `ledgerd serve` that has said it is ready."""

  def __init__(self, ledgerd, configuration, name):
    with socket.socket() as probe:
      probe.bind(("127.0.0.1", 0))
      self.port = probe.getsockname()[1]
    self.target = f"127.0.0.1:{self.port}"
    self.log = WORK / f"{name}.log"
    with open(self.log, "w") as log:
      self.process = subprocess.Popen([ledgerd, "serve", "--config", str(configuration(self.port))],
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    end = time.monotonic() + READY_SECONDS_MAX
    while not self.is_ready():
      if self.process.poll() is not None or time.monotonic() > end:
        self.stop()
        raise Failure(f"the daemon is not ready; its log ends with:\n{self.log.read_text()[-2000:]}")
      time.sleep(0.02)

  def is_ready(self):
    try:
      return self.get("/readyz")[0] == 200
    except OSError:
      return False

  def get(self, path):
    """Status and body of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
    try:
      connection.request("GET", path)
      answer = connection.getresponse()
      return answer.status, answer.read()
    finally:
      connection.close()

  def memory(self):
    """Resident memory now and at its largest, in MB."""
    status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return tuple(int(fields[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))

  def cpu_seconds(self):
    """CPU time of the process so far."""
    fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

  def stop(self):
    """Ends it as an operator would; the exit status."""
    if self.process.poll() is None:
      self.process.send_signal(signal.SIGTERM)
      try:
        self.process.wait(STOP_SECONDS_MAX)
      except subprocess.TimeoutExpired:
        self.process.kill()
        self.process.wait()
    return self.process.returncode


def sign(count, seed, name, customers=None, settles=True):
  """Ready bodies in a file, and the paths that ask for their customers' entitlements in another.

  settles: waits until the kernel has written them.
  """
  bodies, paths = WORK / f"{name}.bodies", WORK / f"{name}.paths"
  run([RELEASE / "LedgerBench", "sign", "--chain", WORK / "chain", "--count", count, "--seed", seed,
       "--customers", customers or min(count, 20_000), "--out", bodies, "--paths", paths], seconds=1800)
  # A gigabyte that the kernel still has to write would disturb the flushes of the database.
  if settles:
    os.sync()
  return bodies, paths


def post(daemons, bodies, connections=64, expect_recorded=True, **options):
  """Sends every body and returns what LedgerBench prints; a Failure when an answer is not as it should be."""
  words = ["--targets", ",".join(daemon.target for daemon in daemons), "--connections", connections,
           "--file", bodies, "--check-positions"]
  words += ["--expect", "recorded"] if expect_recorded else []
  return load("post", words, options, seconds=1800)


def get(daemon, paths, seconds, connections=64):
  """Asks for random paths for a number of seconds; every answer must hold the key it was asked for."""
  words = ["--target", daemon.target, "--connections", connections, "--seconds", seconds, "--path-file", paths, "--check"]
  return load("get", words, {}, seconds=seconds + 120)


def batch(daemon, bodies, seconds, keys, connections):
  """Posts random bodies to the batch route for a number of seconds; every answer must have an item for each key."""
  words = ["--target", daemon.target, "--connections", connections, "--seconds", seconds, "--file", bodies,
           "--keys", keys]
  return load("batch", words, {}, seconds=seconds + 120)


def append(ledger, count, seed, batch, refunded=False, **options):
  """Appends random events past the daemons, in batches of one size; what `LedgerBench append` prints.

  refunded: each is a transaction that was refunded in part; options: further ones of `LedgerBench append`.
  """
  output = run([RELEASE / "LedgerBench", "append", "--database", conninfo(ledger.database, "ledger_bench"),
                "--events", count, "--batch", batch, "--seed", seed, *(["--refunded"] if refunded else []),
                *words_of(options)], seconds=7200)
  say(f"append: {output.strip()}")
  return json.loads(output)


def words_of(options):
  """Options of a command line by their names in Python."""
  return [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]


def load(command, words, options, seconds):
  output = run([RELEASE / "LedgerBench", command, *words, *words_of(options)], seconds, accept=(0, 1))
  if not output:
    raise Failure(f"LedgerBench {command} printed nothing")
  result = json.loads(output)
  problems = result.get("problems") or result.get("failures")
  if problems["count"] or result["givenUp"]:
    raise Failure(f"LedgerBench {command}: {problems['count']} wrong answers, {result['givenUp']} given up; "
                  f"the first: {problems['examples']}")
  say(f"{command}: {json.dumps({key: value for key, value in result.items() if key not in ('problems', 'failures')})}")
  return result
