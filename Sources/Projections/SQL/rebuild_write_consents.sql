-- Adds withdrawn consents; of two the one that was signed first stays.
-- $1 smallint[] — environments; $2 text[] — app transaction ids; $3 bigint[] — rescinded_at
INSERT INTO projection_next.consents AS held (environment, app_transaction_id, rescinded_at)
SELECT * FROM unnest($1::smallint[], $2::text[], $3::bigint[])
ON CONFLICT (app_transaction_id, environment) DO UPDATE SET
  rescinded_at = least(held.rescinded_at, excluded.rescinded_at)
