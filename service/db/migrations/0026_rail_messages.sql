-- class: online
-- Messages of providers, kept before anything is done about them (rules/rails#6).
create table rail_messages (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null,
  message_id text not null,
  port text not null check (port in ('bank', 'identity', 'aggregator')),
  record uuid,
  digest uuid not null,
  received_at timestamptz not null,
  -- Receipt, headers and body; null: erased.
  said_sealed text,
  state text not null check (state in ('received', 'taken', 'parked', 'refused')),
  result text,
  acted_at timestamptz,
  replays integer not null default 0,
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  revision integer not null default 1,
  primary key (tenant_id, id),
  check ((state = 'received') = (result is null))
);
create unique index rail_messages_message_key on rail_messages (tenant_id, provider, message_id);
create index rail_messages_age on rail_messages (tenant_id, received_at);
-- What nobody has acted on yet.
create index rail_messages_received on rail_messages (tenant_id, id) where state = 'received';
-- What waits for a person, or has.
create index rail_messages_parked on rail_messages (tenant_id, received_at)
  where state in ('parked', 'refused');
create index rail_messages_record on rail_messages (tenant_id, record) where record is not null;
