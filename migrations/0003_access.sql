-- Tokens of callers: only the SHA-256 of each is kept. Written by `ledgerd token`, read by the daemon.

CREATE SCHEMA access AUTHORIZATION ledger_owner;
GRANT USAGE ON SCHEMA access TO ledger_daemon;

CREATE TABLE access.tokens (
  token_id   text        PRIMARY KEY,
  name       text        NOT NULL CHECK (name <> ''),
  scopes     text[]      NOT NULL CHECK (scopes <@ ARRAY['ingest', 'read', 'finance', 'audit', 'admin'] AND scopes <> '{}'),
  digest     bytea       NOT NULL CONSTRAINT tokens_once UNIQUE CHECK (octet_length(digest) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz
);
ALTER TABLE access.tokens OWNER TO ledger_owner;
GRANT SELECT ON access.tokens TO ledger_daemon;
