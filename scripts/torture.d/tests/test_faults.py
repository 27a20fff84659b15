"""The schedule of a run."""

import collections
import random
import unittest

import faults


class ScheduleTests(unittest.TestCase):
  def test_half_of_the_kills_are_of_daemons(self):
    for kills in (2, 10, 300):
      with self.subTest(kills=kills):
        dealt = [kill for kill, _ in faults.schedule(kills, random.Random(1))]
        self.assertEqual(sum(kill in faults.KILLS[faults.DAEMON] for kill in dealt), kills // 2)
        self.assertEqual(len(dealt), kills)

  def test_ten_kills_are_of_every_kind(self):
    for seed in range(20):
      with self.subTest(seed=seed):
        schedule = faults.schedule(10, random.Random(seed))
        self.assertEqual({kill for kill, _ in schedule}, {kill for kinds in faults.KILLS.values() for kill in kinds})
        self.assertEqual({disturbance for _, disturbance in schedule}, set(faults.DISTURBANCES))

  def test_the_seed_decides(self):
    self.assertEqual(faults.schedule(50, random.Random(7)), faults.schedule(50, random.Random(7)))
    self.assertNotEqual(faults.schedule(50, random.Random(7)), faults.schedule(50, random.Random(8)))

  def test_no_kind_comes_more_often_than_another(self):
    counts = collections.Counter(kill for kill, _ in faults.schedule(300, random.Random(3)))
    for kinds in faults.KILLS.values():
      self.assertLessEqual(max(counts[kind] for kind in kinds) - min(counts[kind] for kind in kinds), 1)


class Sessions:
  """Takes the place of the cluster: which processes serve daemons, each time that is asked."""

  def __init__(self, *answers):
    self.answers = list(answers)

  async def backends(self):
    return self.answers.pop(0)


class BackendTests(unittest.IsolatedAsyncioTestCase):
  async def test_a_backend_is_waited_for_while_the_daemons_have_no_session(self):
    world = faults.World(Sessions([], [], [4711]), [None], None, None, random.Random(1))
    self.assertEqual(await world.backend(), 4711)

  async def test_those_at_work_come_first(self):
    world = faults.World(Sessions([4711, 4712, 4713]), [None], None, None, random.Random(1))
    self.assertEqual(await world.backend(), 4711)


if __name__ == "__main__":
  unittest.main()
