-- Notes the lines on which a transaction was seen that was seen on another one, too: nearly always none.
CREATE UNLOGGED TABLE projection_rebuild.moved_lines AS
SELECT DISTINCT e.original_transaction_id
FROM ledger.events e
JOIN (
  SELECT t.environment, t.transaction_id
  FROM ledger.events t
  WHERE t.kind = 2
  GROUP BY t.environment, t.transaction_id
  HAVING min(t.original_transaction_id) <> max(t.original_transaction_id)
) m ON m.environment = e.environment AND m.transaction_id = e.transaction_id
WHERE e.kind = 2;
ALTER TABLE projection_rebuild.moved_lines ADD PRIMARY KEY (original_transaction_id);
-- So that nobody walks through the log for lines that are not there.
ANALYZE projection_rebuild.moved_lines;
