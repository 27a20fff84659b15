"""The proxy stops an append at each step: what has gone through by then, and what comes when it goes on or is cut."""

import asyncio
import os
import tempfile
import unittest

import wire
from handlers import Handlers
from proxy import Proxy, Step, Traps
from test_wire import row

SECONDS_MAX = 10

APPEND = wire.message(wire.PARSE, b"any_name\0SELECT positions FROM ledger.append($1)\0\0\0")
LEAD = wire.message(
  wire.PARSE, b"lead\0SELECT c.position, true FROM projection.cursors c WHERE c.name = $1\nFOR UPDATE SKIP LOCKED\0\0\0")
OTHER = wire.message(wire.PARSE, b"other\0SELECT position FROM ledger.head\0\0\0")
EXECUTE = wire.message(b"E", b"\0\0\0\0\0")
SYNC = wire.message(wire.SYNC, b"")
KEY_DATA = wire.message(wire.KEY_DATA, (4711).to_bytes(4, "big") + b"\0\0\0\0")
COMPLETE = wire.message(wire.COMMAND_COMPLETE, b"SELECT 1\0")
READY = wire.message(wire.READY, b"I")
REFUSED = wire.message(wire.ERROR, b"C53100\0Mdisk full\0\0")


def bind(statement):
  return wire.message(wire.BIND, b"\0" + statement + b"\0\0\0\0\0\0\0")


def outcomes(*values):
  """A row as ledger.append answers: positions, outcomes (a binary smallint[]), and the head."""
  array = b"".join(number.to_bytes(4, "big") for number in (1, 0, 21, len(values), 1))
  array += b"".join(b"\0\0\0\2" + value.to_bytes(2, "big") for value in values)
  return row(b"positions", array, b"head", b"time")


class Server:
  """Answers as PostgreSQL would: rows after Sync or Flush, ready only after Sync."""

  def __init__(self, answer=outcomes(1), hangs=False):
    self.answer, self.hangs = answer, hangs
    self.hung = asyncio.Event()
    self.got = []
    self.ended = asyncio.Event()
    self.has_answered = False

  async def serve(self, reader, writer):
    framer = wire.Framer(from_client=True)
    while received := await reader.read(65536):
      for message in framer.feed(received):
        self.got.append(message.type)
        self.reply(message, writer)
    writer.close()
    self.ended.set()

  def reply(self, message, writer):
    if message.type == wire.START:
      writer.write(KEY_DATA + READY)
    elif message.type == wire.QUERY:
      writer.write(COMPLETE + READY)
    elif self.hangs and message.type == b"H":
      self.hung.set()
    elif message.type in (wire.SYNC, b"H"):
      if not self.has_answered:
        writer.write(REFUSED if self.answer is None else self.answer + COMPLETE)
      self.has_answered = message.type == b"H"
      if message.type == wire.SYNC:
        writer.write(READY)


class Client:
  """What a daemon's connection has got."""

  def __init__(self, reader, writer):
    self.reader, self.writer = reader, writer
    self.framer = wire.Framer(from_client=False)
    self.got = []

  def send(self, *messages):
    self.writer.write(b"".join(messages))

  async def until(self, kind):
    """What has come up to a message of this type; the end of the connection is None."""
    while kind not in self.got:
      received = await asyncio.wait_for(self.reader.read(65536), SECONDS_MAX)
      if not received:
        self.got.append(None)
        if kind is None:
          break
        raise AssertionError(f"the connection ended after {self.got}")
      self.got += [message.type for message in self.framer.feed(received)]
    got, self.got = self.got, []
    return got


class ProxyTests(unittest.IsolatedAsyncioTestCase):
  async def asyncSetUp(self):
    self.folder = self.enterContext(tempfile.TemporaryDirectory())
    self.traps = Traps()

  async def connect(self, server, **options):
    """A client that has prepared an append, the lock of the cursor and another statement."""
    path = os.path.join(self.folder, "upstream")
    handlers = Handlers(server.serve)
    listener = await asyncio.start_unix_server(handlers, path)
    self.addAsyncCleanup(handlers.end)
    self.addCleanup(listener.close)
    self.proxy = Proxy(path, os.path.join(self.folder, "proxy"), self.traps, **options)
    await self.proxy.start()
    self.addAsyncCleanup(self.proxy.close)
    client = Client(*await asyncio.open_unix_connection(os.path.join(self.folder, "proxy", "upstream")))
    self.addCleanup(client.writer.close)
    client.send(wire.start_message(user="somebody"), APPEND, OTHER, LEAD)
    await client.until(wire.READY)
    return client

  async def stop_at(self, step, server=None):
    """A client whose append is held at the step."""
    self.server = server or Server()
    client = await self.connect(self.server)
    trap = self.traps.arm(step)
    client.send(bind(b"any_name"), EXECUTE, SYNC)
    await asyncio.wait_for(trap.caught, SECONDS_MAX)
    return client, trap

  def sent(self):
    """What PostgreSQL has got since the statements were prepared."""
    return self.server.got[4:]

  async def test_before_the_lock_postgresql_has_got_nothing(self):
    client, trap = await self.stop_at(Step.BEFORE_LOCK)
    self.assertEqual(self.sent(), [])
    trap.release(cuts=False)
    self.assertEqual(await client.until(wire.READY), [wire.DATA_ROW, wire.COMMAND_COMPLETE, wire.READY])
    self.assertEqual(self.sent(), [wire.BIND, b"E", wire.SYNC])

  async def test_after_the_insert_there_was_no_commit_and_the_daemon_has_got_nothing(self):
    client, trap = await self.stop_at(Step.INSERTED)
    self.assertEqual(self.sent(), [wire.BIND, b"E", b"H"])
    trap.release(cuts=False)
    self.assertEqual(await client.until(wire.READY), [wire.DATA_ROW, wire.COMMAND_COMPLETE, wire.READY])
    self.assertEqual(self.sent(), [wire.BIND, b"E", b"H", wire.SYNC])

  async def test_after_half_the_answer_the_daemon_has_got_the_rows_of_what_is_not_committed(self):
    client, trap = await self.stop_at(Step.HALF_ANSWERED)
    self.assertEqual(self.sent(), [wire.BIND, b"E", b"H"])
    self.assertEqual(await client.until(wire.COMMAND_COMPLETE), [wire.DATA_ROW, wire.COMMAND_COMPLETE])
    trap.release(cuts=False)
    self.assertEqual(await client.until(wire.READY), [wire.READY])

  async def test_after_the_commit_the_daemon_has_got_nothing(self):
    client, trap = await self.stop_at(Step.COMMITTED)
    self.assertEqual(self.sent(), [wire.BIND, b"E", wire.SYNC])
    trap.release(cuts=True)
    self.assertEqual(await client.until(None), [None])

  async def test_after_the_reply_the_daemon_has_got_all(self):
    client, trap = await self.stop_at(Step.REPLIED)
    self.assertEqual(await client.until(wire.READY), [wire.DATA_ROW, wire.COMMAND_COMPLETE, wire.READY])
    trap.release(cuts=True)
    self.assertEqual(await client.until(None), [None])

  async def test_a_cut_ends_both_sides_without_the_commit(self):
    client, trap = await self.stop_at(Step.INSERTED)
    trap.release(cuts=True)
    self.assertEqual(await client.until(None), [None])
    await asyncio.wait_for(self.server.ended.wait(), SECONDS_MAX)
    self.assertNotIn(wire.SYNC, self.sent())
    self.assertEqual(self.proxy.cuts, 1)

  async def test_an_append_that_is_refused_does_not_wait_for_its_commit(self):
    client, trap = await self.stop_at(Step.INSERTED, Server(answer=None))
    trap.release(cuts=False)
    self.assertEqual(await client.until(wire.READY), [wire.ERROR, wire.READY])

  async def test_a_statement_that_appends_nothing_is_not_held(self):
    client = await self.connect(Server())
    trap = self.traps.arm(Step.BEFORE_LOCK)
    client.send(bind(b"other"), EXECUTE, SYNC)
    await client.until(wire.READY)
    self.assertFalse(trap.caught.done())

  async def test_a_fold_is_held_when_it_has_got_the_lock(self):
    self.server = Server(answer=row(b"position"))
    client = await self.connect(self.server)
    trap = self.traps.arm(Step.LEADING)
    client.send(bind(b"lead"), EXECUTE, SYNC)
    await asyncio.wait_for(trap.caught, SECONDS_MAX)
    self.assertIs(trap.holder, self.proxy)
    trap.release(cuts=False)
    self.assertEqual(await client.until(wire.READY), [wire.DATA_ROW, wire.COMMAND_COMPLETE, wire.READY])

  async def test_who_does_not_get_the_lock_is_not_held(self):
    self.server = Server(answer=b"")
    client = await self.connect(self.server)
    trap = self.traps.arm(Step.LEADING)
    client.send(bind(b"lead"), EXECUTE, SYNC)
    self.assertEqual(await client.until(wire.READY), [wire.COMMAND_COMPLETE, wire.READY])
    self.server.answer = row(b"head", b"time")
    client.send(bind(b"other"), EXECUTE, SYNC)
    await client.until(wire.READY)
    self.assertFalse(trap.caught.done())

  async def test_a_trap_holds_one_append(self):
    client, trap = await self.stop_at(Step.COMMITTED)
    trap.release(cuts=False)
    await client.until(wire.READY)
    client.send(bind(b"any_name"), EXECUTE, SYNC)
    await client.until(wire.READY)

  async def test_a_trap_waits_for_the_next_append_when_one_ends_before_its_step(self):
    self.server = Server(hangs=True)
    client = await self.connect(self.server)
    trap = self.traps.arm(Step.INSERTED)
    client.send(bind(b"any_name"), EXECUTE, SYNC)
    await asyncio.wait_for(self.server.hung.wait(), SECONDS_MAX)
    self.assertEqual(self.traps.armed, [])
    client.writer.transport.abort()
    await self.proxy.close()
    self.assertEqual(self.traps.armed, [trap])

  async def test_a_trap_for_another_daemon_is_left_alone(self):
    client = await self.connect(Server())
    trap = self.traps.arm(Step.COMMITTED, wanted=Proxy("", "", self.traps))
    client.send(bind(b"any_name"), EXECUTE, SYNC)
    await client.until(wire.READY)
    self.assertFalse(trap.caught.done())

  async def test_the_barrier_comes_before_the_answer_where_something_is_new(self):
    for values, expected in (((1, 2), [wire.QUERY]), ((3,), [wire.QUERY]), ((2, 4, 0), [])):
      with self.subTest(outcomes=values):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.server = Server(outcomes(*values))
        client = await self.connect(self.server, barrier_when_new=True)
        client.send(bind(b"any_name"), EXECUTE, SYNC)
        self.assertEqual(await client.until(wire.READY), [wire.DATA_ROW, wire.COMMAND_COMPLETE, wire.READY])
        self.assertEqual(self.sent(), [wire.BIND, b"E", wire.SYNC, *expected])

  async def test_what_is_no_protocol_is_reported(self):
    client = await self.connect(Server())
    client.send(b"Q\0\0\0\0")
    self.assertEqual(await client.until(None), [None])
    await self.proxy.close()
    self.assertIn("0 bytes", self.proxy.failure)


if __name__ == "__main__":
  unittest.main()
