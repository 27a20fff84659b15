-- The renderings of some transactions that were recorded by a position, each under the line that it was in then.
-- $1 smallint[] — environments; $2 text[] — transaction ids beside them; $3 text[] — their lines
-- $4 bigint — up to this position
-- Returns the columns of StoredEvent, in its order
SELECT e.position, e.recorded_at, e.signed_at, e.caused_by, e.header_id, e.kind, e.environment, e.source,
  e.notification_id, e.app_account_token, e.bundle_id, e.notification_type, e.subtype, e.transaction_id,
  e.original_transaction_id, e.app_transaction_id, e.digest, e.inner_offsets, e.inner_positions, e.signature,
  e.payload, e.received
FROM unnest($1::smallint[], $2::text[], $3::text[]) AS k (environment, id, line)
-- One descent of events_line for each: planned as a join while the table is new and has no statistics, it would read
-- the whole of another index each time. OFFSET 0 keeps the other conditions out of the choice of the index (decision 3).
CROSS JOIN LATERAL (
  SELECT * FROM ledger.events l WHERE l.original_transaction_id = k.line AND l.position <= $4 OFFSET 0
) e
WHERE e.environment = k.environment AND e.transaction_id = k.id AND e.kind = 2
