-- class: online
-- Terms of consumers that get worse, told before they hold (rules/documents#28).
create table term_changes (
  tenant_id uuid not null,
  id uuid not null,
  pieces text not null, -- JSON: each term, before and after
  reason text, -- of security, which lets it hold at once
  consumers integer not null check (consumers >= 0), -- who are to be told
  effective_at timestamptz not null,
  told_to uuid, -- consumers have been told up to this one
  told_at timestamptz, -- when the last one was told
  ended_at timestamptz, -- since when it holds; null: it waits
  created_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index term_changes_waiting on term_changes (tenant_id, effective_at) where ended_at is null;
