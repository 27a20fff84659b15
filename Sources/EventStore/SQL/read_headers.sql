-- Header segments by number.
-- $1 integer[] — the numbers
-- Returns: integer, text
SELECT h.header_id, h.segment FROM ledger.header_segments h WHERE h.header_id = ANY ($1)
