-- How far a projection has folded the log.
-- $1 text — the projection
-- Returns: bigint; bigint, the position of the newest catalog that it has folded, 0 for none; boolean, whether it holds
-- reports of used units; smallint, the shape of the tables
SELECT c.position, c.catalog, EXISTS (SELECT FROM projection.usages), c.shape FROM projection.cursors c WHERE c.name = $1
