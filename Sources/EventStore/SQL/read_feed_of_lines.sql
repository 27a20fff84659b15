-- A page of the feed about some lines and one customer. Two halves, because each is one descent of an index of its own.
-- $1 bigint — after this position; $2 bigint — up to this position; $3 bigint — at most this many
-- $4 smallint — kind, or null; $5 smallint — environment, or null
-- $6 text — transaction id, or null; $7 text — app transaction id, or null; $8 uuid — app account token, or null
-- $9 text[] — original transaction ids; $10 text — app transaction id of events without a line, or null
-- Returns the columns of read_feed.sql
SELECT e.position, e.kind, e.environment, e.bundle_id, e.recorded_at, e.signed_at, e.source, e.notification_type,
  e.subtype, e.notification_id, e.transaction_id, e.original_transaction_id, e.app_transaction_id, e.caused_by
FROM ledger.events e
WHERE e.position > $1 AND e.position <= $2
  AND ($4::smallint IS NULL OR e.kind = $4)
  AND ($5::smallint IS NULL OR e.environment = $5)
  AND ($6::text IS NULL OR e.transaction_id = $6)
  AND ($7::text IS NULL OR e.app_transaction_id = $7)
  AND ($8::uuid IS NULL OR e.app_account_token = $8)
  AND e.original_transaction_id = ANY ($9)
UNION ALL
SELECT e.position, e.kind, e.environment, e.bundle_id, e.recorded_at, e.signed_at, e.source, e.notification_type,
  e.subtype, e.notification_id, e.transaction_id, e.original_transaction_id, e.app_transaction_id, e.caused_by
FROM ledger.events e
WHERE e.position > $1 AND e.position <= $2
  AND ($4::smallint IS NULL OR e.kind = $4)
  AND ($5::smallint IS NULL OR e.environment = $5)
  AND ($6::text IS NULL OR e.transaction_id = $6)
  AND ($7::text IS NULL OR e.app_transaction_id = $7)
  AND ($8::uuid IS NULL OR e.app_account_token = $8)
  AND e.original_transaction_id IS NULL AND e.app_transaction_id = $10
ORDER BY 1
LIMIT $3
