-- Requests for a refund, found by when they were signed or recorded: indexes of the few notifications that are one, so
-- that every other event costs nothing but a look at its type.
CREATE INDEX events_refund_requests_signed ON ledger.events (signed_at, environment, position)
  WHERE kind = 1 AND notification_type = 'CONSUMPTION_REQUEST';
CREATE INDEX events_refund_requests_recorded ON ledger.events (recorded_at, environment, position)
  WHERE kind = 1 AND notification_type = 'CONSUMPTION_REQUEST';

-- The dates at which something was ever stated to be purchased (ownership PURCHASED), with the transaction and its line:
-- how a register of purchases finds those of a window. Part of the projection "facts"; one row for nearly every
-- transaction.
CREATE TABLE projection.purchase_dates (
  environment             smallint NOT NULL,
  purchased_at            bigint   NOT NULL,
  transaction_id          text COLLATE "C" NOT NULL,
  original_transaction_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (purchased_at, environment, transaction_id, original_transaction_id)
);
ALTER TABLE projection.purchase_dates OWNER TO ledger_daemon;
GRANT SELECT ON projection.purchase_dates TO ledger_reader, ledger_auditor;

-- How many transactions are revoked, counted from their winning renderings, and as what the registers hold them, counted
-- from the entries: that the two agree is told by /readyz. Part of the projection "facts".
CREATE TABLE projection.revocation_counts (
  environment    smallint PRIMARY KEY,
  revoked        bigint NOT NULL,
  refunded       bigint NOT NULL,
  without_refund bigint NOT NULL
);
ALTER TABLE projection.revocation_counts OWNER TO ledger_daemon;
GRANT SELECT ON projection.revocation_counts TO ledger_reader, ledger_auditor;
