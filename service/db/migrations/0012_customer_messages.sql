-- What the service tells a customer by mail and text message, and what a closing account waits for.

-- One row for each message to one recipient; recipient and facts are emptied once it was sent.
create table customer_messages (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null,
  channel text not null,
  email text,
  mobile_hmac text,
  mobile_sealed text,
  facts text,
  status text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);

-- A number is free again once its customer has closed or withdrawn: the row then has no HMAC.
alter table customers alter column mobile_hmac drop not null;
alter table customers add column withdrawn_reason text;

alter table accounts add column closing_waits_for text;
alter table accounts add column closing_waits_until timestamptz;
create index accounts_closing on accounts (tenant_id, updated_at desc, id desc)
  where status = 'closing';

-- One more closing step frees the numbers of accounts that had closed before this release.
insert into jobs (tenant_id, name, ref, due_at, wake_at)
  select tenant_id, 'account_closing', id, closed_at, now() from accounts where status = 'closed'
  on conflict do nothing;
