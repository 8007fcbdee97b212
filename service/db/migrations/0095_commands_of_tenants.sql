-- Credentials, endpoint, secrets and faults are written by commands, which prove what they have read
-- (rules/records#11).
alter table clients add column revision integer not null default 1;
alter table client_secrets add column revision integer not null default 1;
alter table webhook_endpoints add column revision integer not null default 1;
alter table webhook_secrets add column revision integer not null default 1;

-- How often all access tokens of the Tenant were ended; a token is of the epoch in which it was given.
alter table tenants add column token_epoch integer not null default 0;
alter table access_tokens add column epoch integer not null default 0;
