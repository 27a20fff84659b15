-- The versions of the catalog after a position, in order.
-- $1 bigint — after this position
-- Returns: position, recorded_at, payload
SELECT e.position, e.recorded_at, e.payload FROM ledger.events e WHERE e.kind = 6 AND e.position > $1 ORDER BY e.position
