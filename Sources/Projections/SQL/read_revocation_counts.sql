-- How many transactions are revoked in each environment, and as what the registers hold them.
-- Returns: environment, revoked, refunded, without_refund
SELECT c.environment, c.revoked, c.refunded, c.without_refund FROM projection.revocation_counts c ORDER BY c.environment
