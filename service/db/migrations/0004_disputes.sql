-- Disputes. Primary keys come last, as at the end of 0001; an index of some rows alone cannot take
-- their place.

create table disputes (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  account_id uuid,
  type text not null,
  payment_id uuid,
  transaction_id uuid,
  description text not null,
  regulation_e boolean not null,
  notice_received_at timestamptz not null,
  status text not null,
  provisional_credit_amount bigint,
  outcome text,
  resolved_at timestamptz,
  movement_id uuid,
  counted_payment_id uuid,
  merchant_account_id uuid,
  linked_to uuid,
  linked_notices integer not null,
  liability text not null,
  disputed_cents bigint check (disputed_cents >= 0),
  refunded_before bigint not null,
  earmarked_cents bigint not null check (earmarked_cents >= 0),
  held_cents bigint not null check (held_cents >= 0),
  recovered_cents bigint not null check (recovered_cents >= 0),
  released_cents bigint not null check (released_cents >= 0),
  credited_cents bigint not null check (credited_cents >= 0),
  award_cents bigint check (award_cents >= 0),
  taken_back_cents bigint not null check (taken_back_cents >= 0),
  credit_route text,
  credit_link_id uuid,
  credit_due_at timestamptz,
  result_due_at timestamptz,
  credit_notice_due_at timestamptz,
  correction_due_at timestamptz,
  result_notice_due_at timestamptz,
  reversal_due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1
);
-- One credited dispute of a movement at a time (decisions 1.5): a second notice is linked to the first.
create unique index disputes_movement on disputes (tenant_id, movement_id, account_id)
  where linked_to is null and status <> 'closed';
create index disputes_of_movement on disputes (tenant_id, movement_id);
create index disputes_linked on disputes (tenant_id, linked_to) where linked_to is not null;
create index disputes_listed on disputes (tenant_id, created_at desc, id desc);
create index disputes_of_customer on disputes (tenant_id, customer_id, created_at desc, id desc);
-- What a closing account waits for.
create index disputes_open on disputes (tenant_id, account_id) where status <> 'closed';
create index disputes_of_merchant on disputes (tenant_id, merchant_account_id)
  where status in ('received', 'investigating', 'provisional_credit');
-- What a reviewer is waited for.
create index disputes_unresolved on disputes (tenant_id, created_at desc, id desc)
  where status in ('received', 'investigating', 'provisional_credit');
alter table disputes add primary key (tenant_id, id);

-- The dispute whose earmark a refund of the payment is paid from first: its payer's latest.
alter table payments add column dispute_id uuid;
-- Counters of their own (decisions 1.0): dispute credits posted and not taken back; awards of ended
-- disputes; refunds that a bank is paying.
alter table payments add column disputed_cents bigint not null default 0;
alter table payments add column awarded_cents bigint not null default 0;
alter table payments add column refunding_cents bigint not null default 0;
update payments p set refunding_cents = r.cents
  from (select tenant_id, payment_id, sum(amount) as cents from refunds where status = 'processing'
    group by tenant_id, payment_id) r
  where p.tenant_id = r.tenant_id and p.id = r.payment_id;

-- How much of what a refund holds came from a dispute's earmark, and went back there when it failed.
alter table refunds add column dispute_id uuid;
alter table refunds add column dispute_cents bigint not null default 0;
alter table refunds add column returned_cents bigint not null default 0;
