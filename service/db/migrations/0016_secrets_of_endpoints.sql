-- class: online
-- Whose secret it is; null: the first endpoint's.
alter table webhook_secrets add column endpoint_id uuid;
