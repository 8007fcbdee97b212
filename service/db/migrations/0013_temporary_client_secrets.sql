-- class: online
-- When a secret ends by itself, in real time; null: it is retired by somebody.
alter table client_secrets add column expires_at timestamptz;
