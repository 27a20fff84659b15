-- Adds rows of the registers.
-- $1…$17 — one array for each column, in the order of the table
INSERT INTO projection.register_entries (environment, transaction_id, signed_at, kind, known_from, known_to,
  original_transaction_id, happened_at, purchase_date, recorded_at, bundle_id, product_id, currency, amount,
  revocation_class, is_app_problem, entry)
SELECT * FROM unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
  $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::bigint[], $15::text[],
  $16::boolean[], $17::bytea[])
