-- What the service knows of itself and of its callers, beside the book.

-- The API request log, redacted before it is written. Unlogged: it costs no WAL, and a crash of the
-- database may take it, since no verdict ever rests on it.
create unlogged table requests (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  param text,
  replayed boolean not null default false,
  duration_ms integer not null,
  request_body text,
  response_body text,
  primary key (tenant_id, id)
);
create index requests_age on requests using brin (at);

-- The processes of this deployment that are alive: they share each rate limit (decisions 1.8).
create table processes (
  process_id uuid primary key,
  roles text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

-- Chaos of a sandbox tenant: rates from 0 to 1, and what a seed makes of them. The counters make
-- the same calls after the same setting meet the same faults: `requests_seen` calls have come since,
-- and `events_seen` events up to `events_after`, from which on events are counted when they are sent.
create table chaos (
  tenant_id uuid primary key,
  duplicate double precision not null,
  out_of_order double precision not null,
  fail_first_attempt double precision not null,
  api_503 double precision not null,
  seed bigint not null,
  requests_seen bigint not null default 0,
  events_seen bigint not null default 0,
  events_after uuid not null,
  updated_at timestamptz not null
);
create index chaos_at_work on chaos (tenant_id)
  where greatest(duplicate, out_of_order, fail_first_attempt, api_503) > 0;

-- A row that real time brings, whatever the tenant's clock does: the answers of an automatic
-- sandbox (decisions 1.4, 2.5).
alter table due add column real boolean not null default false;

-- The payments that a suspended or closing payer leaves open (decisions 1.1, cascade (a); 1.9). It holds the open
-- ones alone, however many a payer has made; a look-up by id cannot take it, so the primary key need
-- not be made anew. A payment pays for it about 2 us and 140 bytes of WAL.
create index payments_open on payments (tenant_id, payer_account_id)
  where status in ('requires_confirmation', 'processing');
