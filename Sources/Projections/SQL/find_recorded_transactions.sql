-- Renderings of transactions that were recorded between two positions, in order.
-- $1 smallint — environment; $2 bigint — after this position; $3 bigint — up to this position; $4 bigint — at most this
-- many
-- Returns: position, transaction id, original transaction id
SELECT e.position, e.transaction_id, e.original_transaction_id
FROM ledger.events e
WHERE e.position > $2 AND e.position <= $3 AND e.kind = 2 AND e.environment = $1
  AND e.transaction_id IS NOT NULL AND e.original_transaction_id IS NOT NULL
ORDER BY e.position
LIMIT $4
