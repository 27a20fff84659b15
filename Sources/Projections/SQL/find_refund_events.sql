-- What was recorded by a position about refunds of some transactions: their renderings, requests for a refund, and
-- refusals of one; each under the line that it was recorded with.
-- $1 smallint — environment; $2 text[] — transaction ids; $3 text[] — their lines; $4 bigint — up to this position
-- Returns: position
SELECT e.position
FROM unnest($2::text[], $3::text[]) AS k (id, line)
JOIN ledger.events e ON e.original_transaction_id = k.line AND e.position <= $4
  AND e.environment = $1 AND e.transaction_id = k.id
WHERE CASE e.kind
  WHEN 1 THEN e.notification_type IN ('CONSUMPTION_REQUEST', 'REFUND_DECLINED')
  ELSE e.kind = 2 END
