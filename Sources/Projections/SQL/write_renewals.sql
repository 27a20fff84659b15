-- Writes facts over what is held of them; the caller has merged both.
-- $1…$14 — one array for each column, in the order of the table
INSERT INTO projection.renewals (
  environment, original_transaction_id, position, signed_at, digest, is_tied, product_id, auto_renew_product_id,
  auto_renew_status, expiration_intent, is_in_billing_retry, grace_period_expires_date, price_increase_status,
  renewal_date)
SELECT * FROM unnest(
  $1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[], $6::boolean[], $7::text[], $8::text[],
  $9::bigint[], $10::bigint[], $11::boolean[], $12::bigint[], $13::bigint[], $14::bigint[])
ON CONFLICT (environment, original_transaction_id) DO UPDATE SET
  position = excluded.position, signed_at = excluded.signed_at, digest = excluded.digest, is_tied =
  excluded.is_tied, product_id = excluded.product_id, auto_renew_product_id = excluded.auto_renew_product_id,
  auto_renew_status = excluded.auto_renew_status, expiration_intent = excluded.expiration_intent,
  is_in_billing_retry = excluded.is_in_billing_retry, grace_period_expires_date =
  excluded.grace_period_expires_date, price_increase_status = excluded.price_increase_status, renewal_date =
  excluded.renewal_date
