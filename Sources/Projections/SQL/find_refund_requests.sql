-- Requests for a refund in a window of time, in order of their date: of their recording, or of another column that takes
-- the place of e.recorded_at.
-- $1 smallint — environment; $2 bigint, $3 bigint — from, and up to but without; $4 bigint — recorded up to this position
-- $5 bigint — signed by; $6 text — app, where it is not null; $7 bigint, $8 bigint — after this date and position
-- $9 bigint — at most this many
-- Returns: date, position
SELECT e.recorded_at, e.position
FROM ledger.events e
WHERE e.kind = 1 AND e.notification_type = 'CONSUMPTION_REQUEST' AND e.environment = $1
  AND e.recorded_at >= $2 AND e.recorded_at < $3 AND e.position <= $4 AND e.signed_at <= $5
  AND ($6::text IS NULL OR e.bundle_id = $6) AND (e.recorded_at, e.position) > ($7, $8)
ORDER BY e.recorded_at, e.position
LIMIT $9
