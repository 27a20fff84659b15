-- The head: the last position, and when it was recorded.
-- Returns one row: bigint, bigint
SELECT h.position, h.recorded_at FROM ledger.head h
