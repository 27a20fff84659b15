-- When an event was recorded.
-- $1 bigint — its position
-- Returns: bigint
SELECT e.recorded_at FROM ledger.events e WHERE e.position = $1
