-- Keys that the service makes itself, each sealed under SEALING_KEY: they stay when that key changes.
create table service_keys (
  name text primary key,
  sealed text not null,
  created_at timestamptz not null
);
