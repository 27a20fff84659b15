-- Records a version of the catalog unless the last one recorded is the same; see ledger.append_catalog.
-- $1 bytea — digest of the payload; $2 bytea — the payload
-- Returns one row: bigint, the event that stands for it; boolean, whether it was recorded now
SELECT event_position, is_new FROM ledger.append_catalog($1, $2)
