"""Signed notifications, made ahead in portions while the run goes on: all of them at once would take gigabytes."""

import asyncio
import base64
import dataclasses
import hashlib
import os
import uuid

import harness

PORTION_MAX = 10_000
INNER = (b'"signedTransactionInfo"', b'"signedRenewalInfo"')


@dataclasses.dataclass(frozen=True, slots=True)
class Notification:
  """A body for POST /v1/notifications, and what the log must hold for it."""

  body: bytes
  identifier: str
  digest: bytes
  inner: int


def read(body):
  """Reads a body without the code under test."""
  segment = body.split(b".", 2)[1]
  payload = base64.urlsafe_b64decode(segment + b"=" * (-len(segment) % 4))
  identifier = payload.split(b'"notificationUUID":"', 1)[1][:36].decode()
  return Notification(body, str(uuid.UUID(identifier)), hashlib.sha256(payload).digest()[:16],
                      sum(name in payload for name in INNER))


class Bodies:
  """Hands out one notification after the other, each once; wanted: how many it will probably be."""

  def __init__(self, seed, wanted):
    self.seed, self.portion = seed, min(wanted, PORTION_MAX)
    self.made = 0
    self.lines = iter(())
    self.next_portion = asyncio.create_task(self.sign())

  async def sign(self):
    """Signs a portion with customers of its own; the file that holds it."""
    self.made += 1
    name = f"torture-{os.getpid()}-{self.made}"
    bodies, paths = await asyncio.to_thread(harness.sign, self.portion, self.seed + self.made, name, settles=False)
    paths.unlink()
    return bodies

  async def next(self):
    for line in self.lines:
      return read(line.rstrip(b"\n"))
    ready = self.next_portion
    path = await asyncio.shield(ready)
    if self.next_portion is ready:
      # The first of those who wait opens it, and has the one after it made.
      self.lines = lines_of(path)
      self.next_portion = asyncio.create_task(self.sign())
    return await self.next()

  async def close(self):
    path = await self.next_portion
    path.unlink()


def lines_of(path):
  """The lines of a file that is removed when the last has been read."""
  with open(path, "rb") as file:
    path.unlink()
    yield from file
