-- What is held of some facts.
-- $1 smallint[] — environments; $2 text[] — identifiers beside them
-- Returns the columns of the table, in its order
SELECT
  f.environment, f.original_transaction_id, f.position, f.signed_at, f.digest, f.is_tied, f.product_id,
  f.auto_renew_product_id, f.auto_renew_status, f.expiration_intent, f.is_in_billing_retry,
  f.grace_period_expires_date, f.price_increase_status, f.renewal_date
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.renewals f ON f.environment = k.environment AND f.original_transaction_id = k.id
