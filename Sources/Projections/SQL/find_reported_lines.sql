-- The lines that reports of used units mark: those that they name, and those on which a customer's key that they name was
-- ever seen. Parts, because each is a descent of an index of its own.
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
