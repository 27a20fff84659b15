-- When the transactions of some lines were first recorded.
-- $1 smallint — environment; $2 text[] — original transaction ids
-- Returns: original transaction id, transaction id, position, recorded_at
SELECT e.original_transaction_id, e.transaction_id, min(e.position), min(e.recorded_at)
FROM ledger.events e
WHERE e.original_transaction_id = ANY ($2) AND e.environment = $1 AND e.kind = 2 AND e.transaction_id IS NOT NULL
GROUP BY e.original_transaction_id, e.transaction_id
