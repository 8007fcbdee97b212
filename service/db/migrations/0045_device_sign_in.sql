-- Programs that ask for an API key by a code which somebody enters in the portal (rules/device-sign-in#1).
create table control.device_sign_ins (
  id uuid primary key,
  device_code_hash text not null unique,
  -- Keyed: a code of eight letters would be found from a plain hash.
  user_code_index text not null unique,
  client_name text not null,
  client_address text not null,
  -- Empty: as many as it is given.
  asked_roles text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  status text not null check (status in ('waiting', 'approved', 'denied')),
  -- Who has decided. Of an approval also what the key gets: it is made at the poll that fetches it.
  person_id uuid check ((person_id is null) = (status = 'waiting')),
  decided_at timestamptz check ((decided_at is null) = (person_id is null)),
  scope text check ((scope is null) = (person_id is null)),
  roles text[] check ((status = 'approved') = (roles is not null) and cardinality(roles) > 0),
  key_expires_at timestamptz check ((key_expires_at is null) = (roles is null))
);
create index on control.device_sign_ins (expires_at);
