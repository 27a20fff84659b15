-- Writes facts over what is held of them; the caller has merged both.
-- $1…$11 — one array for each column, in the order of the table
INSERT INTO projection.lines (
  environment, original_transaction_id, app_transaction_id, app_transaction_signed_at, purchase_token,
  purchase_token_date, purchase_token_signed_at, renewal_token, renewal_token_signed_at, apple_status,
  apple_status_signed_at)
SELECT * FROM unnest(
  $1::smallint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::text[],
  $9::bigint[], $10::bigint[], $11::bigint[])
ON CONFLICT (environment, original_transaction_id) DO UPDATE SET
  app_transaction_id = excluded.app_transaction_id, app_transaction_signed_at = excluded.app_transaction_signed_at,
  purchase_token = excluded.purchase_token, purchase_token_date = excluded.purchase_token_date,
  purchase_token_signed_at = excluded.purchase_token_signed_at, renewal_token = excluded.renewal_token,
  renewal_token_signed_at = excluded.renewal_token_signed_at, apple_status = excluded.apple_status,
  apple_status_signed_at = excluded.apple_status_signed_at
