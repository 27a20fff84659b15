"""Readers over HTTP: pages come whole or not at all."""

import asyncio
import json
import unittest

import channel
from checker import Fault, Findings
from handlers import Handlers
from tail import Away, HTTPSource, Tail

FIRST = json.dumps({"position": 1, "kind": "notification"}).encode() + b"\n"
SECOND = json.dumps({"position": 2, "kind": "transaction"}).encode() + b"\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(data):
  return b"%x\r\n%s\r\n" % (len(data), data)


def measured(status, body):
  return b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


class HTTPSourceTests(unittest.IsolatedAsyncioTestCase):
  async def asyncSetUp(self):
    self.answers = []
    self.requests = []
    handlers = Handlers(self.serve)
    server = await asyncio.start_server(handlers, "127.0.0.1", 0)
    self.addAsyncCleanup(handlers.end)
    self.addCleanup(server.close)
    self.target = channel.Target()
    self.target.port = server.sockets[0].getsockname()[1]
    self.source = HTTPSource(self.target)
    self.addCleanup(self.source.close)

  async def serve(self, reader, writer):
    """Gives the next answer to each request as it stands; one that is empty or cut short ends the connection."""
    try:
      while True:
        self.requests.append((await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode())
        writer.write(answer := self.answers.pop(0))
        if answer.startswith(CHUNKED) and not answer.endswith(b"0\r\n\r\n"):
          break
    except asyncio.IncompleteReadError:
      pass
    finally:
      writer.close()

  async def test_a_page_in_chunks_that_cut_lines(self):
    text = FIRST + SECOND
    self.answers = [CHUNKED + chunk(text[:7]) + chunk(text[7:]) + b"0\r\n\r\n", CHUNKED + b"0\r\n\r\n"]
    self.assertEqual([position for position, _ in await self.source.fetch(0)], [1, 2])
    self.assertEqual(await self.source.fetch(2), [])
    self.assertEqual([request.split("&")[0] for request in self.requests], ["/v1/events?after=0", "/v1/events?after=2"])

  async def test_nothing_is_taken_from_a_page_that_breaks_off(self):
    self.answers = [CHUNKED + chunk(FIRST), CHUNKED + chunk(FIRST) + b"0\r\n\r\n"]
    with self.assertRaises(Away):
      await self.source.fetch(0)
    self.assertEqual(len(await self.source.fetch(0)), 1)

  async def test_a_daemon_without_a_database_is_away(self):
    self.answers = [measured(503, b"{}")]
    with self.assertRaises(Away):
      await self.source.fetch(0)

  async def test_a_daemon_that_does_not_listen_is_away(self):
    self.target.port = 1
    with self.assertRaises(Away):
      await self.source.fetch(0)

  async def test_a_chunk_without_an_end_is_not_waited_for(self):
    self.answers = [CHUNKED + b"fffffffff\r\n"]
    with self.assertRaises(Away):
      await self.source.fetch(0)

  async def test_a_reader_that_misses_an_event_is_found(self):
    findings = Findings()
    self.answers = [measured(200, SECOND), measured(200, FIRST + SECOND)]
    reader, log = (Tail(name, self.source, findings) for name in ("reader", "log"))
    await reader.catch_up(2)
    await log.catch_up(2)
    reader.check.compare(log.check)
    self.assertEqual(dict(findings.counts), {Fault.HOLE: 1, Fault.READER: 1})

  async def test_a_reader_that_saw_another_text_is_found(self):
    findings = Findings()
    self.answers = [measured(200, FIRST.replace(b"notification", b"conflict")), measured(200, FIRST)]
    reader, log = (Tail(name, self.source, findings) for name in ("reader", "log"))
    await reader.catch_up(1)
    await log.catch_up(1)
    reader.check.compare(log.check)
    self.assertEqual(dict(findings.counts), {Fault.READER: 1})


if __name__ == "__main__":
  unittest.main()
