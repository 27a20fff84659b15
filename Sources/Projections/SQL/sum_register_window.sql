-- The entries that read_register_window.sql finds, added up.
-- $1 smallint — environment; $2 text[] — kinds of entries; $3 bigint, $4 bigint — from, and up to but without
-- $5 bigint — believed at this position; $6 bigint — and not believed at this one, where it is not null
-- $7 text, $8 text, $9 text — currency, product and app, where they are not null; $10 bigint — signed by
-- Returns a row for each group: kind, revocation class, currency of known amounts, whether for a problem with the app,
-- entries, entries with a known amount, their sum as text
SELECT e.kind, e.revocation_class, CASE WHEN e.amount IS NOT NULL THEN e.currency END, e.is_app_problem,
  count(*), count(e.amount), coalesce(sum(e.amount), 0)::text
FROM projection.register_entries e
WHERE e.environment = $1 AND e.happened_at >= $3 AND e.happened_at < $4 AND e.kind = ANY ($2)
  AND e.known_from <= $5 AND (e.known_to IS NULL OR e.known_to > $5)
  AND ($6::bigint IS NULL OR e.known_from > $6 OR e.known_to <= $6)
  AND ($7::text IS NULL OR e.currency = $7) AND ($8::text IS NULL OR e.product_id = $8)
  AND ($9::text IS NULL OR e.bundle_id = $9) AND e.signed_at <= $10
GROUP BY 1, 2, 3, 4
