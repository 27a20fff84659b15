"""A session with the private PostgreSQL for simple queries; Python has no client of its own."""

import asyncio

import wire

RECEIVE_BYTES = 1 << 18


class Lost(Exception):
  """The session is gone, or could not be opened."""


class Refused(Exception):
  """The server refused a statement; the session goes on."""


class Session:
  """One connection over the unix socket, by trust; used by one task."""

  def __init__(self, reader, writer):
    self.reader, self.writer = reader, writer
    self.framer = wire.Framer(from_client=False)

  @classmethod
  async def open(cls, socket, database, user):
    """Raises Lost when the server is away, starting or recovering."""
    try:
      session = cls(*await asyncio.open_unix_connection(socket))
    except OSError as error:
      raise Lost(str(error)) from error
    try:
      await session.exchange(wire.start_message(user=user, database=database, application_name="torture"))
    except (Lost, Refused) as error:
      session.close()
      raise Lost(str(error)) from error
    return session

  async def query(self, sql):
    """The rows of one statement, values as text in bytes."""
    return await self.exchange(wire.message(wire.QUERY, sql.encode() + b"\0"))

  async def exchange(self, request):
    rows, refusal = [], None
    try:
      self.writer.write(request)
      await self.writer.drain()
      while received := await self.reader.read(RECEIVE_BYTES):
        for message in self.framer.feed(received):
          if message.type == wire.DATA_ROW:
            rows.append(wire.fields(message))
          elif message.type == wire.ERROR:
            refusal = wire.error_fields(message)
          elif message.type == wire.READY:
            if refusal:
              raise Refused(f"{refusal.get('C')} {refusal.get('M')}")
            return rows
    except OSError as error:
      raise Lost(str(error)) from error
    raise Lost(refusal.get("M") if refusal else "the server closed the session")

  def close(self):
    self.writer.transport.abort()
