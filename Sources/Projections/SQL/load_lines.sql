-- What is held of some facts.
-- $1 smallint[] — environments; $2 text[] — identifiers beside them
-- Returns the columns of the table, in its order
SELECT
  f.environment, f.original_transaction_id, f.app_transaction_id, f.app_transaction_signed_at, f.purchase_token,
  f.purchase_token_date, f.purchase_token_signed_at, f.renewal_token, f.renewal_token_signed_at, f.apple_status,
  f.apple_status_signed_at
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.lines f ON f.environment = k.environment AND f.original_transaction_id = k.id
