-- Notes the lines of transactions; nearly all of them are known and stay where they are.
-- $1 smallint[] — environments; $2 text[] — transaction ids; $3 text[] — original transaction ids
INSERT INTO projection.transaction_lines AS held (environment, transaction_id, original_transaction_id)
SELECT * FROM unnest($1::smallint[], $2::text[], $3::text[])
ON CONFLICT (transaction_id, environment) DO UPDATE SET original_transaction_id = excluded.original_transaction_id
WHERE held.original_transaction_id <> excluded.original_transaction_id
