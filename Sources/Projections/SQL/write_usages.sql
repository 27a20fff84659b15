-- Remembers whom reports of used units name; known ones stay.
-- $1 smallint[] — environments; $2 smallint[] — kinds of holders; $3 text[] — holders; $4 text[] — the reporters' keys
-- $5 bigint[] — positions
INSERT INTO projection.usages (environment, holder_kind, holder, idempotency_key, position)
SELECT * FROM unnest($1::smallint[], $2::smallint[], $3::text[], $4::text[], $5::bigint[])
ON CONFLICT DO NOTHING
