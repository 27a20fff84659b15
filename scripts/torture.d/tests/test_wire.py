"""Messages come out of the stream whole and unchanged, however it was cut."""

import random
import unittest

import wire

SEED = 20_260_101

PARSE = wire.message(wire.PARSE, b"append\0SELECT 1 FROM ledger.append($1)\0\0\1\0\0\0\x17")
BIND = wire.message(wire.BIND, b"portal\0append\0\0\1\0\1\0\1\0\0\0\4\0\0\0\7\0\1\0\1")
SYNC = wire.message(wire.SYNC, b"")


def row(*values):
  body = len(values).to_bytes(2, "big")
  for value in values:
    body += b"\xff\xff\xff\xff" if value is None else len(value).to_bytes(4, "big") + value
  return wire.message(wire.DATA_ROW, body)


class FramerTests(unittest.TestCase):
  def frame(self, pieces, from_client=True):
    framer = wire.Framer(from_client)
    return [message for piece in pieces for message in framer.feed(piece)]

  def test_the_first_message_of_a_client_has_no_type(self):
    start = wire.start_message(user="somebody", database="ledger")
    messages = self.frame([start + SYNC])
    self.assertEqual([message.type for message in messages], [wire.START, wire.SYNC])
    self.assertEqual(messages[0].bytes, start)

  def test_the_first_message_of_a_server_has_a_type(self):
    messages = self.frame([wire.message(wire.AUTHENTICATION, b"\0\0\0\0")], from_client=False)
    self.assertEqual([(message.type, message.body) for message in messages], [(wire.AUTHENTICATION, b"\0\0\0\0")])

  def test_any_cut_into_pieces_gives_the_same_messages(self):
    stream = wire.start_message(user="somebody") + PARSE + BIND + SYNC + wire.message(wire.QUERY, b"x" * 5_000)
    whole = self.frame([stream])
    self.assertEqual(len(whole), 5)
    for seed in range(SEED, SEED + 50):
      with self.subTest(seed=seed):
        generator = random.Random(seed)
        cuts = sorted(generator.choices(range(len(stream) + 1), k=generator.randrange(1, 20)))
        pieces = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)])]
        self.assertEqual(self.frame(pieces), whole)
    self.assertEqual(self.frame([bytes([byte]) for byte in stream]), whole)

  def test_what_was_forwarded_is_what_came(self):
    stream = wire.start_message(user="somebody") + PARSE + BIND + SYNC
    self.assertEqual(b"".join(message.bytes for message in self.frame([stream])), stream)

  def test_a_message_that_is_not_complete_is_waited_for(self):
    framer = wire.Framer(from_client=False)
    self.assertEqual(framer.feed(PARSE[:-1]), [])
    self.assertEqual([message.bytes for message in framer.feed(PARSE[-1:])], [PARSE])

  def test_a_length_that_cannot_be_is_refused(self):
    for length in (0, 3, wire.MESSAGE_BYTES_MAX + 1):
      with self.subTest(length=length), self.assertRaises(wire.BadFrame):
        wire.Framer(from_client=False).feed(b"Z" + length.to_bytes(4, "big"))


class MessageTests(unittest.TestCase):
  def test_the_statement_of_a_parse(self):
    name, sql = wire.parsed_statement(wire.Message(wire.PARSE, PARSE))
    self.assertEqual((name, sql), (b"append", b"SELECT 1 FROM ledger.append($1)"))

  def test_the_statement_of_a_bind(self):
    self.assertEqual(wire.bound_statement(wire.Message(wire.BIND, BIND)), b"append")

  def test_the_unnamed_statement_and_portal_of_a_bind(self):
    bind = wire.message(wire.BIND, b"\0\0\0\0\0\0\0\0")
    self.assertEqual(wire.bound_statement(wire.Message(wire.BIND, bind)), b"")

  def test_the_fields_of_a_row(self):
    values = [b"one", None, b""]
    self.assertEqual(wire.fields(wire.Message(wire.DATA_ROW, row(*values))), values)

  def test_the_process_of_a_session(self):
    key = wire.message(wire.KEY_DATA, (4711).to_bytes(4, "big") + b"\1\2\3\4")
    self.assertEqual(wire.process_of(wire.Message(wire.KEY_DATA, key)), 4711)

  def test_the_fields_of_an_error(self):
    error = wire.message(wire.ERROR, b"SFATAL\0C57P01\0Mterminating\0\0")
    self.assertEqual(wire.error_fields(wire.Message(wire.ERROR, error)), {"S": "FATAL", "C": "57P01", "M": "terminating"})


if __name__ == "__main__":
  unittest.main()
