-- Requests for a refund, found by when they were signed or recorded: indexes of the few notifications that are one, so
-- that every other event costs nothing but a look at its type.
CREATE INDEX events_refund_requests_signed ON ledger.events (environment, signed_at, position)
  WHERE kind = 1 AND notification_type = 'CONSUMPTION_REQUEST';
CREATE INDEX events_refund_requests_recorded ON ledger.events (environment, recorded_at, position)
  WHERE kind = 1 AND notification_type = 'CONSUMPTION_REQUEST';
