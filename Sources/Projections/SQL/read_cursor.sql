-- How far a projection has folded the log.
-- $1 text — the projection
-- Returns: bigint
SELECT c.position FROM projection.cursors c WHERE c.name = $1
