-- What is held of some facts.
-- $1 smallint[] — environments; $2 text[] — identifiers beside them
-- Returns the columns of the table, in its order
SELECT
  f.environment, f.app_transaction_id, f.rescinded_at
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.consents f ON f.environment = k.environment AND f.app_transaction_id = k.id
