-- Transactions that were ever stated to be purchased in a window of time, in order of that date.
-- $1 smallint — environment; $2 bigint, $3 bigint — from, and up to but without
-- $4 bigint, $5 text, $6 text — after this date, transaction and line; $7 bigint — at most this many
-- Returns: date, transaction id, original transaction id
SELECT p.purchased_at, p.transaction_id, p.original_transaction_id
FROM projection.purchase_dates p
WHERE p.environment = $1 AND p.purchased_at >= $2 AND p.purchased_at < $3
  AND (p.purchased_at, p.transaction_id, p.original_transaction_id) > ($4, $5, $6)
ORDER BY p.purchased_at, p.transaction_id, p.original_transaction_id
LIMIT $7
