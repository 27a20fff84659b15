"""The judge finds each way in which a log can break a promise, and nothing in a log that breaks none."""

import unittest

from checker import Event, Fault, Findings, LogCheck, Promises, TailCheck

NOTIFICATION, TRANSACTION, CONFLICT = 1, 2, 5


def digest(text):
  return text.encode().ljust(16, b"\0")


def notification(position, name, inner=1):
  """A notification with its documents right behind it."""
  return Event(position, NOTIFICATION, name, digest(name), 1_000 + position, inner, position + inner)


def transaction(position, name, recorded_at=None):
  return Event(position, TRANSACTION, None, digest(name), recorded_at or 1_000 + position, 0, position)


# Two notifications with a transaction each.
LOG = [notification(1, "a"), transaction(2, "ta"), notification(3, "b"), transaction(4, "tb")]


class LogCheckTests(unittest.TestCase):
  def judge(self, log, told=(("a", "recorded", 2), ("b", "recorded", 4)), head=4):
    """What the judge counts, without what is zero; told: (identifier, outcome, position) or with `again` behind."""
    findings = Findings()
    promises = Promises(findings)
    for name in ("a", "b"):
      promises.sent(name, digest(name), 1)
    for name, outcome, position, *again in told:
      promises.told(name, outcome, position, again=bool(again))
    check = LogCheck(promises, findings)
    for event in log:
      check.see(event)
    check.end(head)
    return dict(findings.counts)

  def test_a_log_that_keeps_every_promise_has_no_findings(self):
    self.assertEqual(self.judge(LOG), {})

  def test_a_notification_that_was_never_acknowledged_may_be_there(self):
    self.assertEqual(self.judge(LOG, told=[("a", "recorded", 2)]), {})

  def test_a_notification_that_was_never_acknowledged_may_be_missing(self):
    self.assertEqual(self.judge(LOG[:2], told=[("a", "recorded", 2)], head=2), {})

  def test_any_number_of_duplicates_at_one_position_is_one_promise(self):
    told = [("a", "duplicate", 2), ("a", "recorded", 2), ("a", "duplicate", 2, "again"), ("b", "duplicate", 4)]
    self.assertEqual(self.judge(LOG, told), {})

  def test_a_hole(self):
    log = [LOG[0], LOG[1], LOG[3]]
    self.assertEqual(self.judge(log, told=[("a", "recorded", 2)]), {Fault.HOLE: 1})

  def test_a_hole_at_the_beginning(self):
    log = [notification(2, "a", inner=0)]
    self.assertEqual(self.judge(log, told=[], head=2)[Fault.HOLE], 1)

  def test_a_log_that_ends_below_its_head(self):
    self.assertEqual(self.judge(LOG, head=5), {Fault.HOLE: 1})

  def test_a_log_that_goes_on_behind_its_head(self):
    self.assertEqual(self.judge(LOG, head=3), {Fault.REORDERING: 1})

  def test_a_document_that_a_notification_refers_to_is_missing(self):
    self.assertEqual(self.judge(LOG[:3], head=3), {Fault.HOLE: 1})

  def test_a_document_twice(self):
    log = [*LOG, transaction(5, "ta")]
    self.assertEqual(self.judge(log, head=5), {Fault.DUPLICATE: 1})

  def test_a_notification_twice(self):
    log = [*LOG, Event(5, NOTIFICATION, "a", digest("a"), 2_000, 1, 2)]
    # Its identity and its content.
    self.assertEqual(self.judge(log, head=5), {Fault.DUPLICATE: 2})

  def test_positions_that_go_back(self):
    log = [LOG[0], LOG[1], LOG[3], LOG[2]]
    counts = self.judge(log)
    self.assertEqual(counts[Fault.REORDERING], 2)  # the position, and the time

  def test_a_time_that_goes_back(self):
    log = [*LOG[:3], transaction(4, "tb", recorded_at=1_000)]
    self.assertEqual(self.judge(log), {Fault.REORDERING: 1})

  def test_a_lost_acknowledgement(self):
    self.assertEqual(self.judge(LOG[:2], head=2), {Fault.LOST: 1})

  def test_a_lost_acknowledgement_of_a_duplicate(self):
    told = [("a", "recorded", 2), ("b", "duplicate", 4)]
    self.assertEqual(self.judge(LOG[:2], told, head=2), {Fault.LOST: 1})

  def test_an_acknowledged_notification_that_was_recorded_again_had_been_lost(self):
    told = [("a", "duplicate", 2), ("a", "recorded", 2, "again")]
    self.assertEqual(self.judge(LOG, told), {Fault.LOST: 1})

  def test_a_notification_that_was_recorded_twice_had_been_lost(self):
    told = [("a", "recorded", 2), ("a", "recorded", 2)]
    self.assertEqual(self.judge(LOG, told), {Fault.LOST: 1})

  def test_a_document_that_did_not_get_in_with_its_notification(self):
    log = [notification(1, "a", inner=0)]
    self.assertEqual(self.judge(log, told=[("a", "recorded", 1)], head=1), {Fault.LOST: 1})

  def test_two_positions_said_for_one_notification(self):
    told = [("a", "recorded", 2), ("a", "duplicate", 1)]
    self.assertEqual(self.judge(LOG, told), {Fault.MISPLACED: 1})

  def test_a_position_said_that_is_not_where_it_is(self):
    told = [("a", "recorded", 4)]
    self.assertEqual(self.judge(LOG, told), {Fault.MISPLACED: 1})

  def test_a_notification_that_nobody_has_sent(self):
    log = [*LOG, notification(5, "c", inner=0)]
    self.assertEqual(self.judge(log, head=5), {Fault.STRANGER: 1})

  def test_other_content_under_an_identity_that_was_sent(self):
    log = [*LOG[:2], Event(3, NOTIFICATION, "b", digest("x"), 1_003, 1, 4), LOG[3]]
    self.assertEqual(self.judge(log), {Fault.STRANGER: 1})

  def test_a_conflict_where_nobody_reused_an_identity(self):
    log = [*LOG, Event(5, CONFLICT, "a", digest("x"), 2_000, 0, 5)]
    self.assertEqual(self.judge(log, head=5), {Fault.STRANGER: 1})

  def test_unanswered_are_those_without_any_acknowledgement(self):
    promises = Promises(Findings())
    promises.sent("a", digest("a"), 0)
    promises.sent("b", digest("b"), 0)
    promises.told("a", "duplicate", 1, again=False)
    self.assertEqual(promises.unanswered, ["b"])


class TailCheckTests(unittest.TestCase):
  def follow(self, *seen, log=((1, 11), (2, 12), (3, 13))):
    """What is counted when a reader sees these (position, fingerprint) and the log holds those."""
    findings = Findings()
    reader, whole = TailCheck("reader", findings), TailCheck("log", findings)
    for event in log:
      whole.see(*event)
    for event in seen:
      reader.see(*event)
    reader.compare(whole)
    return dict(findings.counts)

  def test_a_reader_that_saw_everything_once_and_in_order_has_no_findings(self):
    self.assertEqual(self.follow((1, 11), (2, 12), (3, 13)), {})

  def test_a_hole_that_was_never_filled(self):
    self.assertEqual(self.follow((1, 11), (3, 13)), {Fault.HOLE: 1, Fault.READER: 1})

  def test_an_event_that_appeared_below(self):
    self.assertEqual(self.follow((1, 11), (3, 13), (2, 12)), {Fault.HOLE: 1, Fault.REORDERING: 1})

  def test_an_event_seen_twice(self):
    self.assertEqual(self.follow((1, 11), (2, 12), (2, 12), (3, 13)), {Fault.READER: 1})

  def test_an_event_never_seen(self):
    self.assertEqual(self.follow((1, 11), (2, 12)), {Fault.READER: 1})

  def test_an_event_that_has_changed(self):
    self.assertEqual(self.follow((1, 11), (2, 99), (3, 13)), {Fault.READER: 1})

  def test_an_event_that_is_gone(self):
    self.assertEqual(self.follow((1, 11), (2, 12), (3, 13), (4, 14)), {Fault.READER: 1})


class FindingsTests(unittest.TestCase):
  def test_examples_are_few_and_counts_are_complete(self):
    findings = Findings()
    for number in range(1_000):
      findings.add(Fault.HOLE, f"hole {number}")
    self.assertEqual(findings.total, 1_000)
    self.assertEqual(findings.examples[0], "holes: hole 0")
    self.assertLess(len(findings.examples), 100)

  def test_the_counts_name_every_kind(self):
    findings = Findings()
    findings.add(Fault.HOLE, "1 is missing")
    self.assertIn("1 holes, 0 duplicates", str(findings))
    self.assertEqual(str(findings).count(","), len(Fault) - 1)


if __name__ == "__main__":
  unittest.main()
