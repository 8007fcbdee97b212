-- The call's Idempotency-Key as stored replies have it, its hash, and the program that called.
alter table requests add column key_hash uuid;
alter table requests add column user_agent text;
-- Calls under one key are few: the call and its retries.
create index requests_key on requests (tenant_id, key_hash, id) where key_hash is not null;
