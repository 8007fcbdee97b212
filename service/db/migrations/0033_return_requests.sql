-- class: online
-- Requests of other banks to give money back (rules/received-money#5).
create table return_requests (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  reference text not null,
  order_id uuid, -- the order that brought the money; null: none of the Tenant
  payment_id uuid, -- of received_money
  source_type text,
  source_id uuid,
  account_id uuid,
  amount bigint not null check (amount > 0 and amount <= 9007199254740991),
  reason text not null,
  text text,
  answer_by timestamptz not null,
  accepted_amount bigint check (accepted_amount > 0 and accepted_amount <= amount),
  answer_text text,
  told text,
  created_at timestamptz not null,
  answered_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id),
  constraint return_requests_reference unique (tenant_id, reference),
  check ((status = 'open') = (answered_at is null) and (status = 'accepted') = (accepted_amount is not null))
);
create index return_requests_open on return_requests (tenant_id, created_at desc, id desc) where status = 'open';
create index return_requests_order on return_requests (tenant_id, order_id) where order_id is not null;
create index return_requests_account on return_requests (tenant_id, account_id) where account_id is not null;
