"""From an append's acknowledgement to the first answer that states its position, p99 in ms, at 1,000 notifications/s.

Two daemons: one takes the notifications in; both are asked for one hot key, every millisecond without `minPosition`, from
the moment that a notification is acknowledged until an answer stands there. One loop of this process does all of it, so
what it measures includes its own delays. Asking without a pause would take most of a core, and be what is measured.
"""

import json
import selectors
import socket
import time

import harness

PRODUCTS = ["ledgerd", "LedgerBench"]
RATE = 1_000
CONNECTIONS = 8
# Between an answer that does not stand there yet and the next question.
ASK_AGAIN_SECONDS = 0.001
# Notifications that have no connection to go out on yet: past it the rate is not held.
BACKLOG_MAX = RATE


def measure(bench):
  with harness.Ledger("freshness", bench.ledgerd) as ledger:
    daemons = [ledger.serve(), ledger.serve()]
    count = RATE * (bench.seconds + 1)
    file, paths = harness.sign(count, seed=231, name="freshness")
    bodies = file.read_bytes().splitlines()
    file.unlink()
    path = paths.read_text().split("\n", 1)[0]
    waits, seconds = Load(daemons, path).run(bodies)

  held = count / seconds
  if held < RATE * 0.9:
    raise harness.Failure(f"only {held:,.0f} of {RATE:,} notifications/s went in: this machine is too busy to tell")
  names = ["freshness-p99-ms", "freshness-other-daemon-p99-ms"]
  for name, waits in zip(names, waits):
    raw = {"notificationsPerSecond": held, "probes": len(waits),
           "milliseconds": {f"p{part}": percentile(waits, part) for part in (50, 90, 99, 100)}}
    harness.say(f"{name}: {json.dumps(raw)}")
    yield bench.Figure(name, percentile(waits, 99), 20, at_most=True, raw=raw)


def percentile(seconds, part):
  return round(sorted(seconds)[min(len(seconds) - 1, len(seconds) * part // 100)] * 1000, 2)


class Connection:
  """A keep-alive connection with at most one request outstanding."""

  def __init__(self, port):
    self.socket = socket.create_connection(("127.0.0.1", port))
    self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    self.received = b""
    self.is_free = True

  def send(self, request):
    self.is_free = False
    self.socket.sendall(request)

  def receive(self):
    """The answer's JSON; None while it is not complete."""
    piece = self.socket.recv(1 << 16)
    if not piece:
      raise harness.Failure("a daemon has closed a connection")
    self.received += piece
    head, _, body = self.received.partition(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
    if not length or len(body) < int(length):
      return None
    if not head.startswith(b"HTTP/1.1 200"):
      status = head.split(b"\r\n", 1)[0].decode()
      raise harness.Failure(f"a daemon answers {status}: {body[:200].decode()}")
    self.received = b""
    self.is_free = True
    return json.loads(body)


class Probe:
  """Asks one daemon for one key until the answer stands where it should, one wait at a time."""

  def __init__(self, port, path):
    self.connection = Connection(port)
    self.request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    self.wanted = None
    self.asks_at = None
    self.waits = []

  def begin(self, position, now):
    if self.wanted is None:
      self.wanted, self.began = position, now
      self.connection.send(self.request)

  def ask_if_due(self, now):
    if self.asks_at is not None and now >= self.asks_at:
      self.asks_at = None
      self.connection.send(self.request)

  def receive(self, now):
    answer = self.connection.receive()
    if answer is None:
      return
    if answer["position"] < self.wanted:
      self.asks_at = now + ASK_AGAIN_SECONDS
    else:
      self.waits.append(now - self.began)
      self.wanted = None


class Load:
  """Posts bodies at an even rate to the first daemon, and probes all of them meanwhile."""

  def __init__(self, daemons, path):
    self.selector = selectors.DefaultSelector()
    self.posts = [Connection(daemons[0].port) for _ in range(CONNECTIONS)]
    self.probes = [Probe(daemon.port, path) for daemon in daemons]
    for connection in self.posts:
      self.selector.register(connection.socket, selectors.EVENT_READ, connection)
    for probe in self.probes:
      self.selector.register(probe.connection.socket, selectors.EVENT_READ, probe)

  def run(self, bodies):
    """Each probe's waits, in seconds, and how long the posting took."""
    requests = [b"POST /v1/notifications HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies]
    start, sent = time.monotonic(), 0
    while sent < len(requests) or any(probe.wanted is not None for probe in self.probes):
      due = min(len(requests), int((time.monotonic() - start) * RATE) + 1)
      if due - sent > BACKLOG_MAX:
        raise harness.Failure(f"the daemon takes fewer than {RATE:,} notifications/s: this machine is too busy to tell")
      for connection in self.posts:
        if connection.is_free and sent < due:
          connection.send(requests[sent])
          sent += 1
          seconds = time.monotonic() - start
      now = time.monotonic()
      for probe in self.probes:
        probe.ask_if_due(now)
      due_at = [probe.asks_at for probe in self.probes if probe.asks_at is not None]
      if sent < len(requests) and any(c.is_free for c in self.posts):
        due_at.append(start + sent / RATE)
      for key, _ in self.selector.select(max(0, min(due_at, default=now + 1) - now)):
        self.receive(key.data)
    return [probe.waits for probe in self.probes], seconds

  def receive(self, source):
    now = time.monotonic()
    if isinstance(source, Probe):
      return source.receive(now)
    answer = source.receive()
    if answer is not None:
      for probe in self.probes:
        probe.begin(answer["position"], now)
