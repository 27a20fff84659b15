"""One daemon of the run: `ledgerd serve` behind a proxy of its own, and what it takes to kill it and start it again."""

import asyncio
import signal

import channel
import harness


class Machine:
  """A daemon that can be killed, stopped and started again."""

  def __init__(self, number, ledger, proxy):
    self.number, self.ledger, self.proxy = number, ledger, proxy
    self.target = channel.Target()
    self.daemon = None

  async def start(self):
    """Returns when it is ready; its port is another one each time."""
    self.daemon = await asyncio.to_thread(
      harness.Daemon, self.ledger.ledgerd, self.configuration, f"{self.ledger.database}-{self.number}")
    self.target.port = self.daemon.port
    self.configuration(self.daemon.port).unlink()

  def configuration(self, port):
    return self.ledger.configuration(port, host=self.proxy.folder)

  def kill(self):
    self.daemon.process.kill()
    self.daemon.process.wait()

  def send(self, number):
    """A signal; none when it has been killed meanwhile."""
    self.daemon.process.send_signal(number)

  @property
  def end(self):
    """Why it is not running, as a sentence; None while it runs."""
    if self.daemon.process.poll() is None:
      return None
    log = self.daemon.log.read_text()[-2000:]
    return f"daemon {self.number} ended by itself with status {self.daemon.process.returncode}; its log ends with:\n{log}"

  async def stop(self):
    """Ends it as an operator would; the exit status."""
    self.send(signal.SIGCONT)
    return await asyncio.to_thread(self.daemon.stop)
