-- Whether the log has a transaction of a line.
-- $1 smallint — environment; $2 text — original transaction id
-- Returns one row: boolean
SELECT EXISTS (
  SELECT FROM ledger.events e
  WHERE e.original_transaction_id = $2 AND e.environment = $1 AND e.kind = 2)
