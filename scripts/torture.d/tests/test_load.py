"""Writers send until they are told, and the judge hears what they were told."""

import asyncio
import base64
import hashlib
import json
import random
import unittest

import bodies
from channel import Channel, Target
from checker import Fault, Findings, Promises
from handlers import Handlers
from load import Load

IDENTIFIER = "5d12dde6-ac41-4a06-9e45-731fb5d35ac3"


def body(**data):
  payload = json.dumps({"notificationUUID": IDENTIFIER, "data": data}, separators=(",", ":")).encode()
  signed = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (b"{}", payload, b"signature"))
  return json.dumps({"signedPayload": signed.decode()}).encode(), payload


class BodyTests(unittest.TestCase):
  def test_what_the_log_must_hold_is_read_from_the_body(self):
    text, payload = body(signedTransactionInfo="a.b.c", signedRenewalInfo="d.e.f")
    notification = bodies.read(text)
    self.assertEqual(notification.identifier, IDENTIFIER)
    self.assertEqual(notification.digest, hashlib.sha256(payload).digest()[:16])
    self.assertEqual(notification.inner, 2)

  def test_a_notification_without_documents(self):
    self.assertEqual(bodies.read(body()[0]).inner, 0)


class LoadTests(unittest.IsolatedAsyncioTestCase):
  async def asyncSetUp(self):
    self.answers = []
    self.requests = 0
    handlers = Handlers(self.serve)
    server = await asyncio.start_server(handlers, "127.0.0.1", 0)
    self.addAsyncCleanup(handlers.end)
    self.addCleanup(server.close)
    target = Target()
    target.port = server.sockets[0].getsockname()[1]
    self.channel = Channel(target)
    self.addCleanup(self.channel.close)
    self.findings = Findings()
    self.promises = Promises(self.findings)
    self.load = Load([target], None, self.promises, self.findings, random.Random(1))
    self.notification = bodies.read(body()[0])
    self.promises.sent(self.notification.identifier, self.notification.digest, 0)

  async def serve(self, reader, writer):
    """Gives the next answer to each request; None closes the connection instead."""
    try:
      while True:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0]))
        self.requests += 1
        answer = self.answers.pop(0)
        if answer is None:
          break
        status, text = answer
        writer.write(b"HTTP/1.1 %d x\r\nContent-Length: %d\r\n\r\n%s" % (status, len(text), text))
    except asyncio.IncompleteReadError:
      pass
    finally:
      writer.close()

  def told(self, outcome="recorded", position=3, identifier=IDENTIFIER):
    return 200, json.dumps({"outcome": outcome, "position": position, "notificationUUID": identifier}).encode()

  async def test_what_is_not_acknowledged_is_sent_again(self):
    self.answers = [None, (503, b"{}"), None, self.told("duplicate")]
    await self.load.send(self.notification, [self.channel])
    self.assertEqual((self.requests, self.load.unanswered), (4, 3))
    self.assertEqual(self.promises.by_identifier[IDENTIFIER].position, 3)
    self.assertEqual(self.findings.total, 0)

  async def test_an_acknowledgement_is_not_asked_for_again(self):
    self.answers = [self.told()]
    await self.load.send(self.notification, [self.channel])
    self.assertEqual((self.requests, self.promises.answers["recorded"]), (1, 1))

  async def test_a_repetition_that_is_recorded_again_is_found(self):
    self.answers = [self.told("duplicate"), self.told("recorded")]
    for _ in range(2):
      await self.load.attempt(self.notification, self.channel)
    self.assertEqual(dict(self.findings.counts), {Fault.LOST: 1})

  async def test_a_refusal_of_a_good_notification_is_found(self):
    self.answers = [(400, b'{"code":"badSignature"}')]
    await self.load.send(self.notification, [self.channel])
    self.assertEqual(dict(self.findings.counts), {Fault.OTHER: 1})

  async def test_an_answer_about_another_notification_is_found(self):
    self.answers = [self.told(identifier="00000000-0000-4000-8000-000000000000")]
    await self.load.send(self.notification, [self.channel])
    self.assertEqual(dict(self.findings.counts), {Fault.OTHER: 1})
    self.assertEqual(self.promises.unanswered, [IDENTIFIER])


if __name__ == "__main__":
  unittest.main()
