"""The frontend/backend protocol of PostgreSQL, version 3, as far as it must be understood to cut it where it hurts.

Framing is chapter 55.2.1 of the PostgreSQL 15 manual: a type byte and a length that counts itself, except that the
first message of a client has no type byte.
"""

import dataclasses
import struct

# An append of 8 MB is the largest message that a daemon sends (LedgerWriter.Limits.batchBytesMax), before encoding.
MESSAGE_BYTES_MAX = 256 << 20

PARSE, BIND, SYNC, QUERY = b"P", b"B", b"S", b"Q"
DATA_ROW, COMMAND_COMPLETE, ERROR, READY, KEY_DATA, AUTHENTICATION = b"D", b"C", b"E", b"Z", b"K", b"R"
# The type of the first message of a client, which has none.
START = b""

FLUSH_MESSAGE = b"H\0\0\0\4"


class BadFrame(Exception):
  """What came cannot be a message of the protocol."""


@dataclasses.dataclass(frozen=True)
class Message:
  """One message: its type byte, and all of its bytes as they came."""

  type: bytes
  bytes: bytes

  @property
  def body(self):
    return self.bytes[len(self.type) + 4:]


class Framer:
  """Cuts a stream that arrives in pieces into messages; one for each direction of a connection."""

  def __init__(self, from_client):
    self.buffer = bytearray()
    self.awaits_start = from_client

  def feed(self, received):
    """Adds what was received; the messages that are complete."""
    self.buffer += received
    messages, start = [], 0
    while (message := self.next_at(start)) is not None:
      messages.append(message)
      start += len(message.bytes)
    del self.buffer[:start]
    return messages

  def next_at(self, start):
    type_bytes = 0 if self.awaits_start else 1
    if len(self.buffer) - start < type_bytes + 4:
      return None
    length, = struct.unpack_from("!I", self.buffer, start + type_bytes)
    if not 4 <= length <= MESSAGE_BYTES_MAX:
      raise BadFrame(f"a message of {length} bytes; 4 to {MESSAGE_BYTES_MAX} are possible")
    end = start + type_bytes + length
    if len(self.buffer) < end:
      return None
    self.awaits_start = False
    return Message(bytes(self.buffer[start:start + type_bytes]), bytes(self.buffer[start:end]))


def message(kind, body):
  return kind + struct.pack("!I", len(body) + 4) + body


def start_message(**parameters):
  """What a client says first: the version of the protocol and who it is."""
  words = b"".join(name.encode() + b"\0" + value.encode() + b"\0" for name, value in parameters.items())
  return message(START, struct.pack("!I", 3 << 16) + words + b"\0")


def parsed_statement(parse):
  """Name and SQL of the statement in a Parse message."""
  name, sql, _ = parse.body.split(b"\0", 2)
  return name, sql


def bound_statement(bind):
  """The name of the statement in a Bind message, without copying the parameters behind it."""
  portal_end = bind.bytes.index(b"\0", 5)
  return bind.bytes[portal_end + 1:bind.bytes.index(b"\0", portal_end + 1)]


def process_of(key_data):
  """The process that serves the session, from its BackendKeyData."""
  return struct.unpack_from("!I", key_data.body)[0]


def fields(row):
  """The values of a DataRow as bytes, None where NULL."""
  body, values, at = row.body, [], 2
  for _ in range(struct.unpack_from("!H", body)[0]):
    length, = struct.unpack_from("!i", body, at)
    at += 4
    values.append(None if length < 0 else body[at:at + length])
    at += max(length, 0)
  return values


def error_fields(error):
  """The fields of an ErrorResponse by their letter: C is the SQLSTATE, M the sentence."""
  return {text[:1].decode(): text[1:].decode(errors="replace") for text in error.body.split(b"\0") if text}
