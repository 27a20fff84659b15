-- Writes lines over what is held of them; the caller has merged both.
-- $1…$5 — one array for each column, in the order of the table
INSERT INTO projection.lines (environment, original_transaction_id, app_transaction_id, app_account_token, facts)
SELECT * FROM unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bytea[])
ON CONFLICT (environment, original_transaction_id) DO UPDATE SET
  app_transaction_id = excluded.app_transaction_id, app_account_token = excluded.app_account_token,
  facts = excluded.facts
