-- All lines of some customers with their facts, and the position they stand at: one snapshot.
-- $1 smallint — environment; $2 text[] — app account tokens, lower case
-- Returns at least one row for each key: position, the key's number from 1, consent, line, renewal, transaction
SELECT c.position, k.ordinal, s.rescinded_at,
  l.original_transaction_id, l.app_transaction_id, l.app_transaction_signed_at, l.purchase_token,
  l.purchase_token_date, l.purchase_token_signed_at, l.renewal_token, l.renewal_token_signed_at, l.apple_status,
  l.apple_status_signed_at,
  r.original_transaction_id, r.position, r.signed_at, r.digest, r.is_tied, r.product_id, r.auto_renew_product_id,
  r.auto_renew_status, r.expiration_intent, r.is_in_billing_retry, r.grace_period_expires_date,
  r.price_increase_status, r.renewal_date,
  t.transaction_id, t.original_transaction_id, t.position, t.signed_at, t.digest, t.versions, t.is_tied,
  t.app_transaction_id, t.app_account_token, t.web_order_line_item_id, t.bundle_id, t.product_id, t.product_type,
  t.subscription_group_identifier, t.ownership_type, t.transaction_reason, t.purchase_date, t.expires_date,
  t.quantity, t.is_upgraded, t.revocation_date, t.revocation_reason, t.revocation_type, t.revocation_percentage,
  t.price, t.currency
FROM projection.cursors c
CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS k (key, ordinal)
LEFT JOIN projection.lines l ON l.environment = $1 AND l.app_account_token = k.key
LEFT JOIN projection.transactions t
  ON t.environment = $1 AND t.original_transaction_id = l.original_transaction_id
LEFT JOIN projection.renewals r ON r.environment = $1 AND r.original_transaction_id = l.original_transaction_id
LEFT JOIN projection.consents s ON s.environment = $1 AND s.app_transaction_id = l.app_transaction_id
WHERE c.name = 'facts'
