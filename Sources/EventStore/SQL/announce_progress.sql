-- Tells the other daemons how far the log has come; in a transaction of its own, after the commit of what it announces.
-- $1 text — the channel; $2 text — the last position, in decimal digits
-- Returns one row of nothing
SELECT pg_notify($1, $2)
