-- Records a report of used units unless its key is taken; see ledger.append_usage.
-- $1 smallint — environment; $2 text — the reporter's key; $3 bytea — digest of the payload; $4 bytea — the payload
-- $5 text, $6 text, $7 text, $8 uuid — whom it names, the others null: transaction id, original transaction id, app
-- transaction id, app account token
-- Returns one row: bigint, the event that stands for it; smallint, the outcome
SELECT event_position, outcome FROM ledger.append_usage($1, $2, $3, $4, $5, $6, $7, $8)
