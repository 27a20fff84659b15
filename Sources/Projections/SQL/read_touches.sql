-- What the events after a position name, up to where the projection stands: one snapshot of both (decision 14).
-- $1 bigint — after this position; $2 bigint — at most so many positions further
-- Returns at least one row: the cursor's position, the identity of its table; of an event, or null: position, kind,
-- environment, transaction id, original transaction id, app transaction id, app account token; app transaction id and
-- app account token of its line now
SELECT c.position, c.tableoid::bigint, e.position, e.kind, e.environment, e.transaction_id, e.original_transaction_id,
  e.app_transaction_id, e.app_account_token, l.app_transaction_id, l.app_account_token
FROM projection.cursors c
LEFT JOIN ledger.events e ON e.position > $1 AND e.position <= least(c.position, $1 + $2)
LEFT JOIN projection.lines l ON l.environment = e.environment AND l.original_transaction_id = e.original_transaction_id
WHERE c.name = 'facts'
UNION ALL
-- A report of used units about a customer is about every line that the customer's key was ever seen on.
SELECT c.position, c.tableoid::bigint, e.position, e.kind, e.environment, NULL, k.original_transaction_id,
  NULL, NULL::uuid, NULL, NULL
FROM projection.cursors c
JOIN ledger.events e ON e.position > $1 AND e.position <= least(c.position, $1 + $2) AND e.kind = 7
CROSS JOIN LATERAL (
  VALUES (1::smallint, e.app_transaction_id), (2::smallint, e.app_account_token::text)) AS holder (kind, value)
JOIN projection.line_keys k ON k.value = holder.value AND k.kind = holder.kind AND k.environment = e.environment
WHERE c.name = 'facts'
