-- What is held of the lines that a batch touches: those it names, and those that some transactions are in.
-- $1 smallint[] — environments; $2 text[] — original transaction ids beside them
-- $3 smallint[] — environments; $4 text[] — transaction ids beside them
-- Returns: environment, facts
SELECT l.environment, l.facts
FROM (
  SELECT * FROM unnest($1::smallint[], $2::text[]) AS named (environment, line)
  UNION
  SELECT t.environment, t.original_transaction_id
  FROM unnest($3::smallint[], $4::text[]) AS moved (environment, id)
  JOIN projection.transaction_lines t ON t.environment = moved.environment AND t.transaction_id = moved.id
) k
JOIN projection.lines l ON l.environment = k.environment AND l.original_transaction_id = k.line
