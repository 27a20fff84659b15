"""The judge: compares what clients were told with what the log holds. No I/O, so that it can be tested by itself."""

import array
import collections
import dataclasses
import enum
import itertools

EXAMPLES_MAX = 10

NOTIFICATION, CONFLICT = 1, 5
# Notification, transaction, renewal info, app transaction: a document of these kinds is an event once.
ONCE = range(1, 5)


class Fault(enum.Enum):
  """A way to break a promise; the value is how the counts name it."""

  HOLE = "holes"
  DUPLICATE = "duplicates"
  REORDERING = "reorderings"
  LOST = "acknowledged events lost"
  MISPLACED = "positions misstated"
  STRANGER = "events never sent"
  READER = "reader faults"
  OTHER = "other faults"


class Findings:
  """What is wrong, counted by its kind, with the first examples of each in words."""

  def __init__(self):
    self.counts = collections.Counter()
    self.examples = []

  def add(self, fault, sentence):
    self.counts[fault] += 1
    if self.counts[fault] <= EXAMPLES_MAX:
      self.examples.append(f"{fault.value}: {sentence}")

  @property
  def total(self):
    return self.counts.total()

  def __str__(self):
    return ", ".join(f"{self.counts[fault]} {fault.value}" for fault in Fault)


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
  """An event of the log, as far as the judge wants to know it.

  last: the greatest position of the event and the documents it refers to, which is the position that a client is told.
  """

  position: int
  kind: int
  identifier: str | None
  digest: bytes
  recorded_at: int
  inner: int
  last: int


@dataclasses.dataclass(slots=True)
class Promise:
  """What clients were told about one notification."""

  digest: bytes
  inner: int
  position: int | None = None
  recorded: int = 0


class Promises:
  """What was sent, and what was answered."""

  def __init__(self, findings):
    self.findings = findings
    self.by_identifier = {}
    self.answers = collections.Counter()

  def sent(self, identifier, digest, inner):
    """A notification that will be sent, any number of times; inner is the number of documents inside it."""
    self.by_identifier[identifier] = Promise(digest, inner)

  def is_kept(self, identifier):
    """Whether somebody was told that it is in the log."""
    return self.by_identifier[identifier].position is not None

  def told(self, identifier, outcome, position, again):
    """An acknowledgement; again: its request began after another acknowledgement of the same notification."""
    promise = self.by_identifier[identifier]
    self.answers[outcome] += 1
    if outcome == "recorded":
      promise.recorded += 1
      if again or promise.recorded > 1:
        self.findings.add(Fault.LOST, f"{identifier} was acknowledged, and then recorded again at {position}")
    if promise.position is None:
      promise.position = position
    elif promise.position != position:
      self.findings.add(Fault.MISPLACED, f"{identifier} was said to be at {promise.position} and at {position}")

  @property
  def unanswered(self):
    return [identifier for identifier, promise in self.by_identifier.items() if promise.position is None]


class LogCheck:
  """Takes the events of the whole log as they are read by position, and compares them with the promises."""

  def __init__(self, promises, findings):
    self.promises, self.findings = promises, findings
    self.last = 0
    self.recorded_at = 0
    self.documents = set()
    self.found = {}
    self.reach = 0

  def see(self, event):
    self.see_position(event)
    self.reach = max(self.reach, event.last)
    if event.kind in ONCE:
      identity = bytes([event.kind]) + event.digest
      if identity in self.documents:
        self.findings.add(Fault.DUPLICATE, f"the document of {event.position} is there twice")
      self.documents.add(identity)
    if event.kind == NOTIFICATION:
      self.see_notification(event)
    elif event.kind == CONFLICT:
      self.findings.add(Fault.STRANGER, f"{event.position} is a conflict, but nobody has reused an identity")

  def see_position(self, event):
    if event.position <= self.last:
      self.findings.add(Fault.REORDERING, f"position {event.position} comes after {self.last}")
    elif event.position > self.last + 1:
      self.findings.add(Fault.HOLE, f"{self.last + 1} to {event.position - 1} are missing")
    if event.recorded_at < self.recorded_at:
      self.findings.add(Fault.REORDERING, f"{event.position} was recorded before its predecessor")
    self.last, self.recorded_at = max(self.last, event.position), event.recorded_at

  def see_notification(self, event):
    if event.identifier in self.found:
      self.findings.add(Fault.DUPLICATE, f"{event.identifier} is at {self.found[event.identifier]} and {event.position}")
    self.found[event.identifier] = event.position
    promise = self.promises.by_identifier.get(event.identifier)
    if promise is None or promise.digest != event.digest:
      self.findings.add(Fault.STRANGER, f"what stands at {event.position} was never sent")
    elif promise.inner != event.inner:
      self.findings.add(Fault.LOST, f"{event.identifier} has {event.inner} of {promise.inner} documents in the log")
    elif promise.position not in (None, event.last):
      self.findings.add(
        Fault.MISPLACED, f"{event.identifier} was said to be at {promise.position}, it is at {event.last}")

  def end(self, head):
    """After the last event; head is the position that the head row says."""
    for identifier, promise in self.promises.by_identifier.items():
      if identifier not in self.found and promise.position is not None:
        self.findings.add(Fault.LOST, f"{identifier}, acknowledged at {promise.position}, is not in the log")
    if max(head, self.reach) > self.last:
      self.findings.add(
        Fault.HOLE, f"the log ends at {self.last}, its head says {head} and its events refer to {self.reach}")
    elif head < self.last:
      self.findings.add(Fault.REORDERING, f"the head stands at {head}, the log goes on to {self.last}")


class TailCheck:
  """What a reader that follows the log has seen: each event as its position and a fingerprint of its content.

  Fingerprints are 64 bits, so that a million events of several readers take little memory; UNSEEN stands for none.
  """

  UNSEEN = 0

  def __init__(self, name, findings):
    self.name, self.findings = name, findings
    self.seen = array.array("q")

  @property
  def last(self):
    """The greatest position seen."""
    return len(self.seen)

  def see(self, position, fingerprint):
    if position <= self.last:
      self.see_below(position, fingerprint)
      return
    if position > self.last + 1:
      self.findings.add(Fault.HOLE, f"{self.name} saw {position} after {self.last}")
      self.seen.extend([self.UNSEEN] * (position - 1 - self.last))
    self.seen.append(fingerprint)

  def see_below(self, position, fingerprint):
    if self.seen[position - 1] == self.UNSEEN:
      self.findings.add(Fault.REORDERING, f"{self.name} saw {position} after {self.last}")
    else:
      self.findings.add(Fault.READER, f"{self.name} saw {position} twice")
    self.seen[position - 1] = fingerprint

  def compare(self, log):
    """Against what a reader sees that reads the whole log at the end."""
    for position, (seen, held) in enumerate(itertools.zip_longest(self.seen, log.seen, fillvalue=self.UNSEEN), start=1):
      if seen == held:
        continue
      if seen == self.UNSEEN:
        self.findings.add(Fault.READER, f"{self.name} never saw {position}")
      elif held == self.UNSEEN:
        self.findings.add(Fault.READER, f"{self.name} saw {position}, which is not in the log")
      else:
        self.findings.add(Fault.READER, f"{self.name} saw another event at {position} than the log holds")
