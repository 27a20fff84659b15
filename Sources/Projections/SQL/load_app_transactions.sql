-- What is held of some facts.
-- $1 smallint[] — environments; $2 text[] — identifiers beside them
-- Returns the columns of the table, in its order
SELECT
  f.environment, f.app_transaction_id, f.position, f.signed_at, f.digest, f.is_tied, f.bundle_id,
  f.original_purchase_date, f.original_application_version, f.original_platform, f.preorder_date
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.app_transactions f ON f.environment = k.environment AND f.app_transaction_id = k.id
