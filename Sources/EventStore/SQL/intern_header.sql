-- The number of a header segment, a new one if it was never seen.
-- $1 text — the header segment, base64url
-- Returns one row: integer
SELECT ledger.intern_header($1)
