-- class: online
-- What the law makes us tell a customer, as it was told (rules/messages#9); sealed, and emptied after two years.
create table notices (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null,
  detail text,
  source_id uuid not null,
  status text not null check (status in ('waiting', 'sent', 'task', 'done')),
  rendered_sealed text,
  address_sealed text,
  sent_at timestamptz,
  task_at timestamptz,
  task_reason text,
  done_at timestamptz,
  done_by text,
  done_note text,
  created_at timestamptz not null,
  kept_until timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index notices_source on notices (tenant_id, source_id);
create index notices_customer on notices (tenant_id, customer_id);
create index notices_task on notices (tenant_id, id) where status = 'task';
