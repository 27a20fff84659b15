-- Writes facts over what is held of them; the caller has merged both.
-- $1…$11 — one array for each column, in the order of the table
INSERT INTO projection.app_transactions (
  environment, app_transaction_id, position, signed_at, digest, is_tied, bundle_id, original_purchase_date,
  original_application_version, original_platform, preorder_date)
SELECT * FROM unnest(
  $1::smallint[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[], $6::boolean[], $7::text[], $8::bigint[],
  $9::text[], $10::text[], $11::bigint[])
ON CONFLICT (environment, app_transaction_id) DO UPDATE SET
  position = excluded.position, signed_at = excluded.signed_at, digest = excluded.digest, is_tied =
  excluded.is_tied, bundle_id = excluded.bundle_id, original_purchase_date = excluded.original_purchase_date,
  original_application_version = excluded.original_application_version, original_platform =
  excluded.original_platform, preorder_date = excluded.preorder_date
