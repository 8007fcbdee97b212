-- class: online
-- Restores of the database: until one ends, orders, messages and events are held (rules/restore#9).
create table control.restores (
  id uuid primary key,
  -- `command`: somebody said so. What a start found: `target`, recovered to a point; `system`, another cluster.
  -- What a running process found: `lost_writes`.
  cause text not null check (cause in ('command', 'target', 'system', 'lost_writes')),
  restored_to timestamptz,
  version_floor integer not null,
  begun_at timestamptz not null,
  begun_by text not null,
  ended_at timestamptz,
  ended_by text,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  check ((ended_at is null) = (ended_by is null))
);
-- One at a time.
create unique index restores_open_key on control.restores (tenant_id) where ended_at is null;

-- `held_at`: nothing of this Tenant leaves the service. `version_floor`: a version that is counted from now on is not
-- lower; `version_floors`: this and all earlier ones.
alter table tenants add column held_at timestamptz;
alter table tenants add column version_floor integer not null default 0;
alter table tenants add column version_floors integer[] not null default '{}';

-- On which timelines of which clusters this database was written; `seen` counts the beats of all processes.
create table database_timelines (
  system_identifier text not null,
  timeline integer not null,
  seen bigint not null default 0,
  first_at timestamptz not null default now(),
  primary key (system_identifier, timeline)
);

-- What is known of backups that others make: that one was made, or that one was tried out.
create table control.backups (
  id uuid primary key,
  what text not null check (what in ('made', 'tried')),
  place text not null,
  at timestamptz not null,
  noted_by text not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
