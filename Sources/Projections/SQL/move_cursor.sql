-- Moves a locked cursor from where it was read; no row when it stands elsewhere.
-- $1 text — the projection; $2 bigint — from; $3 bigint — to
UPDATE projection.cursors SET position = $3 WHERE name = $1 AND position = $2
