-- When the transactions of some lines were first recorded.
-- $1 smallint — environment; $2 text[] — original transaction ids
-- Returns: original transaction id, transaction id, position, recorded_at
SELECT e.original_transaction_id, e.transaction_id, min(e.position), min(e.recorded_at)
-- OFFSET 0 keeps the other conditions out of the choice of the index (decision 3).
FROM (SELECT * FROM ledger.events l WHERE l.original_transaction_id = ANY ($2) OFFSET 0) e
WHERE e.environment = $1 AND e.kind = 2 AND e.transaction_id IS NOT NULL
GROUP BY e.original_transaction_id, e.transaction_id
