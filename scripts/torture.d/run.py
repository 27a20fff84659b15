"""One run: starts everything, breaks it as scheduled, and lets the judge look at what has become of the log."""

import asyncio
import contextlib
import math
import random
import tempfile
import time

import bodies
import checker
import cluster as clusters
import faults
import harness
import load
import machine
import proxy
import tail
import variants

# A notification is stored with the two documents inside it, some with one.
EVENTS_PER_NOTIFICATION = 2.8
ROUND_NOTIFICATIONS_MIN = 100
# Both faults of a round begin before this share of its notifications is through.
LAST_FAULT = 0.8
# By when a round has to be through: every notification acknowledged, although something was broken meanwhile.
ROUND_SECONDS_MAX = 180
PAGE = 20_000
VERIFY_SECONDS_MAX = 1800
LOG = """
SELECT position, kind, notification_id, encode(digest, 'hex'), recorded_at, coalesce(array_length(inner_positions, 1), 0),
  greatest(position, (SELECT max(inner_position) FROM unnest(inner_positions) inner_position))
FROM ledger.events WHERE position > {after} ORDER BY position LIMIT {limit}"""


class Run:
  """The parts of a run, and what was found."""

  def __init__(self, options):
    self.options = options
    self.variant = variants.VARIANTS.get(options.broken)
    self.findings = checker.Findings()
    self.promises = checker.Promises(self.findings)
    self.traps = proxy.Traps()
    self.disturbances = 0
    self.events = 0
    self.machines = []
    self.readers = []
    self.http_readers = []

  async def run(self):
    """Everything, from an empty database to the verdict of the judge."""
    async with contextlib.AsyncExitStack() as stack:
      self.ledger = stack.enter_context(harness.Ledger("torture", self.options.ledgerd))
      self.cluster = clusters.Cluster(self.ledger.database)
      await self.cluster.query(f"CREATE ROLE {tail.SQLSource.ROLE} LOGIN IN ROLE ledger_reader")
      if self.variant:
        await variants.apply(self.variant, self.cluster)
      folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ledgerd-torture.", dir="/tmp"))
      for number in range(1, self.options.daemons + 1):
        behind = proxy.Proxy(self.cluster.socket, f"{folder}/{number}", self.traps,
                             barrier_when_new=bool(self.variant and self.variant.barrier_when_new))
        await behind.start()
        stack.push_async_callback(behind.close)
        this = machine.Machine(number, self.ledger, behind)
        await this.start()
        stack.push_async_callback(this.stop)
        self.machines.append(this)
      await self.break_it()
      await self.judge()

  async def break_it(self):
    """Writers and readers at work, one round for each kill."""
    options = self.options
    generator = random.Random(options.seed)
    quota = max(ROUND_NOTIFICATIONS_MIN, math.ceil(options.events / EVENTS_PER_NOTIFICATION / options.kills))
    notifications = bodies.Bodies(options.seed, quota * options.kills)
    self.load = load.Load([each.target for each in self.machines], notifications, self.promises, self.findings,
                          random.Random(options.seed + 1))
    self.world = faults.World(self.cluster, self.machines, self.traps, self.load, generator)
    self.readers = [tail.Tail(f"reader {number}", tail.SQLSource(self.cluster), self.findings)
                    for number in range(1, options.daemons + 1)]
    self.http_readers = [tail.Tail(f"reader of daemon {each.number}", tail.HTTPSource(each.target), self.findings)
                         for each in self.machines]
    self.working = [asyncio.create_task(each.run()) for each in (self.load, *self.readers, *self.http_readers)]
    try:
      for number, (kill, disturbance) in enumerate(faults.schedule(options.kills, generator), start=1):
        await self.round(number, quota, kill, disturbance)
      while (head := await self.head()) < options.events:
        await self.work(math.ceil((options.events - head) / EVENTS_PER_NOTIFICATION))
    finally:
      for task in self.working:
        task.cancel()
      await asyncio.gather(*self.working, return_exceptions=True)
      await notifications.close()

  async def round(self, number, quota, kill, disturbance):
    """Notifications, and a kill and a disturbance at some time while they are taken in."""
    started, before = time.monotonic(), self.load.allowed
    moments = [before + int(quota * self.world.random.uniform(0, LAST_FAULT)) for _ in range(2)]
    await self.work(quota, *(self.when(moment, fault) for moment, fault in zip(moments, (kill, disturbance))))
    self.disturbances += 1
    for each in self.machines:
      if each.end:
        raise harness.Failure(each.end)
    harness.say(f"{number}/{self.options.kills} {kill.__name__}, {disturbance.__name__}: "
                f"{self.load.allowed - before} notifications in {time.monotonic() - started:.1f} s")

  async def when(self, kept, fault):
    await self.load.reached(kept)
    await fault(self.world)

  async def work(self, count, *faults_beside):
    """Lets the writers send so many, and waits until all are acknowledged and the faults beside them are over."""
    await self.load.allow(count)
    done = asyncio.create_task(self.finish(faults_beside))
    # Writers and readers never end by themselves: one that does has failed.
    ended, _ = await asyncio.wait([done, *self.working], return_when=asyncio.FIRST_COMPLETED)
    for task in ended:
      task.result()

  async def finish(self, faults_beside):
    try:
      async with asyncio.timeout(ROUND_SECONDS_MAX):
        await asyncio.gather(*faults_beside)
        await self.load.reached(self.load.allowed)
    except TimeoutError:
      raise harness.Failure(f"{self.load.allowed - self.load.kept} notifications were not acknowledged within "
                            f"{ROUND_SECONDS_MAX} s") from None

  async def head(self):
    (position,), = await self.cluster.query("SELECT position FROM ledger.head")
    return int(position)

  async def judge(self):
    """Compares promises, readers and projections with the log as it is now."""
    head = await self.head()
    await self.judge_readers(self.readers, tail.SQLSource(self.cluster), head)
    await self.judge_readers(self.http_readers, tail.HTTPSource(self.machines[0].target), head)
    await self.judge_log(head)
    for identifier in self.promises.unanswered:
      self.findings.add(checker.Fault.OTHER, f"{identifier} was never acknowledged")
    for each in self.machines:
      if each.proxy.failure:
        raise harness.Failure(each.proxy.failure)
    if not self.variant:
      await asyncio.to_thread(self.judge_projections, head)
      for each in self.machines:
        if status := await each.stop():
          self.findings.add(checker.Fault.OTHER, f"daemon {each.number} ended with status {status}")

  async def judge_readers(self, readers, source, head):
    """Compares what readers saw with what the same kind of source gives to one that reads everything only now."""
    log = tail.Tail("a reader of the whole log", source, self.findings)
    await log.catch_up(head)
    for reader in readers:
      await reader.catch_up(head)
      reader.check.compare(log.check)
      reader.source.close()
    source.close()

  async def judge_log(self, head):
    check = checker.LogCheck(self.promises, self.findings)
    while rows := await self.cluster.query(LOG.format(after=check.last, limit=PAGE)):
      for position, kind, identifier, digest, recorded_at, inner, last in rows:
        check.see(checker.Event(int(position), int(kind), identifier and identifier.decode(),
                                bytes.fromhex(digest.decode()), int(recorded_at), int(inner), int(last)))
        self.events += 1
    check.end(head)

  def judge_projections(self, head):
    self.ledger.daemons = [each.daemon for each in self.machines]
    self.ledger.wait_for_projection(head)
    try:
      harness.run([self.ledger.ledgerd, "rebuild", "--config", self.ledger.configuration(port=0), "--verify"],
                  VERIFY_SECONDS_MAX)
    except harness.Failure as failure:
      self.findings.add(checker.Fault.OTHER, f"the projections are not a fold of the log: {failure}")

  @property
  def holds(self):
    """Whether nothing was found; of a broken ledger, whether what had to be found was."""
    return self.findings.counts[self.variant.shows_as] > 0 if self.variant else self.findings.total == 0

  @property
  def summary(self):
    """The counts of the run in one line."""
    kills, answers = self.world.kills, self.promises.answers
    cuts = sum(each.proxy.cuts for each in self.machines)
    return (f"{self.findings}; {kills[faults.DAEMON]} daemon kills, {kills[faults.LEADER]} of them of the one that folds, "
            f"and {kills[faults.POSTGRES]} PostgreSQL kills, "
            f"{self.disturbances} disturbances, {cuts} connections cut; {len(self.promises.by_identifier)} notifications "
            f"(answers: {answers['recorded']} recorded, {answers['duplicate']} duplicate, {self.load.unanswered} none or "
            f"503), {self.events} events, {self.options.daemons} daemons, {len(self.readers)} readers in SQL and "
            f"{len(self.http_readers)} over HTTP, "
            f"seed {self.options.seed}")
