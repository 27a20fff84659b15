-- What is held of some facts.
-- $1 smallint[] — environments; $2 text[] — identifiers beside them
-- Returns the columns of the table, in its order
SELECT
  f.environment, f.transaction_id, f.original_transaction_id, f.position, f.signed_at, f.digest, f.versions,
  f.is_tied, f.app_transaction_id, f.app_account_token, f.web_order_line_item_id, f.bundle_id, f.product_id,
  f.product_type, f.subscription_group_identifier, f.ownership_type, f.transaction_reason, f.purchase_date,
  f.expires_date, f.quantity, f.is_upgraded, f.revocation_date, f.revocation_reason, f.revocation_type,
  f.revocation_percentage, f.price, f.currency
FROM unnest($1::smallint[], $2::text[]) AS k (environment, id)
JOIN projection.transactions f ON f.environment = k.environment AND f.transaction_id = k.id
