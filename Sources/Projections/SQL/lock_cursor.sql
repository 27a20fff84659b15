-- Locks a projection's cursor; no row when another follower holds it.
-- $1 text — the projection
-- Returns: bigint, the position it has folded; boolean, whether it holds reports of used units
SELECT c.position, EXISTS (SELECT FROM projection.usages) FROM projection.cursors c WHERE c.name = $1
FOR UPDATE SKIP LOCKED
