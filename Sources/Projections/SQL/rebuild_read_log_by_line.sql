-- Opens a cursor over a part of the log, line by line, and in the order of the log within each: without the lines that a
-- transaction moved between. Documents about a customer and no line are grouped by the customer.
-- $1 bigint — up to this position; $2 integer — which part, from 0; $3 integer — of so many
-- Returns the columns of StoredEvent, in its order, null where a fold does not look; text, what the event is grouped by
DECLARE log_by_line NO SCROLL CURSOR FOR
SELECT e.position, e.recorded_at, e.signed_at, NULL::bigint, NULL::integer, e.kind, e.environment, e.source,
  NULL::uuid, NULL::uuid, NULL::text, e.notification_type, NULL::text, e.transaction_id, e.original_transaction_id,
  e.app_transaction_id, e.digest, NULL::integer[], NULL::bigint[], NULL::bytea, e.payload, NULL::bytea, g.key
FROM ledger.events e
CROSS JOIN LATERAL (
  SELECT CASE WHEN e.kind = 4 THEN e.app_transaction_id ELSE coalesce(e.original_transaction_id, e.app_transaction_id)
    END AS key) g
WHERE e.position <= $1 AND (hashtext(coalesce(g.key, '')) & 2147483647) % $3 = $2
  AND NOT EXISTS (
    SELECT FROM projection_rebuild.moved_lines m WHERE m.original_transaction_id = e.original_transaction_id)
ORDER BY g.key, e.position
