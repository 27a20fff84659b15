"""A client's side of HTTP/1.1, as far as the daemon speaks it: one request after the other on a kept connection."""

import asyncio

# A daemon that has not answered by then may be stopped: another one is asked.
ANSWER_SECONDS_MAX = 2
# A chunk, and an answer that has its length in front: past it something else than the daemon speaks.
BODY_BYTES_MAX = 64 << 20


class Unanswered(Exception):
  """No answer came, or not all of it: what was sent may have been done or not."""


class Target:
  """Where a daemon listens; the port changes when it is started again."""

  def __init__(self):
    self.port = None


class Channel:
  """A keep-alive connection to one target."""

  def __init__(self, target, seconds=ANSWER_SECONDS_MAX):
    self.target, self.seconds = target, seconds
    self.port = None
    self.streams = None

  async def post(self, path, body):
    """Status and body of the answer."""
    return await self.ask(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                          f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

  async def get(self, path):
    """Status and body of the answer."""
    return await self.ask(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

  async def ask(self, request):
    try:
      async with asyncio.timeout(self.seconds):
        reader, writer = await self.open()
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await read_body(reader, head)
        if b"connection: close" in head:
          self.close()
        return int(head[9:12]), body
    except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as error:
      self.close()
      raise Unanswered(str(error)) from error

  async def open(self):
    """The connection, opened again when it broke or when the daemon listens elsewhere."""
    if self.streams is None or self.port != self.target.port or self.streams[1].transport.is_closing():
      self.close()
      self.port = self.target.port
      self.streams = await asyncio.open_connection("127.0.0.1", self.port)
    return self.streams

  def close(self):
    if self.streams:
      self.streams[1].transport.abort()
      self.streams = None


async def read_body(reader, head):
  """The body behind a head in lower case, whether its length stands there or it comes in chunks (RFC 9112, 6)."""
  if b"transfer-encoding: chunked" not in head:
    return await read_exactly(reader, int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0]))
  pieces = []
  while length := int(await reader.readuntil(b"\r\n"), 16):
    pieces.append(await read_exactly(reader, length))
    await reader.readexactly(2)
  await reader.readexactly(2)
  return b"".join(pieces)


async def read_exactly(reader, length):
  if not 0 <= length <= BODY_BYTES_MAX:
    raise ValueError(f"{length} bytes are announced; at most {BODY_BYTES_MAX} are possible")
  return await reader.readexactly(length)
