-- What the session's login could do to the ledger beyond appending and reading, by itself or as a role that it may
-- become (SET ROLE): attributes, ownership, rights on the tables that only ledger.append may write, and memberships
-- that lead out of the database. A superuser is that and nothing else besides.
-- Returns rows, the gravest first: login text; role text — through which it has the right; excess text — the end of a
-- sentence about that role
WITH login AS (
  SELECT r.oid, r.rolname, r.rolsuper FROM pg_roles r WHERE r.rolname = session_user
),
reachable AS (
  SELECT r.* FROM pg_roles r, login l
  WHERE CASE WHEN l.rolsuper THEN r.oid = l.oid ELSE pg_has_role(l.oid, r.oid, 'MEMBER') END
),
guarded_tables AS (
  SELECT c.oid, c.relowner AS owner, format('the table %I.%I', n.nspname, c.relname) AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE (n.nspname, c.relname) IN (
    ('ledger', 'events'), ('ledger', 'head'), ('ledger', 'header_segments'), ('access', 'tokens'),
    ('ledger_schema', 'migrations'))
),
guarded_schemas AS (
  SELECT n.oid, n.nspowner AS owner, format('the schema %I', n.nspname) AS name
  FROM pg_namespace n WHERE n.nspname IN ('ledger', 'access', 'ledger_schema')
),
guarded_objects AS (
  SELECT t.owner, t.name FROM guarded_tables t
  UNION ALL SELECT s.owner, s.name FROM guarded_schemas s
  UNION ALL SELECT p.proowner, format('the function %I.%I', 'ledger', p.proname)
    FROM pg_proc p WHERE p.pronamespace = to_regnamespace('ledger')
  UNION ALL SELECT d.datdba, format('the database %I', d.datname) FROM pg_database d WHERE d.datname = current_database()
),
found (rank, role, excess) AS (
  SELECT 1, r.rolname, 'is a superuser' FROM reachable r WHERE r.rolsuper
  UNION ALL SELECT 2, r.rolname, 'owns ' || o.name FROM reachable r JOIN guarded_objects o ON o.owner = r.oid
    WHERE NOT r.rolsuper
  UNION ALL SELECT 3, r.rolname, format('has the right %s on %s', wanted, t.name)
    FROM reachable r, guarded_tables t, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) wanted
    WHERE NOT r.rolsuper AND r.oid <> t.owner AND CASE WHEN wanted IN ('INSERT', 'UPDATE')
      THEN has_any_column_privilege(r.oid, t.oid, wanted) ELSE has_table_privilege(r.oid, t.oid, wanted) END
  UNION ALL SELECT 4, r.rolname, 'has the right CREATE on ' || s.name FROM reachable r, guarded_schemas s
    WHERE NOT r.rolsuper AND r.oid <> s.owner AND has_schema_privilege(r.oid, s.oid, 'CREATE')
  UNION ALL SELECT 5, r.rolname, 'has the attribute ' || a.name
    FROM reachable r, LATERAL (VALUES ('CREATEROLE', r.rolcreaterole), ('REPLICATION', r.rolreplication),
      ('BYPASSRLS', r.rolbypassrls), ('CREATEDB', r.rolcreatedb)) a (name, is_set)
    WHERE a.is_set AND NOT r.rolsuper
  UNION ALL SELECT 6, r.rolname, 'may reach files and programs of the server' FROM reachable r
    WHERE r.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
)
SELECT l.rolname::text, f.role::text, f.excess
FROM login l, (
  -- The login's own right says more than the same right through a role that it inherits from.
  SELECT DISTINCT ON (found.rank, found.excess) found.* FROM found
  ORDER BY found.rank, found.excess, found.role = session_user DESC, found.role
) f
ORDER BY f.rank, f.excess
