-- Opens a cursor over the lines that reports of used units are about.
DECLARE used_lines NO SCROLL CURSOR FOR
SELECT u.environment, k.original_transaction_id
FROM projection_next.usages u
JOIN projection_next.line_keys k ON k.value = u.holder AND k.kind = u.holder_kind AND k.environment = u.environment
UNION
SELECT u.environment, l.original_transaction_id
FROM projection_next.usages u
JOIN projection_next.lines l ON l.original_transaction_id = u.holder AND l.environment = u.environment
WHERE u.holder_kind = 3
UNION
SELECT u.environment, t.original_transaction_id
FROM projection_next.usages u
JOIN projection_next.transaction_lines t ON t.transaction_id = u.holder AND t.environment = u.environment
WHERE u.holder_kind = 4
