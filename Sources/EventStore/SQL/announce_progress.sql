-- Tells the other daemons how far the log has come; in a transaction of its own, after the commit of what it announces.
-- $1 text — the last position
-- Returns one row of nothing
SELECT pg_notify('ledger_progress', $1)
