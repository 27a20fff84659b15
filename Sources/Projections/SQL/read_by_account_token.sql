-- The packed facts of all lines of some customers, and the position they stand at: one snapshot.
-- $1 smallint — environment; $2 text[] — app account tokens, lower case
-- Returns at least one row for each key: position, the key's number from 1, consent, facts of a line, position of the
-- newest catalog
SELECT c.position, k.ordinal, s.rescinded_at, l.facts, c.catalog
FROM projection.cursors c
CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS k (key, ordinal)
LEFT JOIN projection.lines l ON l.environment = $1 AND l.app_account_token = k.key
LEFT JOIN projection.consents s ON s.environment = $1 AND s.app_transaction_id = l.app_transaction_id
WHERE c.name = 'facts'
