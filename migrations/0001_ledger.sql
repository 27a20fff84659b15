-- The log: events, the head that numbers them, and the header segments they share.
--
-- Run as a role that may create roles. Times are milliseconds since 1970 in bigint, the App Store's own unit.

DO $roles$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['ledger_owner', 'ledger_daemon', 'ledger_reader', 'ledger_auditor'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;  -- roles belong to the whole cluster: another database or another daemon made it
    END;
  END LOOP;
END
$roles$;

CREATE SCHEMA ledger AUTHORIZATION ledger_owner;
GRANT USAGE ON SCHEMA ledger TO ledger_daemon, ledger_reader, ledger_auditor;

-- A compact JWS is mostly its certificate header, which is the same for years: it is kept once.
CREATE TABLE ledger.header_segments (
  header_id integer PRIMARY KEY CHECK (header_id > 0),
  segment   text    NOT NULL,
  digest    bytea   NOT NULL GENERATED ALWAYS AS (sha256(segment::bytea)) STORED,
  CONSTRAINT header_segments_once UNIQUE (digest)
);

-- One row. Whoever holds its lock numbers the next events; nothing else gives positions out.
CREATE TABLE ledger.head (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position    bigint  NOT NULL CHECK (position >= 0),
  recorded_at bigint  NOT NULL,
  headers     integer NOT NULL
);
INSERT INTO ledger.head (position, recorded_at, headers) VALUES (0, 0, 0);

-- What a row must be is judged by ledger.append, the only way in: a CHECK is parsed anew by each INSERT (decision 3).
CREATE TABLE ledger.events (
  position                bigint   NOT NULL CONSTRAINT events_position PRIMARY KEY,
  recorded_at             bigint   NOT NULL,
  signed_at               bigint,
  caused_by               bigint,
  header_id               integer,
  kind                    smallint NOT NULL,
  environment             smallint NOT NULL,
  source                  smallint NOT NULL,
  notification_id         uuid,
  app_account_token       uuid,
  bundle_id               text COLLATE "C",
  notification_type       text,
  subtype                 text,
  transaction_id          text COLLATE "C",
  original_transaction_id text COLLATE "C",
  app_transaction_id      text COLLATE "C",
  digest                  bytea    NOT NULL,
  inner_offsets           integer[],
  inner_positions         bigint[],
  signature               bytea,
  payload                 bytea    NOT NULL,
  received                bytea
);
ALTER TABLE ledger.events ALTER COLUMN payload SET COMPRESSION lz4;
ALTER TABLE ledger.events ALTER COLUMN received SET COMPRESSION lz4;
ALTER TABLE ledger.header_segments ALTER COLUMN segment SET COMPRESSION lz4;

COMMENT ON TABLE ledger.events IS 'The ledger: immutable, positions 1, 2, 3, … in commit order without holes';
COMMENT ON COLUMN ledger.events.kind IS
  '1 notification, 2 transaction, 3 renewalInfo, 4 appTransaction, 5 conflict, 6 catalog, 7 usage, 8 accountToken, 9 consent, 10 consumptionAnswer';
COMMENT ON COLUMN ledger.events.environment IS '1 Production, 2 Sandbox, 0 where an event is about neither';
COMMENT ON COLUMN ledger.events.source IS '1 notification, 2 device, 3 api, 4 history, 5 operator';
COMMENT ON COLUMN ledger.events.caused_by IS 'the notification this document came with';
COMMENT ON COLUMN ledger.events.digest IS 'first 16 bytes of the SHA-256 of the whole payload: the identity of a document';
COMMENT ON COLUMN ledger.events.payload IS
  'payload bytes as signed; in a notification without the inner documents that are events of their own';
COMMENT ON COLUMN ledger.events.inner_offsets IS 'where in payload, as stored, the texts of inner_positions belong';
COMMENT ON COLUMN ledger.events.received IS 'the text as it came, only where the columns would not give it back byte for byte';

CREATE UNIQUE INDEX events_notification_once ON ledger.events (notification_id, environment) WHERE kind = 1;
-- A document's signing time is part of what its digest is of, and in front of it keeps the index's new entries together:
-- by digest alone each would go to a page of its own, anywhere in an index of the whole log.
CREATE UNIQUE INDEX events_document_once ON ledger.events (coalesce(signed_at, 0), digest, kind, environment)
  WHERE kind BETWEEN 2 AND 5;
CREATE INDEX events_line ON ledger.events (original_transaction_id, position) WHERE original_transaction_id IS NOT NULL;
CREATE INDEX events_app_transaction ON ledger.events (app_transaction_id, position)
  WHERE original_transaction_id IS NULL AND app_transaction_id IS NOT NULL;

CREATE INDEX events_catalog ON ledger.events (position) WHERE kind = 6;

-- Events are never changed or removed. The daemon's role has no right to; these triggers stop whoever has.
CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'ledger.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'append_only';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger.events
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON ledger.events
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger.header_segments
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON ledger.header_segments
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER append_only BEFORE DELETE ON ledger.head
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON ledger.head
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

-- The number of a header segment; a new one gets the next number, under the lock that numbers events too.
CREATE FUNCTION ledger.intern_header(new_segment text) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found integer;
BEGIN
  SELECT h.header_id INTO found FROM ledger.header_segments h WHERE h.digest = sha256(new_segment::bytea);
  IF found IS NOT NULL THEN
    RETURN found;
  END IF;
  PERFORM 1 FROM ledger.head FOR UPDATE;
  SELECT h.header_id INTO found FROM ledger.header_segments h WHERE h.digest = sha256(new_segment::bytea);
  IF found IS NULL THEN
    UPDATE ledger.head SET headers = headers + 1 RETURNING headers INTO found;
    INSERT INTO ledger.header_segments (header_id, segment) VALUES (found, new_segment);
  END IF;
  RETURN found;
END
$$;

-- Appends a batch of units (a unit: one posted document, or a notification followed by its inner documents; its rows
-- are neighbours in the arrays, and "units" gives each of them the index of the first one, from 1). READ COMMITTED: each
-- statement below takes its own snapshot, so the second one sees everything that the transaction we waited for has
-- committed.
--
-- Plans are generic: the planner believes that one made for the arrays at hand is cheaper, and made it anew for each
-- small batch, which took more than half of its time.
--
-- Returns one row for each element, in order: the position that stands for it and an outcome
--   1 recorded   2 duplicate of the event at that position   3 conflict: a notification that reuses an identity with
--   other content, recorded now   4 the same conflict, known before
--   0 nothing of this unit was stored: an inner document is known with another signature, so the notification cannot
--     refer to it; send the unit again with the inner documents inside the payload.
CREATE FUNCTION ledger.append(
  units integer[], kinds smallint[], environments smallint[], sources smallint[], signed_ats bigint[],
  header_ids integer[], notification_ids uuid[], app_account_tokens uuid[], bundle_ids text[],
  notification_types text[], subtypes text[], transaction_ids text[], original_transaction_ids text[],
  app_transaction_ids text[], digests bytea[], cut_offsets integer[], signatures bytea[], payloads bytea[],
  receiveds bytea[],
  OUT positions bigint[], OUT outcomes smallint[], OUT head_position bigint, OUT head_recorded_at bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  head ledger.head;
  added bigint;
  count_in integer;
  all_new boolean;
  inner_max integer;
  violated text;
BEGIN
  SELECT * INTO STRICT head FROM ledger.head FOR UPDATE;
  head_recorded_at := greatest(head.recorded_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);

  count_in := coalesce(array_length(kinds, 1), 0);

  -- Nearly every batch is new from end to end: nothing of it is known, and no identity comes twice. Then its numbers
  -- follow from the order alone. Elements are read by their index: an argument's array is taken apart once, where each
  -- unnest of 18 arrays writes as many temporary tables. The look-ups are subqueries, so that each is one descent of an
  -- index. Bytes that come twice with different kinds or environments are no identity twice; they are sorted out below,
  -- too, because sorting the bytes alone is cheaper.
  SELECT count(DISTINCT CASE WHEN kinds[i] = 1 THEN uuid_send(notification_ids[i]) ELSE digests[i] END) = count_in
    AND NOT bool_or(CASE
      WHEN cut_offsets[i] IS NOT NULL AND receiveds[i] IS NOT NULL THEN true
      WHEN kinds[i] = 1 THEN EXISTS (
        SELECT FROM ledger.events e
        WHERE e.kind = 1 AND e.notification_id = notification_ids[i] AND e.environment = environments[i])
      WHEN kinds[i] BETWEEN 2 AND 5 THEN EXISTS (
        SELECT FROM ledger.events e
        WHERE coalesce(e.signed_at, 0) = coalesce(signed_ats[i], 0) AND e.digest = digests[i] AND e.kind = kinds[i]
          AND e.environment = environments[i] AND e.kind BETWEEN 2 AND 5)
      ELSE false END),
    max(i - units[i]),
    min(CASE
      WHEN kinds[i] NOT BETWEEN 1 AND 10 OR kinds[i] = 7 THEN 'events_kind'  -- a usage has its own function
      WHEN environments[i] NOT BETWEEN 0 AND 2 THEN 'events_environment'
      WHEN sources[i] NOT BETWEEN 1 AND 5 THEN 'events_source'
      WHEN octet_length(digests[i]) <> 16 THEN 'events_digest'
      WHEN coalesce(units[i], 0) NOT BETWEEN 1 AND i THEN 'events_unit'  -- nothing is caused by what comes after it
      WHEN kinds[i] IN (1, 5) AND notification_ids[i] IS NULL THEN 'events_notification_identity'
      WHEN kinds[i] <= 5 AND receiveds[i] IS NULL AND (header_ids[i] IS NULL OR signatures[i] IS NULL)
        THEN 'events_signed_form' END)
  INTO all_new, inner_max, violated
  FROM generate_series(1, count_in) i;

  IF violated IS NOT NULL THEN
    RAISE check_violation USING CONSTRAINT = violated, MESSAGE = format('an event to append violates "%s"', violated);
  END IF;

  IF all_new THEN
    INSERT INTO ledger.events (
      position, recorded_at, signed_at, caused_by, header_id, kind, environment, source, notification_id,
      app_account_token, bundle_id, notification_type, subtype, transaction_id, original_transaction_id,
      app_transaction_id, digest, inner_offsets, inner_positions, signature, payload, received)
    SELECT head.position + i, head_recorded_at, signed_ats[i],
      CASE WHEN kinds[i] BETWEEN 2 AND 4 AND kinds[units[i]] = 1 THEN head.position + units[i] END,
      header_ids[i], kinds[i], environments[i], sources[i], notification_ids[i], app_account_tokens[i], bundle_ids[i],
      notification_types[i], subtypes[i], transaction_ids[i], original_transaction_ids[i], app_transaction_ids[i],
      digests[i], inner_documents.offsets, inner_documents.positions, signatures[i], payloads[i], receiveds[i]
    FROM generate_series(1, count_in) i
    CROSS JOIN LATERAL (
      SELECT array_agg(cut_offsets[u] ORDER BY u) AS offsets, array_agg(head.position + u ORDER BY u) AS positions
      FROM generate_series(i + 1, least(i + inner_max, count_in)) u
      WHERE kinds[i] = 1 AND units[u] = i AND cut_offsets[u] IS NOT NULL
    ) inner_documents;

    head_position := head.position + count_in;
    UPDATE ledger.head SET position = head_position, recorded_at = head_recorded_at;
    positions := ARRAY(SELECT generate_series(head.position + 1, head_position));
    outcomes := array_fill(1::smallint, ARRAY[count_in]);
    RETURN;
  END IF;

  WITH input AS (
    SELECT * FROM unnest(
      units, kinds, environments, sources, signed_ats, header_ids, notification_ids, app_account_tokens, bundle_ids,
      notification_types, subtypes, transaction_ids, original_transaction_ids, app_transaction_ids, digests,
      cut_offsets, signatures, payloads, receiveds)
    WITH ORDINALITY AS i (
      unit, kind, environment, source, signed_at, header_id, notification_id, app_account_token, bundle_id,
      notification_type, subtype, transaction_id, original_transaction_id, app_transaction_id, digest,
      cut_offset, signature, payload, received, ordinal)
  ),
  -- Look-ups are correlated subqueries, never joins: whatever the statistics say (an empty table that fills within
  -- seconds has none), each is one descent of an index.
  known_notifications AS MATERIALIZED (
    SELECT i.*,
      CASE WHEN i.kind = 1 THEN (
        SELECT e.position FROM ledger.events e
        WHERE e.kind = 1 AND e.notification_id = i.notification_id AND e.environment = i.environment
      ) END AS known_notification
    FROM input i
  ),
  -- A notification whose identity is taken by other content, in the log or earlier in this batch, is a conflict.
  judged AS MATERIALIZED (
    SELECT k.*,
      CASE WHEN k.kind = 1 AND k.digest <> coalesce(
          (SELECT e.digest FROM ledger.events e WHERE e.position = k.known_notification),
          first_value(k.digest) OVER (PARTITION BY k.kind, k.environment, k.notification_id ORDER BY k.ordinal))
        THEN 5::smallint ELSE k.kind END AS stored_kind
    FROM known_notifications k
  ),
  -- The event that already stands for each element, and the first element of this batch with the same identity.
  matched AS MATERIALIZED (
    SELECT j.*,
      CASE j.stored_kind WHEN 1 THEN j.known_notification ELSE (
        SELECT e.position FROM ledger.events e
        WHERE coalesce(e.signed_at, 0) = coalesce(j.signed_at, 0) AND e.digest = j.digest AND e.kind = j.stored_kind
          AND e.environment = j.environment AND e.kind BETWEEN 2 AND 5
      ) END AS known_position,
      min(j.ordinal) OVER same AS leader,
      first_value(j.header_id) OVER same AS leader_header, first_value(j.signature) OVER same AS leader_signature
    FROM judged j
    WINDOW same AS (
      PARTITION BY j.stored_kind, j.environment,
        CASE WHEN j.stored_kind = 1 THEN uuid_send(j.notification_id) WHEN j.stored_kind > 5 THEN int8send(j.ordinal)
          ELSE j.digest END
      ORDER BY j.ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ),
  -- Identities that come in this batch with several texts: whichever of them is stored (a unit before it can be
  -- refused), a reference to it would not give the others back.
  ambiguous AS MATERIALIZED (
    SELECT DISTINCT m.leader FROM matched m
    WHERE (m.leader_header, m.leader_signature) IS DISTINCT FROM (m.header_id, m.signature) OR m.received IS NOT NULL
  ),
  unreferable AS (
    SELECT DISTINCT m.unit FROM matched m
    WHERE m.cut_offset IS NOT NULL AND CASE
      WHEN m.known_position IS NULL THEN m.leader IN (SELECT a.leader FROM ambiguous a)
      ELSE (
        SELECT (e.header_id, e.signature) IS DISTINCT FROM (m.header_id, m.signature) OR e.received IS NOT NULL
        FROM ledger.events e WHERE e.position = m.known_position) END
  ),
  kept AS (
    SELECT m.*, m.unit IN (SELECT u.unit FROM unreferable u) AS refused FROM matched m
  ),
  -- An element is new when nothing stands for it and no kept element before it does; those get the next numbers.
  numbered AS (
    SELECT k.*,
      k.known_position IS NULL AND NOT k.refused AND k.ordinal = k.first_kept AS is_new,
      head.position + sum((k.known_position IS NULL AND NOT k.refused AND k.ordinal = k.first_kept)::int)
        OVER (ORDER BY k.ordinal) AS next_position
    FROM (
      SELECT k.*, min(k.ordinal) FILTER (WHERE NOT k.refused) OVER (PARTITION BY k.leader) AS first_kept FROM kept k
    ) k
  ),
  placed AS (
    SELECT n.*, coalesce(n.known_position, max(n.next_position) FILTER (WHERE n.is_new) OVER (PARTITION BY n.leader))
      AS final_position
    FROM numbered n
  ),
  units_placed AS (
    SELECT p.*,
      -- the position of the unit's own notification, known or new; of a conflict its own, not the one it conflicts with
      CASE WHEN p.kind BETWEEN 2 AND 4 THEN
        max(CASE WHEN p.kind = 1 THEN p.final_position END) OVER unit END AS cause,
      CASE WHEN p.kind = 1 AND p.is_new THEN
        array_agg(p.final_position) FILTER (WHERE p.cut_offset IS NOT NULL) OVER unit END AS inner_positions,
      CASE WHEN p.kind = 1 AND p.is_new THEN
        array_agg(p.cut_offset) FILTER (WHERE p.cut_offset IS NOT NULL) OVER unit END AS inner_offsets
    FROM placed p
    WINDOW unit AS (PARTITION BY p.unit ORDER BY p.ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ),
  inserted AS (
    INSERT INTO ledger.events (
      position, recorded_at, signed_at, caused_by, header_id, kind, environment, source, notification_id,
      app_account_token, bundle_id, notification_type, subtype, transaction_id, original_transaction_id,
      app_transaction_id, digest, inner_offsets, inner_positions, signature, payload, received)
    SELECT final_position, head_recorded_at, signed_at, cause, header_id, stored_kind, environment, source,
      notification_id, app_account_token, bundle_id, notification_type, subtype, transaction_id,
      original_transaction_id, app_transaction_id, digest, inner_offsets, inner_positions, signature, payload, received
    FROM units_placed WHERE is_new
    ORDER BY final_position
    RETURNING 1
  )
  SELECT array_agg(CASE WHEN p.refused THEN 0 ELSE p.final_position END ORDER BY p.ordinal),
    array_agg((CASE WHEN p.refused THEN 0
      WHEN p.stored_kind = 5 AND p.kind = 1 THEN CASE WHEN p.is_new THEN 3 ELSE 4 END
      WHEN p.is_new THEN 1 ELSE 2 END)::smallint ORDER BY p.ordinal),
    (SELECT count(*) FROM inserted)
  INTO positions, outcomes, added
  FROM units_placed p;

  head_position := head.position + added;
  IF added > 0 THEN
    UPDATE ledger.head SET position = head_position, recorded_at = head_recorded_at;
  ELSE
    head_recorded_at := head.recorded_at;
  END IF;
END
$$;

-- Records a version of the catalog unless the last one recorded is the same. READ COMMITTED: the second statement takes
-- its snapshot behind the lock, so daemons that start together record a version once.
CREATE FUNCTION ledger.append_catalog(
  new_digest bytea, new_payload bytea, OUT event_position bigint, OUT is_new boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last_digest bytea;
BEGIN
  PERFORM 1 FROM ledger.head FOR UPDATE;
  SELECT e.position, e.digest INTO event_position, last_digest
  FROM ledger.events e WHERE e.kind = 6 ORDER BY e.position DESC LIMIT 1;
  is_new := last_digest IS DISTINCT FROM new_digest;
  IF is_new THEN
    SELECT a.positions[1] INTO event_position FROM ledger.append(
      ARRAY[1], ARRAY[6::smallint], ARRAY[0::smallint], ARRAY[5::smallint], ARRAY[NULL::bigint], ARRAY[NULL::integer],
      ARRAY[NULL::uuid], ARRAY[NULL::uuid], ARRAY[NULL::text], ARRAY[NULL::text], ARRAY[NULL::text], ARRAY[NULL::text],
      ARRAY[NULL::text], ARRAY[NULL::text], ARRAY[new_digest], ARRAY[NULL::integer], ARRAY[NULL::bytea],
      ARRAY[new_payload], ARRAY[NULL::bytea]) a;
  END IF;
END
$$;

ALTER TABLE ledger.header_segments OWNER TO ledger_owner;
ALTER TABLE ledger.head OWNER TO ledger_owner;
ALTER TABLE ledger.events OWNER TO ledger_owner;
ALTER FUNCTION ledger.refuse_change() OWNER TO ledger_owner;
ALTER FUNCTION ledger.intern_header(text) OWNER TO ledger_owner;
ALTER FUNCTION ledger.append OWNER TO ledger_owner;
ALTER FUNCTION ledger.append_catalog OWNER TO ledger_owner;

GRANT SELECT ON ledger.header_segments, ledger.head, ledger.events TO ledger_daemon, ledger_reader, ledger_auditor;
REVOKE ALL ON FUNCTION ledger.intern_header(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger.append FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger.append_catalog FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.intern_header(text) TO ledger_daemon;
GRANT EXECUTE ON FUNCTION ledger.append TO ledger_daemon;
GRANT EXECUTE ON FUNCTION ledger.append_catalog TO ledger_daemon;
