-- All entries of some transactions that were believed at a position, in the order of their signing.
-- $1 smallint — environment; $2 text[] — transaction ids; $3 bigint — position
-- Returns: date, known_from, known_to, entry
SELECT e.happened_at, e.known_from, e.known_to, e.entry
FROM projection.register_entries e
WHERE e.transaction_id = ANY ($2) AND e.environment = $1
  AND e.known_from <= $3 AND (e.known_to IS NULL OR e.known_to > $3)
ORDER BY e.transaction_id, e.signed_at, e.kind, e.known_from
