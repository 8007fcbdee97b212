-- Acts on the platform that wait for a second admin, and what became of them (rules/approvals#13).
create table control.approvals (
  id uuid primary key,
  status text not null check (status in ('waiting', 'approved', 'refused')),
  resource text not null,
  record_id text not null,
  move text not null,
  note text not null,
  seen text not null,
  maker text not null,
  maker_person text,
  created_at timestamptz not null,
  lapses_at timestamptz not null,
  decider text,
  decision_note text,
  decided_at timestamptz,
  check ((status = 'waiting') = (decider is null)),
  check ((decider is null) = (decided_at is null))
);
create index on control.approvals (status, id desc);
