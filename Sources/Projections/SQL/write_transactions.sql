-- Writes facts over what is held of them; the caller has merged both.
-- $1…$27 — one array for each column, in the order of the table
INSERT INTO projection.transactions (
  environment, transaction_id, original_transaction_id, position, signed_at, digest, versions, is_tied,
  app_transaction_id, app_account_token, web_order_line_item_id, bundle_id, product_id, product_type,
  subscription_group_identifier, ownership_type, transaction_reason, purchase_date, expires_date, quantity,
  is_upgraded, revocation_date, revocation_reason, revocation_type, revocation_percentage, price, currency)
SELECT * FROM unnest(
  $1::smallint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bytea[], $7::integer[], $8::boolean[],
  $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
  $17::text[], $18::bigint[], $19::bigint[], $20::bigint[], $21::boolean[], $22::bigint[], $23::bigint[],
  $24::text[], $25::bigint[], $26::bigint[], $27::text[])
ON CONFLICT (environment, transaction_id) DO UPDATE SET
  original_transaction_id = excluded.original_transaction_id, position = excluded.position, signed_at =
  excluded.signed_at, digest = excluded.digest, versions = excluded.versions, is_tied = excluded.is_tied,
  app_transaction_id = excluded.app_transaction_id, app_account_token = excluded.app_account_token,
  web_order_line_item_id = excluded.web_order_line_item_id, bundle_id = excluded.bundle_id, product_id =
  excluded.product_id, product_type = excluded.product_type, subscription_group_identifier =
  excluded.subscription_group_identifier, ownership_type = excluded.ownership_type, transaction_reason =
  excluded.transaction_reason, purchase_date = excluded.purchase_date, expires_date = excluded.expires_date,
  quantity = excluded.quantity, is_upgraded = excluded.is_upgraded, revocation_date = excluded.revocation_date,
  revocation_reason = excluded.revocation_reason, revocation_type = excluded.revocation_type, revocation_percentage
  = excluded.revocation_percentage, price = excluded.price, currency = excluded.currency
