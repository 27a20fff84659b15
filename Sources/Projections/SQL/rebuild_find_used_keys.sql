-- Opens a cursor over the lines and transactions that reports of used units mark.
-- Rows of the cursor: environment; original transaction id, or null; transaction id where that is null
DECLARE used_keys NO SCROLL CURSOR FOR
SELECT u.environment, k.original_transaction_id, NULL
FROM projection_next.usages u
JOIN projection_next.line_keys k ON k.value = u.holder AND k.kind = u.holder_kind AND k.environment = u.environment
UNION
SELECT u.environment, l.original_transaction_id, NULL
FROM projection_next.usages u
JOIN projection_next.lines l ON l.original_transaction_id = u.holder AND l.environment = u.environment
WHERE u.holder_kind = 3
UNION
SELECT u.environment, NULL, u.holder
FROM projection_next.usages u
WHERE u.holder_kind = 4
