-- How far a projection has folded the log.
-- $1 text — the projection
-- Returns: bigint; bigint, the position of the newest catalog that it has folded, 0 for none
SELECT c.position, c.catalog FROM projection.cursors c WHERE c.name = $1
