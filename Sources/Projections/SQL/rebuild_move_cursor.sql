-- Puts the cursor of the new tables where the fold of the log has come, with the newest catalog up to there.
-- $1 text — the projection; $2 bigint — the position; $3 smallint — the shape of what was folded
UPDATE projection_next.cursors SET position = $2, shape = $3,
  catalog = coalesce((SELECT max(e.position) FROM ledger.events e WHERE e.kind = 6 AND e.position <= $2), 0)
WHERE name = $1
