-- Those of some keys that held reports of used units name.
-- $1 smallint[] — environments; $2 smallint[] — kinds of holders; $3 text[] — the keys; $4 text[] — the lines that they
-- mark, null beside a transaction
-- Returns: environment; original transaction id, or null; transaction id where that is null
SELECT k.environment, k.line, k.holder
FROM unnest($1::smallint[], $2::smallint[], $3::text[], $4::text[]) AS k (environment, kind, holder, line)
WHERE EXISTS (
  SELECT FROM projection.usages u
  WHERE u.holder = k.holder AND u.holder_kind = k.kind AND u.environment = k.environment)
