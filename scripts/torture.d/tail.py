"""Readers that follow the log while it is written, each through a source that can be exchanged for another.

A source has one method, `fetch(after)`: the events behind a position that can be read now, in the order in which the
source gives them, as (position, fingerprint of 64 bits). It raises Away when it can't be asked at the moment.
"""

import asyncio
import hashlib
import json

import channel
import checker
import harness
import session

PAGE = 5_000
IDLE_SECONDS = 0.02
AWAY_SECONDS = 0.1
# A page over HTTP, from a daemon that may be stopped meanwhile.
PAGE_SECONDS_MAX = 10
# By when a source must give the next page at the end of a run, when nothing is broken any more.
PAGE_AT_END_SECONDS_MAX = 60
# Hashes the whole row, so that a change of any column is noticed; the seed is arbitrary. The judge keeps 0 for itself.
FOLLOW = """
SELECT e.position, coalesce(nullif(hash_record_extended(e.*, 20260101), 0), 1)
FROM ledger.events e WHERE e.position > {after} ORDER BY e.position LIMIT {limit}"""


class Away(Exception):
  """The source can't be asked now."""


class SQLSource:
  """Reads the table itself, as whoever has the role ledger_reader can.

  What it can see is durable: ledger.append becomes visible when its commit has been flushed.
  """

  ROLE = "ledger_torture_reader"

  def __init__(self, cluster):
    self.cluster = cluster
    self.session = None

  async def fetch(self, after):
    try:
      if self.session is None:
        self.session = await session.Session.open(self.cluster.socket, self.cluster.database, self.ROLE)
      rows = await self.session.query(FOLLOW.format(after=after, limit=PAGE))
      return [(int(position), int(fingerprint)) for position, fingerprint in rows]
    except session.Lost as error:
      self.close()
      raise Away(str(error)) from error
    except session.Refused as error:
      raise harness.Failure(f"PostgreSQL refuses to let a reader follow: {error}") from error

  def close(self):
    if self.session:
      self.session.close()
      self.session = None


class HTTPSource:
  """Asks one daemon for pages of the log as NDJSON, as a service that keeps a copy would."""

  def __init__(self, target):
    self.channel = channel.Channel(target, seconds=PAGE_SECONDS_MAX)

  async def fetch(self, after):
    try:
      status, page = await self.channel.get(f"/v1/events?after={after}&limit={PAGE}&format=ndjson")
    except channel.Unanswered as error:
      raise Away(str(error)) from error
    if status == 503:
      raise Away("503")
    if status != 200:
      raise harness.Failure(f"a daemon answers {status} to a reader of the log: {page[:200]!r}")
    return [(json.loads(line)["position"], fingerprint(line)) for line in page.splitlines()]

  def close(self):
    self.channel.close()


def fingerprint(line):
  """Of all bytes of a line; 64 bits with a sign, never 0."""
  return int.from_bytes(hashlib.blake2b(line, digest_size=8).digest(), signed=True) or 1


class Tail:
  """One reader: what it asks, and the judge of what it gets."""

  def __init__(self, name, source, findings):
    self.source = source
    self.check = checker.TailCheck(name, findings)

  async def run(self):
    """Follows until it is cancelled."""
    try:
      while True:
        try:
          pause = 0 if await self.step() else IDLE_SECONDS
        except Away:
          pause = AWAY_SECONDS
        await asyncio.sleep(pause)
    finally:
      self.source.close()

  async def step(self):
    """Takes a page; whether there was anything in it."""
    page = await self.source.fetch(self.check.last)
    for position, fingerprint in page:
      self.check.see(position, fingerprint)
    return bool(page)

  async def catch_up(self, head):
    """Reads on until the source has given the event at the head, or gives nothing more."""
    goes_on = True
    try:
      while goes_on and self.check.last < head:
        async with asyncio.timeout(PAGE_AT_END_SECONDS_MAX):
          goes_on = await self.next_page()
    except TimeoutError:
      raise harness.Failure(f"{self.check.name} stands at {self.check.last} of {head}, and no more has come for "
                            f"{PAGE_AT_END_SECONDS_MAX} s") from None

  async def next_page(self):
    """Takes a page, whenever the source can be asked; whether there was anything in it."""
    while True:
      try:
        return await self.step()
      except Away:
        await asyncio.sleep(AWAY_SECONDS)
