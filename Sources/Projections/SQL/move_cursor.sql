-- Moves a locked cursor from where it was read; no row when it stands elsewhere.
-- $1 text — the projection; $2 bigint — from; $3 bigint — to; $4 bigint — the newest catalog between, or null
-- $5 smallint — the shape of what was folded
UPDATE projection.cursors SET position = $3, catalog = coalesce($4, catalog), shape = $5
WHERE name = $1 AND position = $2
