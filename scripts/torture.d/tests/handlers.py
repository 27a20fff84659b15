"""What serves the connections of a test's server, so that a test can wait until all of them have ended."""

import asyncio


class Handlers:
  """Serves each connection by the function that it was made with."""

  def __init__(self, serve):
    self.serve = serve
    self.running = set()

  async def __call__(self, reader, writer):
    task = asyncio.current_task()
    self.running.add(task)
    try:
      await self.serve(reader, writer)
    except ConnectionError:
      pass  # the other side may go at any time
    finally:
      writer.close()
      self.running.discard(task)

  async def end(self):
    await asyncio.gather(*self.running)
