-- The indexes of the live tables that the new ones lack, as they are to be there, those of the largest tables first.
-- Returns: table, whether it is the primary key, name, definition
SELECT t.relname::text, i.indisprimary, c.relname::text,
  replace(pg_get_indexdef(i.indexrelid), ' ON projection.', ' ON projection_next.')
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'projection'::regnamespace
JOIN pg_class n ON n.relname = t.relname AND n.relnamespace = 'projection_next'::regnamespace
WHERE NOT n.relhasindex
ORDER BY pg_relation_size(n.oid) DESC, t.relname, c.relname
