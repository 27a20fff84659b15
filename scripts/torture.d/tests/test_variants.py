"""The patches that break a ledger on purpose fit the function as the migrations make it."""

import unittest

import harness
import variants

MIGRATIONS = "".join(path.read_text() for path in sorted((harness.ROOT / "migrations").glob("*.sql")))


class Database:
  """Takes the place of the private database: holds ledger.append, and keeps what replaces it."""

  def __init__(self, definition):
    self.definition = definition
    self.replaced = None

  async def query(self, sql):
    if "pg_get_functiondef" in sql:
      return [(self.definition.encode(),)]
    self.replaced = sql
    return []


def definition_of_append():
  """The last definition of ledger.append in the migrations."""
  return MIGRATIONS[MIGRATIONS.rindex("FUNCTION ledger.append("):].split("\n$$;", 1)[0]


class VariantTests(unittest.IsolatedAsyncioTestCase):
  async def test_every_patch_fits_and_changes_the_function(self):
    for name, variant in variants.VARIANTS.items():
      with self.subTest(variant=name):
        database = Database(definition_of_append())
        await variants.apply(variant, database)
        for _, new in variant.replacements:
          self.assertIn(new, database.replaced)
        self.assertNotIn(definition_of_append(), database.replaced)

  async def test_a_patch_that_does_not_fit_any_more_is_an_error(self):
    for name, variant in variants.VARIANTS.items():
      with self.subTest(variant=name), self.assertRaisesRegex(harness.Failure, "does not fit any more"):
        await variants.apply(variant, Database("CREATE FUNCTION ledger.append() AS $$ SELECT 1 $$"))


if __name__ == "__main__":
  unittest.main()
