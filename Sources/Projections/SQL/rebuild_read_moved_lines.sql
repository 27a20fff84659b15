-- The events of the lines that a transaction moved between, in the order of the log.
-- $1 bigint — after this position; $2 bigint — up to this position; $3 bigint — at most this many
-- Returns the columns of StoredEvent, in its order
SELECT e.position, e.recorded_at, e.signed_at, e.caused_by, e.header_id, e.kind, e.environment, e.source,
  e.notification_id, e.app_account_token, e.bundle_id, e.notification_type, e.subtype, e.transaction_id,
  e.original_transaction_id, e.app_transaction_id, e.digest, e.inner_offsets, e.inner_positions, e.signature,
  e.payload, e.received
FROM projection_rebuild.moved_lines m
JOIN ledger.events e ON e.original_transaction_id = m.original_transaction_id
WHERE e.position > $1 AND e.position <= $2
ORDER BY e.position
LIMIT $3
