-- When a client last got an access token with the secret, to the minute; in real time.
alter table client_secrets add column last_used_at timestamptz;
