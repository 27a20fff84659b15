"""Ledgers that are broken on purpose: a torture that does not catch each of them proves nothing.

Nothing of the product is changed: ledger.append is replaced in the private database of the run, and one variant needs
the proxy. Each patch is applied to the function as it stands; one that no longer fits is an error, not a silent pass.
"""

import dataclasses

import checker
import harness

# The first statement of the function's body, and what makes its commit return before it is durable.
BEGIN = "\nBEGIN\n"
ASYNCHRONOUS = BEGIN + "  PERFORM set_config('synchronous_commit', 'off', true);\n"

LOCK = "SELECT * INTO STRICT head FROM ledger.head FOR UPDATE;"
# As good as numbers from a sequence can be: a batch gets neighbouring ones. They are given out before the commit.
FROM_SEQUENCE = """SELECT * INTO STRICT head FROM ledger.head;
  PERFORM pg_advisory_lock(1);
  head.position := nextval('ledger.broken_positions') - 1;
  PERFORM setval('ledger.broken_positions', greatest(1, head.position + coalesce(array_length(kinds, 1), 0)));
  PERFORM pg_advisory_unlock(1);"""
MOVE = "UPDATE ledger.head SET position = head_position,"
MOVE_UP = "UPDATE ledger.head SET position = greatest(ledger.head.position, head_position),"


@dataclasses.dataclass(frozen=True)
class Variant:
  """What is replaced in ledger.append, what is run before, and whether the proxy adds a barrier where events are new.

  shows_as: the finding without which the variant was not caught, whatever else went wrong.
  """

  summary: str
  shows_as: checker.Fault
  replacements: tuple
  preparation: str = ""
  barrier_when_new: bool = False


VARIANTS = {
  "acknowledge-before-commit": Variant(
    "an append is acknowledged before its commit is durable", checker.Fault.LOST,
    ((BEGIN, ASYNCHRONOUS),)),
  "positions-from-a-sequence": Variant(
    "positions are drawn from a sequence, not from the locked head row", checker.Fault.HOLE,
    ((LOCK, FROM_SEQUENCE), (MOVE, MOVE_UP)),
    "CREATE SEQUENCE ledger.broken_positions; ALTER SEQUENCE ledger.broken_positions OWNER TO ledger_owner;"),
  "no-barrier-for-duplicates": Variant(
    "early release whose barrier is left out where a batch holds nothing but duplicates", checker.Fault.LOST,
    ((BEGIN, ASYNCHRONOUS),),
    barrier_when_new=True),
}


async def apply(variant, cluster):
  """Breaks the ledger of the cluster's database."""
  (definition,), = await cluster.query("SELECT pg_get_functiondef('ledger.append'::regproc)")
  text = definition.decode()
  for old, new in variant.replacements:
    if old not in text:
      raise harness.Failure(f"the broken variant does not fit any more: ledger.append does not hold {old.strip()!r}")
    text = text.replace(old, new)
  await cluster.query(f"{variant.preparation}\n{text}")
