-- Adds to the numbers of revoked transactions.
-- $1 smallint[] — environments; $2 bigint[] — revoked; $3 bigint[] — refunded; $4 bigint[] — revoked without a refund
INSERT INTO projection.revocation_counts AS c (environment, revoked, refunded, without_refund)
SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::bigint[])
ON CONFLICT (environment) DO UPDATE SET revoked = c.revoked + excluded.revoked,
  refunded = c.refunded + excluded.refunded, without_refund = c.without_refund + excluded.without_refund
