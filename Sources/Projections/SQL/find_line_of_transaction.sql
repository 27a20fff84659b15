-- The line of a transaction.
-- $1 smallint — environment; $2 text — transaction id
-- Returns: text, the original transaction id
SELECT t.original_transaction_id FROM projection.transaction_lines t WHERE t.environment = $1 AND t.transaction_id = $2
