-- Writes facts over what is held of them; the caller has merged both.
-- $1…$3 — one array for each column, in the order of the table
INSERT INTO projection.consents (
  environment, app_transaction_id, rescinded_at)
SELECT * FROM unnest(
  $1::smallint[], $2::text[], $3::bigint[])
ON CONFLICT (environment, app_transaction_id) DO UPDATE SET
  rescinded_at = excluded.rescinded_at
