-- The lines that reports of used units are about. Parts, because each is a descent of an index of its own.
-- $1 smallint[] — environments; $2 smallint[] — kinds of holders; $3 text[] — holders
-- Returns: environment, original transaction id
SELECT k.environment, l.original_transaction_id
FROM unnest($1::smallint[], $2::smallint[], $3::text[]) AS k (environment, kind, holder)
JOIN projection.line_keys l ON l.value = k.holder AND l.kind = k.kind AND l.environment = k.environment
UNION ALL
SELECT k.environment, l.original_transaction_id
FROM unnest($1::smallint[], $2::smallint[], $3::text[]) AS k (environment, kind, holder)
JOIN projection.lines l ON l.environment = k.environment AND l.original_transaction_id = k.holder
WHERE k.kind = 3
UNION ALL
SELECT k.environment, t.original_transaction_id
FROM unnest($1::smallint[], $2::smallint[], $3::text[]) AS k (environment, kind, holder)
JOIN projection.transaction_lines t ON t.transaction_id = k.holder AND t.environment = k.environment
WHERE k.kind = 4
