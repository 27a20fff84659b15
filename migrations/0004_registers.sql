-- The registers of revocations: part of the projection "facts", written in the same transaction.

-- The known renderings of each transaction that was ever revoked, packed. What was never revoked has no row.
CREATE TABLE projection.register_renderings (
  environment    smallint NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  renderings     bytea    NOT NULL,
  PRIMARY KEY (transaction_id, environment)
);

-- The entries of the registers, each with the positions between which it was believed. A row is closed once and
-- otherwise never changed. `entry` holds all members; the columns are those that rows are found and added up by.
CREATE TABLE projection.register_entries (
  environment             smallint NOT NULL,
  transaction_id          text COLLATE "C" NOT NULL,
  signed_at               bigint   NOT NULL,
  kind                    text COLLATE "C" NOT NULL,
  known_from              bigint   NOT NULL,
  known_to                bigint   CHECK (known_to > known_from),
  original_transaction_id text COLLATE "C" NOT NULL,
  happened_at             bigint   NOT NULL,
  purchase_date           bigint,
  recorded_at             bigint   NOT NULL,
  bundle_id               text COLLATE "C",
  product_id              text COLLATE "C",
  currency                text COLLATE "C",
  amount                  bigint,             -- milliunits; null: unknown, or not about money
  revocation_class        text COLLATE "C",
  is_app_problem          boolean  NOT NULL,
  entry                   bytea    NOT NULL,
  PRIMARY KEY (transaction_id, environment, signed_at, kind, known_from)
);
CREATE INDEX register_entries_line ON projection.register_entries (original_transaction_id, environment);
-- A window by each basis. No index begins with the environment: on a table without statistics it would look as good as any.
-- The sums of a window by when entries happened are read from the index alone: 40,000 entries of 500,000 in 95 ms instead
-- of 430 on a busy machine.
CREATE INDEX register_entries_happened ON projection.register_entries (happened_at, environment) INCLUDE (
  kind, known_from, known_to, currency, amount, product_id, bundle_id, signed_at, revocation_class, is_app_problem);
CREATE INDEX register_entries_purchased ON projection.register_entries (purchase_date, environment);
CREATE INDEX register_entries_recorded ON projection.register_entries (recorded_at, environment);

ALTER TABLE projection.register_renderings OWNER TO ledger_daemon;
ALTER TABLE projection.register_entries OWNER TO ledger_daemon;
GRANT SELECT ON projection.register_renderings, projection.register_entries TO ledger_reader, ledger_auditor;
