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
