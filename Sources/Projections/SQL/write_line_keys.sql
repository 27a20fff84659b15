-- Remembers keys of customers on lines; known ones stay.
-- $1 smallint[] — environments; $2 smallint[] — kinds; $3 text[] — keys; $4 text[] — original transaction ids
INSERT INTO projection.line_keys (environment, kind, value, original_transaction_id)
SELECT * FROM unnest($1::smallint[], $2::smallint[], $3::text[], $4::text[])
ON CONFLICT DO NOTHING
