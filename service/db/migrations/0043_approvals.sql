-- Acts that wait for a second person, and what became of them.
create table approvals (
  tenant_id uuid not null,
  id uuid not null,
  status text not null check (status in ('waiting', 'approved', 'refused')),
  resource text not null,
  record_id text not null,
  move text not null,
  body text not null,
  note text not null,
  amount bigint,
  seen text not null,
  maker text not null,
  maker_person text,
  created_at timestamptz not null,
  lapses_at timestamptz not null,
  first_approver text,
  first_person text,
  decider text,
  decision_note text,
  decided_at timestamptz,
  revision integer not null default 1,
  check ((status = 'waiting') = (decider is null)),
  check ((decider is null) = (decided_at is null)),
  primary key (tenant_id, id)
);
create index approvals_status on approvals (tenant_id, status, id desc);

-- What was approved of the capped acts, by day: a table of its own, so that two approvals of a day
-- cannot both be the last below the cap.
create table approval_sums (
  tenant_id uuid not null,
  day date not null,
  approved bigint not null check (approved >= 0),
  revision integer not null default 1,
  primary key (tenant_id, day)
);

-- Two people stand behind such a move: its maker in the row, its approver in the approval.
alter table reviews add column approval_id uuid;
