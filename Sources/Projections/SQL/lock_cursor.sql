-- Locks a projection's cursor; no row when another follower holds it.
-- $1 text — the projection
-- Returns: bigint, the position it has folded
SELECT c.position FROM projection.cursors c WHERE c.name = $1 FOR UPDATE SKIP LOCKED
