-- Appends a batch of units; see ledger.append. READ COMMITTED: the function's statements each take a new snapshot
-- behind the lock of the head row.
-- $1 integer[] — for each element the index of its unit's first, from 1
-- $2…$19 — its columns, in the order of ledger.append
-- Returns one row: positions bigint[], outcomes smallint[], head_position bigint, head_recorded_at bigint
SELECT positions, outcomes, head_position, head_recorded_at
FROM ledger.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
