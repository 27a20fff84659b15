"""What is done to the daemons and to PostgreSQL. Each fault returns when what it broke runs again.

Faults come in families; each run deals the families out in turn, so that a run of ten kills has seen every one.
"""

import asyncio
import collections
import signal

import channel
import cluster as clusters
import harness
from proxy import OF_APPENDS, Step

DAEMON, LEADER, POSTGRES = "daemon", "leader", "PostgreSQL"
TRAP_SECONDS_MAX = 60
# Notifications that are allowed besides when a trap is armed, so that an append comes by.
TRAP_BAIT = 8
DOWN_SECONDS = (0, 0.5)
STOP_SECONDS = (0.2, 3.0)
STALL_SECONDS = (0.05, 1.0)
# For how long PostgreSQL takes in events without writing what nobody waits for, before it is killed.
UNWRITTEN_SECONDS = (0, 0.3)
# From the lock of the cursor to the kill, in which the leader folds.
FOLD_SECONDS = (0, 0.03)
# From the reply of PostgreSQL to the kill, in which the daemon's acknowledgement gets out.
REPLIED_SECONDS = (0, 0.01)


class World:
  """All that a fault can reach."""

  def __init__(self, cluster, machines, traps, writers, random):
    self.cluster, self.machines, self.traps = cluster, machines, traps
    self.load, self.random = writers, random
    self.kills = collections.Counter()

  async def at_step(self, step):
    """The trap that holds an append or a fold at this step, whichever daemon's it is."""
    trap = self.traps.arm(step)
    await self.load.allow(TRAP_BAIT)
    return await self.caught(trap)

  async def caught(self, trap):
    """The trap, when it holds something."""
    try:
      async with asyncio.timeout(TRAP_SECONDS_MAX):
        await trap.caught
    except TimeoutError:
      raise harness.Failure(f"nothing came by {trap.step.value} within {TRAP_SECONDS_MAX} s") from None
    return trap

  def kill(self, machine):
    """SIGKILL to a daemon."""
    machine.kill()
    self.kills[DAEMON] += 1

  def kill_all(self, postmaster):
    """SIGKILL to all of PostgreSQL."""
    clusters.kill_all(postmaster)
    self.kills[POSTGRES] += 1

  def kill_one(self, process):
    """SIGKILL to one process of PostgreSQL."""
    clusters.send(process, signal.SIGKILL)
    self.kills[POSTGRES] += 1

  def holder(self, trap):
    """The machine whose connection a trap holds."""
    return next(machine for machine in self.machines if machine.proxy is trap.holder)

  async def backend(self):
    """A process that serves a daemon, one at work if there is any; waits for one while the daemons have no session."""
    while not (backends := await self.cluster.backends()):
      await asyncio.sleep(clusters.RETRY_SECONDS)
    return self.random.choice(backends[:len(self.machines)])

  def any_step(self):
    return self.random.choice(OF_APPENDS)

  async def pause(self, bounds):
    await asyncio.sleep(self.random.uniform(*bounds))


# Kills of daemons

async def kill_daemon(world):
  """A daemon dies, whatever it does."""
  machine = world.random.choice(world.machines)
  world.kill(machine)
  await machine.start()


async def kill_daemon_at_step(world):
  """The daemon whose append is at some step dies, and its connection with it."""
  trap = await world.at_step(world.any_step())
  machine = world.holder(trap)
  world.kill(machine)
  trap.release(cuts=True)
  await machine.start()


async def kill_leader(world):
  """The daemon that has locked the projection's cursor dies, before it folds or in the middle of it."""
  trap = await world.at_step(Step.LEADING)
  machine = world.holder(trap)
  if world.random.random() < 0.5:
    trap.release(cuts=False)
    await world.pause(FOLD_SECONDS)
  world.kill(machine)
  world.kills[LEADER] += 1
  trap.release(cuts=True)
  await machine.start()


# Kills of PostgreSQL

async def kill_server(world):
  """All processes of PostgreSQL die at once; perhaps a daemon too, which then starts while there is no PostgreSQL."""
  postmaster = await world.cluster.postmaster()
  await world.cluster.write_nothing_unasked()
  await world.pause(UNWRITTEN_SECONDS)
  world.kill_all(postmaster)
  if world.random.random() < 0.5:
    await asyncio.gather(start_server(world), kill_daemon(world))
  else:
    await start_server(world)


async def kill_server_at_step(world):
  """The same while an append is at some step."""
  step = world.any_step()
  postmaster = await world.cluster.postmaster()
  await world.cluster.write_nothing_unasked()
  trap = await world.at_step(step)
  if step == Step.REPLIED:
    await world.pause(REPLIED_SECONDS)
  world.kill_all(postmaster)
  trap.release(cuts=True)
  await start_server(world)


async def kill_postmaster(world):
  """The postmaster dies alone; its children find out by themselves."""
  world.kill_one(await world.cluster.postmaster())
  await start_server(world)


async def kill_backend(world):
  """A process that serves a daemon dies; PostgreSQL ends all sessions and recovers."""
  world.kill_one(await world.backend())
  (await world.cluster.connect()).close()


async def repeat_in_between(world):
  """A notification is repeated through another daemon while the answer to the first append is still under way.

  Then all of PostgreSQL dies: what the repetition was told has to be as durable as the first. Nothing else is written
  meanwhile, because every other commit would make this one durable along with it.
  """
  await world.load.pause()
  postmaster = await world.cluster.postmaster()
  await world.cluster.write_nothing_unasked()
  first, second = world.random.sample(world.machines, 2)
  notification = await world.load.take()
  trap = world.traps.arm(Step.COMMITTED, wanted=first.proxy)
  channels = [channel.Channel(first.target), channel.Channel(second.target)]
  original = asyncio.create_task(world.load.send(notification, channels[:1]))
  await world.caught(trap)
  await world.load.attempt(notification, channels[1])
  world.kill_all(postmaster)
  # Whoever was told that it is kept has no reason to send it again.
  original.cancel()
  trap.release(cuts=True)
  await start_server(world)
  if not world.load.promises.is_kept(notification.identifier):
    await world.load.send(notification, channels)
  for each in channels:
    each.close()
  await world.load.go_on()


async def start_server(world):
  await world.pause(DOWN_SECONDS)
  await world.cluster.start()


# Disturbances: nothing dies

async def stop_daemon(world):
  """A daemon is frozen, and thawed."""
  machine = world.random.choice(world.machines)
  process = machine.daemon.process
  process.send_signal(signal.SIGSTOP)
  await world.pause(STOP_SECONDS)
  process.send_signal(signal.SIGCONT)


async def stop_backend(world):
  """A process that serves a daemon is frozen, perhaps while it holds the lock of the head row, and thawed."""
  backend = await world.backend()
  clusters.send(backend, signal.SIGSTOP)
  await world.pause(STOP_SECONDS)
  clusters.send(backend, signal.SIGCONT)


async def cut_connections(world):
  """Some connections between daemons and PostgreSQL break, whatever they carry."""
  for machine in world.machines:
    machine.proxy.cut(world.random)


async def cut_at_step(world):
  """The connection of an append breaks at some step."""
  (await world.at_step(world.any_step())).release(cuts=True)


async def stall_at_step(world):
  """The connection of an append goes silent at some step, and on again."""
  trap = await world.at_step(world.any_step())
  await world.pause(STALL_SECONDS)
  trap.release(cuts=False)


KILLS = {
  DAEMON: [kill_daemon, kill_daemon_at_step, kill_leader],
  POSTGRES: [kill_server, kill_server_at_step, kill_postmaster, kill_backend, repeat_in_between],
}
DISTURBANCES = [stop_daemon, stop_backend, cut_connections, cut_at_step, stall_at_step]


def deal(families, count, random):
  """So many faults; each family comes as often as the others, give or take one, in an order that the seed decides."""
  dealt = []
  while len(dealt) < count:
    dealt += random.sample(families, len(families))
  return dealt[:count]


def schedule(kills, random):
  """Pairs of a kill and a disturbance beside it; half of the kills are of daemons."""
  of_daemons = deal(KILLS[DAEMON], kills // 2, random)
  of_postgres = deal(KILLS[POSTGRES], kills - kills // 2, random)
  all_kills = of_daemons + of_postgres
  random.shuffle(all_kills)
  return list(zip(all_kills, deal(DISTURBANCES, kills, random)))
