-- The lines that a customer's key was ever seen on.
-- $1 smallint — environment; $2 smallint — kind of key; $3 text — the key
-- Returns: text, the original transaction id
SELECT k.original_transaction_id FROM projection.line_keys k
WHERE k.environment = $1 AND k.kind = $2 AND k.value = $3
ORDER BY k.original_transaction_id
