-- Requests for a refund about some lines, else as find_refund_requests.sql. Lines are what they are found by, so the
-- date is an expression, which no index fits.
-- $1 smallint — environment; $2 bigint, $3 bigint — from, and up to but without; $4 bigint — recorded up to this position
-- $5 bigint — signed by; $6 text — app, where it is not null; $7 bigint, $8 bigint — after this date and position
-- $9 bigint — at most this many; $10 text[] — original transaction ids; $11 text — transaction id, where it is not null
-- Returns: date, position
SELECT e.recorded_at, e.position
-- OFFSET 0 keeps the other conditions out of the choice of the index (decision 3).
FROM (SELECT * FROM ledger.events l WHERE l.original_transaction_id = ANY ($10) OFFSET 0) e
WHERE e.kind = 1 AND e.notification_type = 'CONSUMPTION_REQUEST' AND e.environment = $1 AND ($11::text IS NULL OR e.transaction_id = $11)
  AND e.recorded_at + 0 >= $2 AND e.recorded_at + 0 < $3 AND e.position <= $4 AND e.signed_at <= $5
  AND ($6::text IS NULL OR e.bundle_id = $6) AND (e.recorded_at + 0, e.position) > ($7, $8)
ORDER BY e.recorded_at + 0, e.position
LIMIT $9
