-- Closes rows that are no longer believed: from a position on.
-- $1 smallint[] — environments; $2 text[] — transaction ids; $3 bigint[] — signed_at; $4 text[] — kinds;
-- $5 bigint[] — positions
UPDATE projection.register_entries AS e SET known_to = k.position
FROM unnest($1::smallint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
  AS k (environment, id, signed_at, kind, position)
WHERE e.transaction_id = k.id AND e.environment = k.environment AND e.signed_at = k.signed_at AND e.kind = k.kind
  AND e.known_to IS NULL
