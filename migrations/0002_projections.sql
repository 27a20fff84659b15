-- The projection "facts": last-writer-wins registers over the log. Everything here can be thrown away and folded
-- again. Times are milliseconds since 1970; enumerations are the App Store's own text and numbers.

CREATE SCHEMA projection AUTHORIZATION ledger_daemon;
GRANT USAGE ON SCHEMA projection TO ledger_reader, ledger_auditor;

-- How far each projection has folded the log. The row is locked by whoever folds, and moves in the transaction that
-- writes what was folded: two followers can't both advance it. It names the newest catalog too, so that every read sees
-- which one its answer is to be judged by; and the shape of the tables, which is that of the program that began to fold
-- them: a program that knows another one leaves them alone until they are rebuilt.
CREATE TABLE projection.cursors (
  name     text     PRIMARY KEY,
  position bigint   NOT NULL CHECK (position >= 0),
  catalog  bigint   NOT NULL DEFAULT 0 CHECK (catalog BETWEEN 0 AND position),
  shape    smallint NOT NULL DEFAULT 0  -- 0 before anything is folded
);
INSERT INTO projection.cursors (name, position) VALUES ('facts', 0);

-- The line that each transaction belongs to: that of its winning rendering.
CREATE TABLE projection.transaction_lines (
  environment             smallint NOT NULL,
  transaction_id          text COLLATE "C" NOT NULL,
  original_transaction_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (transaction_id, environment)
);

-- Each line with everything that an answer needs: its keys as they are now, and all of its facts (its own, the winning
-- rendering of each of its transactions, the winning renewal info) packed, so that one row answers a question.
CREATE TABLE projection.lines (
  environment             smallint NOT NULL,
  original_transaction_id text COLLATE "C" NOT NULL,
  app_transaction_id      text COLLATE "C",
  app_account_token       text COLLATE "C",
  facts                   bytea    NOT NULL,
  PRIMARY KEY (original_transaction_id, environment)
);
CREATE INDEX lines_app_transaction ON projection.lines (app_transaction_id, environment)
  WHERE app_transaction_id IS NOT NULL;
CREATE INDEX lines_app_account_token ON projection.lines (app_account_token, environment)
  WHERE app_account_token IS NOT NULL;

-- The customer as the App Store knows them: their winning app transaction.
CREATE TABLE projection.app_transactions (
  environment                  smallint NOT NULL,
  app_transaction_id           text COLLATE "C" NOT NULL,
  position                     bigint   NOT NULL,
  signed_at                    bigint   NOT NULL,
  digest                       bytea    NOT NULL,
  is_tied                      boolean  NOT NULL,
  bundle_id                    text COLLATE "C",
  original_purchase_date       bigint,
  original_application_version text,
  original_platform            text,
  preorder_date                bigint,
  PRIMARY KEY (app_transaction_id, environment)
);

-- Customers whose parent or guardian withdrew consent, and when that was first signed.
CREATE TABLE projection.consents (
  environment        smallint NOT NULL,
  app_transaction_id text COLLATE "C" NOT NULL,
  rescinded_at       bigint   NOT NULL,
  PRIMARY KEY (app_transaction_id, environment)
);

-- Every customer's key that was ever seen on a line: how a question about the past finds the lines to look at.
CREATE TABLE projection.line_keys (
  environment             smallint NOT NULL,
  kind                    smallint NOT NULL,  -- 1 app transaction id, 2 app account token
  value                   text COLLATE "C" NOT NULL,
  original_transaction_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (value, kind, environment, original_transaction_id)
);

ALTER TABLE projection.cursors OWNER TO ledger_daemon;
ALTER TABLE projection.transaction_lines OWNER TO ledger_daemon;
ALTER TABLE projection.lines OWNER TO ledger_daemon;
ALTER TABLE projection.app_transactions OWNER TO ledger_daemon;
ALTER TABLE projection.consents OWNER TO ledger_daemon;
ALTER TABLE projection.line_keys OWNER TO ledger_daemon;
GRANT SELECT ON ALL TABLES IN SCHEMA projection TO ledger_reader, ledger_auditor;
