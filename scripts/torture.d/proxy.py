"""Stands between one daemon and PostgreSQL, and stops an append or a fold at a chosen step so that something can be
broken there.

An append is known by its SQL (a statement that calls ledger.append), not by its name: the proxy reads what is prepared.
So is the lock of the projection's cursor: the daemon that gets its row leads, and folds.
"""

import asyncio
import enum
import os

import wire

RECEIVE_BYTES = 1 << 18
LINKS_MAX = 64
APPEND_SQL = b"ledger.append("
LEAD_SQL = (b"projection.cursors", b"FOR UPDATE SKIP LOCKED")
# DESIGN.md section 4: what makes every earlier commit durable.
BARRIER = wire.message(wire.QUERY, b"SELECT pg_logical_emit_message(true, 'ledger', '')\0")
# The outcomes of ledger.append that say that something new was stored.
RECORDED, CONFLICT = 1, 3


class Step(enum.Enum):
  """Where an append can be stopped, and a fold."""

  BEFORE_LOCK = "before the lock"  # the daemon has sent it, PostgreSQL has not seen it
  INSERTED = "after the insert"  # run to its end, not committed; the daemon has heard nothing
  HALF_ANSWERED = "after half the answer"  # run to its end, not committed; the daemon has got the rows
  COMMITTED = "after the commit"  # the daemon has heard nothing
  REPLIED = "after the reply"  # the daemon has got everything, and is about to acknowledge it
  LEADING = "with the lock of the cursor"  # a fold has begun, the daemon has not heard that it leads


OF_APPENDS = [step for step in Step if step != Step.LEADING]


class Cut(Exception):
  """The connection is to be cut here."""


class Trap:
  """Waits for one append or fold to reach a step, and holds it there until somebody decides.

  wanted: the proxy whose append it waits for; None takes the first one of any daemon. holder: the one that has it.
  """

  def __init__(self, step, wanted=None):
    self.step, self.wanted = step, wanted
    self.holder = None
    self.caught = asyncio.get_running_loop().create_future()
    self.released = asyncio.get_running_loop().create_future()

  def release(self, cuts):
    """Lets the append go on, or cuts its connection."""
    if not self.released.done():
      self.released.set_result(cuts)

  async def hold(self):
    if not self.caught.done():
      self.caught.set_result(None)
    if await self.released:
      raise Cut


class Traps:
  """The traps that are armed, for all proxies together."""

  def __init__(self):
    self.armed = []

  def arm(self, step, wanted=None):
    trap = Trap(step, wanted)
    self.armed.append(trap)
    return trap

  def arm_again(self, trap):
    """For a trap whose append has ended before it came to the step."""
    self.armed.insert(0, trap)

  def take(self, proxy, *steps):
    """The first armed trap for one of the steps; from then on it is the caller's."""
    for trap in self.armed:
      if trap.step in steps and trap.wanted in (None, proxy):
        self.armed.remove(trap)
        trap.holder = proxy
        return trap
    return None


class Proxy:
  """Listens on a socket of its own for the connections of one daemon."""

  def __init__(self, upstream, folder, traps, barrier_when_new=False):
    self.upstream = upstream
    self.folder = folder
    self.traps = traps
    # The broken variant "no-barrier-for-duplicates", see variants.py.
    self.barrier_when_new = barrier_when_new
    self.links = set()
    self.cuts = 0
    # Why what this proxy has seen proves nothing, as a sentence.
    self.failure = None

  async def start(self):
    os.makedirs(self.folder)
    path = os.path.join(self.folder, os.path.basename(self.upstream))
    self.server = await asyncio.start_unix_server(self.accept, path)

  async def close(self):
    """Cuts all connections, and returns when nothing is forwarded any more."""
    self.server.close()
    for link in self.links:
      link.abort()
    await asyncio.gather(*(link.task for link in self.links))

  async def accept(self, reader, writer):
    if len(self.links) >= LINKS_MAX:
      writer.transport.abort()
      return
    try:
      server = await asyncio.open_unix_connection(self.upstream)
    except OSError:
      # PostgreSQL is away: the daemon sees what it would see without us.
      writer.transport.abort()
      return
    link = Link(self, (reader, writer), server)
    self.links.add(link)
    try:
      await link.run()
    except wire.BadFrame as error:
      self.failure = self.failure or f"the proxy does not understand the protocol: {error}"
    finally:
      self.links.discard(link)

  def cut(self, random):
    """Cuts one connection, whatever it does, if there is any."""
    if self.links:
      random.choice(sorted(self.links, key=lambda link: link.process)).abort()
      self.cuts += 1


class Link:
  """One connection of the daemon, and the one to PostgreSQL behind it."""

  def __init__(self, proxy, daemon, server):
    self.proxy = proxy
    self.task = asyncio.current_task()
    self.from_daemon, self.to_daemon = daemon
    self.from_server, self.to_server = server
    # The process that serves it, once that is known.
    self.process = 0
    # Names of prepared statements that append.
    self.appending_statements = set()
    self.is_appending = False
    # The same of those that lock the cursor.
    self.leading_statements = set()
    self.asks_to_lead = False
    # The trap for the step between the insert and the commit, while the commit is withheld.
    self.open_trap = None
    self.withheld = b""
    # Answers of the append, until it is complete.
    self.held = []
    self.has_new = False

  async def run(self):
    """Forwards until one side ends, then ends the other."""
    tasks = [asyncio.create_task(self.forward_requests()), asyncio.create_task(self.forward_answers())]
    try:
      await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
      self.abort()
      if self.open_trap:
        self.proxy.traps.arm_again(self.open_trap)
      for task in tasks:
        task.cancel()
      for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Cut):
          self.proxy.cuts += 1
        elif isinstance(result, Exception) and not isinstance(result, OSError):
          raise result

  def abort(self):
    for writer in (self.to_daemon, self.to_server):
      writer.transport.abort()

  def to(self, writer, data):
    """Forwards bytes; a side that is gone ends the connection of the other."""
    if writer.transport.is_closing():
      raise ConnectionResetError
    writer.write(data)

  async def forward_requests(self):
    framer = wire.Framer(from_client=True)
    while received := await self.from_daemon.read(RECEIVE_BYTES):
      for message in framer.feed(received):
        await self.request(message)
      await self.to_server.drain()

  async def request(self, message):
    if message.type == wire.PARSE:
      name, sql = wire.parsed_statement(message)
      if APPEND_SQL in sql:
        self.appending_statements.add(name)
      if all(part in sql for part in LEAD_SQL):
        self.leading_statements.add(name)
    elif message.type == wire.BIND:
      statement = wire.bound_statement(message)
      # A follower asks for nothing else before it knows whether it leads.
      self.asks_to_lead = statement in self.leading_statements
      if statement in self.appending_statements:
        self.is_appending = True
        if trap := self.proxy.traps.take(self.proxy, Step.BEFORE_LOCK):
          await trap.hold()
    elif message.type == wire.SYNC and self.is_appending:
      if trap := self.proxy.traps.take(self.proxy, Step.INSERTED, Step.HALF_ANSWERED):
        # Without the Sync the transaction is not committed; the Flush makes PostgreSQL tell how far it is.
        self.open_trap, self.withheld = trap, message.bytes
        self.to(self.to_server, wire.FLUSH_MESSAGE)
        return
    self.to(self.to_server, message.bytes)

  async def forward_answers(self):
    framer = wire.Framer(from_client=False)
    while received := await self.from_server.read(RECEIVE_BYTES):
      for message in framer.feed(received):
        await self.answer(message)
      await self.to_daemon.drain()

  async def answer(self, message):
    if message.type == wire.KEY_DATA:
      self.process = wire.process_of(message)
    if self.asks_to_lead and message.type == wire.DATA_ROW:
      self.asks_to_lead = False
      if trap := self.proxy.traps.take(self.proxy, Step.LEADING):
        await trap.hold()
    if not self.is_appending:
      self.to(self.to_daemon, message.bytes)
      return
    self.held.append(message.bytes)
    if message.type == wire.DATA_ROW:
      self.has_new = self.has_new or stores_something(message)
    elif message.type in (wire.COMMAND_COMPLETE, wire.ERROR) and self.open_trap:
      await self.stop_before_commit()
    elif message.type == wire.READY:
      await self.finish_append()

  async def stop_before_commit(self):
    trap, self.open_trap = self.open_trap, None
    if trap.step == Step.HALF_ANSWERED:
      self.forward_held()
      await self.to_daemon.drain()
    await trap.hold()
    self.to(self.to_server, self.withheld)

  async def finish_append(self):
    if trap := self.proxy.traps.take(self.proxy, Step.COMMITTED):
      await trap.hold()
    if self.proxy.barrier_when_new and self.has_new:
      await self.pass_barrier()
    self.is_appending = self.has_new = False
    self.forward_held()
    if trap := self.proxy.traps.take(self.proxy, Step.REPLIED):
      await self.to_daemon.drain()
      await trap.hold()

  def forward_held(self):
    self.to(self.to_daemon, b"".join(self.held))
    self.held = []

  async def pass_barrier(self):
    """Makes the append durable before its answer goes on; nothing else is under way on this connection."""
    self.to(self.to_server, BARRIER)
    framer = wire.Framer(from_client=False)
    while received := await self.from_server.read(RECEIVE_BYTES):
      if any(message.type == wire.READY for message in framer.feed(received)):
        return
    raise Cut


def stores_something(row):
  """Whether an answer of ledger.append says that an event was stored: outcomes is its second column, a smallint[]."""
  outcomes = wire.fields(row)[1]
  # Binary arrays: dimensions, flags, element type, then length and lower bound, then (length, value) for each.
  elements = outcomes[20:]
  return any(elements[at + 5] in (RECORDED, CONFLICT) for at in range(0, len(elements), 6))
