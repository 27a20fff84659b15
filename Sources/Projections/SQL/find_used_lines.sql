-- Those of some lines that held reports of used units are about.
-- $1 smallint[] — environments; $2 smallint[] — kinds of holders; $3 text[] — keys of the lines; $4 text[] — the lines
-- Returns: environment, original transaction id
SELECT k.environment, k.line
FROM unnest($1::smallint[], $2::smallint[], $3::text[], $4::text[]) AS k (environment, kind, holder, line)
WHERE EXISTS (
  SELECT FROM projection.usages u
  WHERE u.holder = k.holder AND u.holder_kind = k.kind AND u.environment = k.environment)
