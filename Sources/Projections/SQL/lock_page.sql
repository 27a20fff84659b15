-- Locks a projection's cursor and reads the events behind it, in order of position; no row when another follower holds it.
-- The cursor that is locked may be newer than the snapshot that the events are read by: then some of them come later.
-- $1 text — the projection; $2 bigint — at most this many events
-- Returns at least one row for a locked cursor: the columns of StoredEvent, in its order, or nulls when there is no event;
-- bigint, the position that the cursor has folded; boolean, whether the tables hold reports of used units; smallint, their
-- shape
SELECT e.position, e.recorded_at, e.signed_at, e.caused_by, e.header_id, e.kind, e.environment, e.source,
  e.notification_id, e.app_account_token, e.bundle_id, e.notification_type, e.subtype, e.transaction_id,
  e.original_transaction_id, e.app_transaction_id, e.digest, e.inner_offsets, e.inner_positions, e.signature,
  e.payload, e.received, c.position, c.has_usages, c.shape
FROM (
  SELECT l.position, EXISTS (SELECT FROM projection.usages) AS has_usages, l.shape
  FROM projection.cursors l
  WHERE l.name = $1
  FOR UPDATE SKIP LOCKED
) c
LEFT JOIN LATERAL (
  SELECT * FROM ledger.events n WHERE n.position > c.position ORDER BY n.position LIMIT $2
) e ON true
ORDER BY e.position
