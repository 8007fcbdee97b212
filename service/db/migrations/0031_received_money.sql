-- class: online
-- Payments by the bank's own id of them, so that none is booked twice (rules/received-money#2).
create table received_money (
  tenant_id uuid not null,
  id uuid not null,
  provider_id text not null,
  order_id uuid, -- the order that it names; null: none of the Tenant
  amount bigint not null check (amount > 0 and amount <= 9007199254740991),
  sender_name text,
  sender_last4 text,
  remittance text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint received_money_provider unique (tenant_id, provider_id)
);
create index received_money_order on received_money (tenant_id, order_id) where order_id is not null;
