-- Events in order of position, without gaps.
-- $1 bigint — after this position; $2 bigint — at most this many
-- Returns the columns of StoredEvent, in its order
SELECT e.position, e.recorded_at, e.signed_at, e.caused_by, e.header_id, e.kind, e.environment, e.source,
  e.notification_id, e.app_account_token, e.bundle_id, e.notification_type, e.subtype, e.transaction_id,
  e.original_transaction_id, e.app_transaction_id, e.digest, e.inner_offsets, e.inner_positions, e.signature,
  e.payload, e.received
FROM ledger.events e
WHERE e.position > $1
ORDER BY e.position
LIMIT $2
