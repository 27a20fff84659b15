-- Makes empty tables beside the live ones, like them in every column, owner and right. Indexes come when the tables are
-- full, but for those in which writes look for conflicts. What an earlier rebuild left behind is dropped. Run as the owner.
DROP SCHEMA IF EXISTS projection_next CASCADE;
DROP SCHEMA IF EXISTS projection_rebuild CASCADE;
CREATE SCHEMA projection_next AUTHORIZATION ledger_daemon;
GRANT USAGE ON SCHEMA projection_next TO ledger_reader, ledger_auditor;
DO $tables$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'projection' ORDER BY tablename LOOP
    EXECUTE format('CREATE TABLE projection_next.%1$I (LIKE projection.%1$I INCLUDING ALL %2$s)', name,
      CASE WHEN name IN ('cursors', 'consents', 'register_renderings', 'revocation_counts') THEN '' ELSE 'EXCLUDING INDEXES' END);
    EXECUTE format('ALTER TABLE projection_next.%I OWNER TO ledger_daemon', name);
    EXECUTE format('GRANT SELECT ON projection_next.%I TO ledger_reader, ledger_auditor', name);
  END LOOP;
END
$tables$;
INSERT INTO projection_next.cursors (name, position) SELECT c.name, 0 FROM projection.cursors c;

-- What the rebuild itself has to remember.
CREATE SCHEMA projection_rebuild;
