-- The packed facts of all lines of many customers, and the position they stand at: one statement, so one snapshot. A
-- branch for each kind of key, because each is a descent of an index of its own; the first one gives the position even
-- where no key is asked for.
-- $1 smallint — environment; then for each kind of key text[] — the keys, and bigint[] — their numbers from 1:
-- $2 and $3 app transaction ids, $4 and $5 original transaction ids, $6 and $7 app account tokens (lower case),
-- $8 and $9 transaction ids
-- Returns the columns of read_by_line.sql: a row with the number 0, then at least one row for each key
SELECT c.position, 0::bigint, NULL::bigint, NULL::bytea, c.catalog
FROM projection.cursors c
WHERE c.name = 'facts'
UNION ALL
SELECT c.position, k.number, s.rescinded_at, l.facts, c.catalog
FROM projection.cursors c
CROSS JOIN unnest($2::text[], $3::bigint[]) AS k (key, number)
LEFT JOIN projection.lines l ON l.environment = $1 AND l.app_transaction_id = k.key
LEFT JOIN projection.consents s ON s.environment = $1 AND s.app_transaction_id = k.key
WHERE c.name = 'facts'
UNION ALL
SELECT c.position, k.number, s.rescinded_at, l.facts, c.catalog
FROM projection.cursors c
CROSS JOIN unnest($4::text[], $5::bigint[]) AS k (key, number)
LEFT JOIN projection.lines l ON l.environment = $1 AND l.original_transaction_id = k.key
LEFT JOIN projection.consents s ON s.environment = $1 AND s.app_transaction_id = l.app_transaction_id
WHERE c.name = 'facts'
UNION ALL
SELECT c.position, k.number, s.rescinded_at, l.facts, c.catalog
FROM projection.cursors c
CROSS JOIN unnest($6::text[], $7::bigint[]) AS k (key, number)
LEFT JOIN projection.lines l ON l.environment = $1 AND l.app_account_token = k.key
LEFT JOIN projection.consents s ON s.environment = $1 AND s.app_transaction_id = l.app_transaction_id
WHERE c.name = 'facts'
UNION ALL
SELECT c.position, k.number, s.rescinded_at, l.facts, c.catalog
FROM projection.cursors c
CROSS JOIN unnest($8::text[], $9::bigint[]) AS k (key, number)
LEFT JOIN projection.transaction_lines asked ON asked.environment = $1 AND asked.transaction_id = k.key
LEFT JOIN projection.lines l
  ON l.environment = $1 AND l.original_transaction_id = asked.original_transaction_id
LEFT JOIN projection.consents s ON s.environment = $1 AND s.app_transaction_id = l.app_transaction_id
WHERE c.name = 'facts'
