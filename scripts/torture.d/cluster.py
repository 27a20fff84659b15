"""The private PostgreSQL: how to kill it, in several ways, and to bring it back."""

import asyncio
import os
import pathlib
import signal

import harness
import session

PORT = 5432
START_SECONDS_MAX = 60
RETRY_SECONDS = 0.02
SUPERUSER = "ledgerd_test"


class Cluster:
  """The PostgreSQL that scripts/with-postgres has started for this run."""

  def __init__(self, database):
    words = dict(word.split("=", 1) for word in os.environ["LEDGERD_TEST_POSTGRES"].split())
    self.socket = os.path.join(words["host"], f".s.PGSQL.{PORT}")
    self.control = os.environ["LEDGERD_TEST_POSTGRES_CTL"]
    self.database = database

  async def connect(self):
    """A session of the superuser, as soon as PostgreSQL accepts one."""
    try:
      async with asyncio.timeout(START_SECONDS_MAX):
        while True:
          try:
            return await session.Session.open(self.socket, self.database, SUPERUSER)
          except session.Lost:
            await asyncio.sleep(RETRY_SECONDS)
    except TimeoutError:
      raise harness.Failure(f"PostgreSQL has accepted no session for {START_SECONDS_MAX} s") from None

  async def query(self, sql):
    """The rows of one statement in a session of its own; asked again when PostgreSQL goes away meanwhile."""
    while True:
      connection = await self.connect()
      try:
        return await connection.query(sql)
      except session.Lost:
        await asyncio.sleep(RETRY_SECONDS)
      except session.Refused as error:
        raise harness.Failure(f"PostgreSQL refuses {sql.strip()[:60]!r} …: {error}") from error
      finally:
        connection.close()

  async def postmaster(self):
    """The process that has started all others."""
    (backend,), = await self.query("SELECT pg_backend_pid()")
    return parent_of(int(backend))

  async def write_nothing_unasked(self):
    """Freezes the process that hands WAL to the kernel in the background, until all of PostgreSQL is killed.

    From then on a commit that nobody has flushed stays in PostgreSQL's own memory, and SIGKILL loses it.
    """
    for process, in await self.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'"):
      send(int(process), signal.SIGSTOP)

  async def backends(self):
    """The processes that serve daemons, those first that are at work."""
    rows = await self.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                            f"AND backend_type = 'client backend' AND usename <> '{SUPERUSER}' "
                            "ORDER BY state = 'active' DESC, pid")
    return [int(pid) for pid, in rows]

  async def start(self):
    """Starts PostgreSQL again; while processes of the one before are alive, it refuses to."""
    try:
      async with asyncio.timeout(START_SECONDS_MAX):
        while True:
          starting = await asyncio.create_subprocess_exec(
            self.control, "start", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL)
          if await starting.wait() == 0:
            break
          await asyncio.sleep(RETRY_SECONDS)
    except TimeoutError:
      log = pathlib.Path(self.control).with_name("log").read_text(errors="replace")[-2000:]
      raise harness.Failure(
        f"PostgreSQL has not started within {START_SECONDS_MAX} s; its log ends with:\n{log}") from None


def kill_all(postmaster):
  """SIGKILL to all processes in one go: what only PostgreSQL's memory held is lost.

  The postmaster is frozen before its children are listed, so that none is forked behind our back: it would wait for ever
  for a lock in shared memory whose holder is dead.
  """
  send(postmaster, signal.SIGSTOP)
  for process in (postmaster, *children_of(postmaster)):
    send(process, signal.SIGKILL)


def send(process, number):
  """A signal to a process of this cluster; one that has ended meanwhile needs none."""
  try:
    os.kill(process, number)
  except ProcessLookupError:
    pass


def parent_of(process):
  return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def children_of(process):
  return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
