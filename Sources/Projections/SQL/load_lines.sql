-- What is held of some lines.
-- $1 smallint[] — environments; $2 text[] — original transaction ids beside them
-- Returns: environment, facts
SELECT l.environment, l.facts
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.lines l ON l.environment = k.environment AND l.original_transaction_id = k.id
