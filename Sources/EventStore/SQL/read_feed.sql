-- A page of the feed: events after a position in order, those that pass a filter; key columns only.
-- $1 bigint — after this position; $2 bigint — up to this position; $3 bigint — at most this many
-- $4 smallint — kind, or null; $5 smallint — environment, or null; $6 text — transaction id, or null
-- $7 text — app transaction id, or null; $8 uuid — app account token, or null
-- Returns: position, kind, environment, bundle_id, recorded_at, signed_at, source, notification_type, subtype,
-- notification_id, transaction_id, original_transaction_id, app_transaction_id, caused_by
SELECT e.position, e.kind, e.environment, e.bundle_id, e.recorded_at, e.signed_at, e.source, e.notification_type,
  e.subtype, e.notification_id, e.transaction_id, e.original_transaction_id, e.app_transaction_id, e.caused_by
FROM ledger.events e
WHERE e.position > $1 AND e.position <= $2
  AND ($4::smallint IS NULL OR e.kind = $4)
  AND ($5::smallint IS NULL OR e.environment = $5)
  AND ($6::text IS NULL OR e.transaction_id = $6)
  AND ($7::text IS NULL OR e.app_transaction_id = $7)
  AND ($8::uuid IS NULL OR e.app_account_token = $8)
ORDER BY e.position
LIMIT $3
