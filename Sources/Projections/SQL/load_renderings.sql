-- The packed renderings of those of some transactions that have a row.
-- $1 smallint[] — environments; $2 text[] — transaction ids beside them
-- Returns: environment, transaction id, renderings
SELECT r.environment, r.transaction_id, r.renderings
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.register_renderings r ON r.transaction_id = k.id AND r.environment = k.environment
