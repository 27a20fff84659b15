-- Adds dates of purchases; those that are there stay.
-- $1 smallint[] — environments; $2 bigint[] — dates; $3 text[] — transaction ids; $4 text[] — original transaction ids
INSERT INTO projection.purchase_dates (environment, purchased_at, transaction_id, original_transaction_id)
SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::text[], $4::text[])
ON CONFLICT DO NOTHING
