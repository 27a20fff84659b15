-- The first position up to which the log has a hole.
-- $1 bigint — up to this position
-- Returns: bigint; no row when all are there
SELECT p.position FROM generate_series(1, $1) AS p (position)
WHERE NOT EXISTS (SELECT FROM ledger.events e WHERE e.position = p.position)
ORDER BY p.position
LIMIT 1
