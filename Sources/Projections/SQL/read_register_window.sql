-- Entries of the registers in a window of time, believed at a position, in order of their date: by when they happened,
-- or by another column that takes the place of e.happened_at.
-- $1 smallint — environment; $2 text[] — kinds of entries; $3 bigint, $4 bigint — from, and up to but without
-- $5 bigint — believed at this position; $6 bigint — and not believed at this one, where it is not null
-- $7 text, $8 text, $9 text — currency, product and app, where they are not null; $10 bigint — signed by
-- $11 bigint, $12 text, $13 bigint, $14 text, $15 bigint — after the entry of this date, transaction, signing, kind
-- and known_from; $16 bigint — at most this many
-- Returns: date, known_from, known_to, entry
SELECT e.happened_at, e.known_from, e.known_to, e.entry
FROM projection.register_entries e
WHERE e.environment = $1 AND e.happened_at >= $3 AND e.happened_at < $4 AND e.kind = ANY ($2)
  AND e.known_from <= $5 AND (e.known_to IS NULL OR e.known_to > $5)
  AND ($6::bigint IS NULL OR e.known_from > $6 OR e.known_to <= $6)
  AND ($7::text IS NULL OR e.currency = $7) AND ($8::text IS NULL OR e.product_id = $8)
  AND ($9::text IS NULL OR e.bundle_id = $9) AND e.signed_at <= $10
  AND (e.happened_at, e.transaction_id, e.signed_at, e.kind, e.known_from) > ($11, $12, $13, $14, $15)
ORDER BY e.happened_at, e.transaction_id, e.signed_at, e.kind, e.known_from
LIMIT $16
