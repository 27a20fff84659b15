-- Used units of consumables, as services report them: events of kind 7, and what the projection "facts" keeps of them.

-- The reporter's name for a report. A column of its own, because it is the identity of such an event.
ALTER TABLE ledger.events ADD COLUMN idempotency_key text COLLATE "C";
COMMENT ON COLUMN ledger.events.idempotency_key IS 'of a usage: what the reporter calls the report, once in an environment';
-- Its condition names the key, so that no look-up by another column can be planned as a walk through all reports.
CREATE UNIQUE INDEX events_usage_once ON ledger.events (idempotency_key, environment)
  WHERE kind = 7 AND idempotency_key IS NOT NULL;
-- Reports that name a line or a customer are found by events_line and events_app_transaction.
CREATE INDEX events_usage_transaction ON ledger.events (transaction_id, position)
  WHERE kind = 7 AND transaction_id IS NOT NULL;
CREATE INDEX events_usage_token ON ledger.events (app_account_token, position)
  WHERE kind = 7 AND app_account_token IS NOT NULL;

-- Records a report of used units, unless its key is taken. READ COMMITTED: the second statement takes its snapshot
-- behind the lock, so of reports that come together with one key a single one is recorded.
--
-- Outcomes: 1 recorded at this position   2 duplicate: the event there has the same content
--   3 conflict: the event there has other content, and nothing was recorded
CREATE FUNCTION ledger.append_usage(
  new_environment smallint, new_key text, new_digest bytea, new_payload bytea, new_transaction_id text,
  new_original_transaction_id text, new_app_transaction_id text, new_app_account_token uuid,
  OUT event_position bigint, OUT outcome smallint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  head ledger.head;
  known_payload bytea;
  now_recorded bigint;
BEGIN
  SELECT * INTO STRICT head FROM ledger.head FOR UPDATE;
  SELECT e.position, e.payload INTO event_position, known_payload
  FROM ledger.events e WHERE e.kind = 7 AND e.idempotency_key = new_key AND e.environment = new_environment;
  IF event_position IS NOT NULL THEN
    outcome := CASE WHEN known_payload = new_payload THEN 2 ELSE 3 END;
    RETURN;
  END IF;
  event_position := head.position + 1;
  outcome := 1;
  now_recorded := greatest(head.recorded_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  INSERT INTO ledger.events (
    position, recorded_at, kind, environment, source, idempotency_key, transaction_id, original_transaction_id,
    app_transaction_id, app_account_token, digest, payload)
  VALUES (
    event_position, now_recorded, 7, new_environment, 5, new_key, new_transaction_id, new_original_transaction_id,
    new_app_transaction_id, new_app_account_token, new_digest, new_payload);
  UPDATE ledger.head SET position = event_position, recorded_at = now_recorded;
END
$$;
ALTER FUNCTION ledger.append_usage OWNER TO ledger_owner;
REVOKE ALL ON FUNCTION ledger.append_usage FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.append_usage TO ledger_daemon;

-- Each report, under whom it names. Lines and transactions know by a mark in the packed facts that reports name them;
-- which ones is read from the log.
CREATE TABLE projection.usages (
  environment     smallint NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  holder_kind     smallint NOT NULL,  -- 1 app transaction id, 2 app account token, 3 line, 4 transaction
  holder          text COLLATE "C" NOT NULL,
  position        bigint   NOT NULL,
  PRIMARY KEY (idempotency_key, environment)
);
CREATE INDEX usages_holder ON projection.usages (holder, holder_kind, environment);
ALTER TABLE projection.usages OWNER TO ledger_daemon;
GRANT SELECT ON projection.usages TO ledger_reader, ledger_auditor;
