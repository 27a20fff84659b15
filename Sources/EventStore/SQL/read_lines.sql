-- All events about some lines or customers, oldest first: what a question about the past is folded from.
-- Parts, because each is one descent of an index of its own; OFFSET 0 keeps the planner from turning the look-ups of
-- reports round while its statistics say that there are none.
-- $1 smallint — environment; $2 text[] — original transaction ids; $3 text[] — app transaction ids, for documents
-- that belong to no line; $4 text[] — transaction ids, $5 uuid[] — app account tokens, for reports of used units
-- Returns the columns of StoredEvent, in its order; boolean, whether the log has any report of used units
SELECT e.position, e.recorded_at, e.signed_at, e.caused_by, e.header_id, e.kind, e.environment, e.source,
  e.notification_id, e.app_account_token, e.bundle_id, e.notification_type, e.subtype, e.transaction_id,
  e.original_transaction_id, e.app_transaction_id, e.digest, e.inner_offsets, e.inner_positions, e.signature,
  e.payload, e.received,
  EXISTS (SELECT FROM ledger.events u WHERE u.kind = 7 AND u.idempotency_key IS NOT NULL)
FROM (
  SELECT * FROM ledger.events l WHERE l.original_transaction_id = ANY ($2) AND l.environment = $1
  UNION ALL
  SELECT * FROM ledger.events c
  WHERE c.original_transaction_id IS NULL AND c.app_transaction_id = ANY ($3) AND c.environment = $1
  UNION ALL
  SELECT t.* FROM unnest($4::text[]) AS k (id)
  CROSS JOIN LATERAL (
    SELECT * FROM ledger.events u WHERE u.kind = 7 AND u.transaction_id = k.id AND u.environment = $1 OFFSET 0) t
  UNION ALL
  SELECT t.* FROM unnest($5::uuid[]) AS k (token)
  CROSS JOIN LATERAL (
    SELECT * FROM ledger.events u WHERE u.kind = 7 AND u.app_account_token = k.token AND u.environment = $1 OFFSET 0) t
) e
ORDER BY 1
