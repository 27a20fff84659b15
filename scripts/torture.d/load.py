"""Writers: they send notifications to all daemons, resend what was not acknowledged, and repeat what was."""

import asyncio
import collections
import json

import channel
import checker

CONNECTIONS = 32
RETRY_SECONDS = 0.05
RETRY_SECONDS_MAX = 0.5
# One notification in so many is sent again although it was acknowledged: half of those at the same time through two
# daemons, half after a while, when there may have been a crash in between.
REPEAT_EVERY = 10
OLD_ONES_MAX = 200
NOTIFICATIONS = "/v1/notifications"


class Load:
  """All writers together. They send as many notifications as they were allowed to, and then wait for more."""

  def __init__(self, targets, bodies, promises, findings, random):
    self.targets, self.bodies, self.random = targets, bodies, random
    self.promises, self.findings = promises, findings
    self.allowed = 0
    self.begun = 0
    self.kept = 0
    self.unanswered = 0
    self.is_paused = False
    self.under_way = 0
    self.changed = asyncio.Condition()
    self.old_ones = collections.deque(maxlen=OLD_ONES_MAX)

  async def allow(self, count):
    """Lets the writers send so many more."""
    async with self.changed:
      self.allowed += count
      self.changed.notify_all()

  async def reached(self, kept):
    """Waits until so many notifications have been acknowledged in all."""
    async with self.changed:
      await self.changed.wait_for(lambda: self.kept >= kept)

  async def pause(self):
    """Lets nothing begin, and waits until nothing is under way."""
    async with self.changed:
      self.is_paused = True
      await self.changed.wait_for(lambda: self.under_way == 0)

  async def go_on(self):
    async with self.changed:
      self.is_paused = False
      self.changed.notify_all()

  async def run(self):
    """Until it is cancelled."""
    await asyncio.gather(*(self.write() for _ in range(CONNECTIONS)))

  async def write(self):
    """One writer, with a connection to each daemon."""
    channels = [channel.Channel(target) for target in self.targets]
    try:
      while True:
        await self.begin()
        notification = await self.take()
        await self.deliver(notification, channels)
        await self.end()
    finally:
      for each in channels:
        each.close()

  async def begin(self):
    async with self.changed:
      await self.changed.wait_for(lambda: self.begun < self.allowed and not self.is_paused)
      self.begun += 1
      self.under_way += 1

  async def end(self):
    async with self.changed:
      self.kept += 1
      self.under_way -= 1
      self.changed.notify_all()

  async def take(self):
    """A notification that nobody has sent before."""
    notification = await self.bodies.next()
    self.promises.sent(notification.identifier, notification.digest, notification.inner)
    return notification

  async def deliver(self, notification, channels):
    """Sends a notification until it is acknowledged, and perhaps repeats it or an old one."""
    if self.random.randrange(REPEAT_EVERY):
      await self.send(notification, channels)
      return
    if self.random.random() < 0.5 and len(channels) > 1:
      second, *others = self.random.sample(channels, len(channels))
      await asyncio.gather(self.send(notification, others), self.attempt(notification, second))
    else:
      await self.send(notification, channels)
      self.old_ones.append(notification)
      await self.send(self.random.choice(self.old_ones), channels)

  async def send(self, notification, channels):
    pause = RETRY_SECONDS
    while not await self.attempt(notification, self.random.choice(channels)):
      await asyncio.sleep(pause)
      pause = min(2 * pause, RETRY_SECONDS_MAX)

  async def attempt(self, notification, through):
    """Sends it once; whether that was acknowledged."""
    again = self.promises.is_kept(notification.identifier)
    try:
      status, text = await through.post(NOTIFICATIONS, notification.body)
    except channel.Unanswered:
      self.unanswered += 1
      return False
    if status == 503:
      self.unanswered += 1
      return False
    if status == 200:
      self.note(notification, json.loads(text), again)
    else:
      self.findings.add(checker.Fault.OTHER, f"{status} to a good notification: {text[:200]!r}")
    # Nothing else comes of sending again what was refused for good.
    return True

  def note(self, notification, answer, again):
    if answer["notificationUUID"].lower() != notification.identifier:
      self.findings.add(checker.Fault.OTHER, f"{notification.identifier} was answered with {answer['notificationUUID']}")
    elif answer["outcome"] not in ("recorded", "duplicate"):
      self.findings.add(checker.Fault.OTHER, f"{notification.identifier} was answered with {answer['outcome']}")
    else:
      self.promises.told(notification.identifier, answer["outcome"], answer["position"], again)
