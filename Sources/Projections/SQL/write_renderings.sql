-- Writes the packed renderings of transactions over what is held of them; the caller has merged both.
-- $1…$3 — one array for each column, in the order of the table
INSERT INTO projection.register_renderings (environment, transaction_id, renderings)
SELECT * FROM unnest($1::smallint[], $2::text[], $3::bytea[])
ON CONFLICT (transaction_id, environment) DO UPDATE SET renderings = excluded.renderings
