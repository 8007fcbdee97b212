-- All of the money: bank payments, withdrawals, refunds, closing, and what the bank says besides.
-- Primary keys come last, as at the end of 0001; an index of some rows alone cannot take their place.

create table withdrawals (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  account_id uuid not null,
  linked_account_id uuid not null,
  amount bigint not null check (amount > 0),
  is_payout boolean not null,
  status text not null,
  failure_code text,
  network_reason_code text,
  held_cents bigint not null,
  session_id uuid,
  transaction_id uuid,
  counted_day date,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  settled_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1
);
create index withdrawals_open on withdrawals (tenant_id, account_id)
  where status in ('requires_confirmation', 'processing');
alter table withdrawals add primary key (tenant_id, id);

create table refunds (
  tenant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  merchant_customer_id uuid not null,
  merchant_account_id uuid not null,
  payer_customer_id uuid not null,
  payer_account_id uuid not null,
  linked_account_id uuid,
  amount bigint not null check (amount > 0),
  reason text not null,
  destination text not null,
  status text not null,
  failure_code text,
  network_reason_code text,
  held_cents bigint not null,
  session_id uuid,
  waiting_since timestamptz,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1
);
create index refunds_open on refunds (tenant_id, merchant_account_id)
  where status in ('requested', 'pending_funds', 'processing');
create index refunds_payment on refunds (tenant_id, payment_id);
alter table refunds add primary key (tenant_id, id);

-- Transactions before they are posted: a withdrawal's, while the bank has it. The entry that posts
-- one takes its id and its time over, and the row here is then no longer read (decisions 2.2).
create table pending_transactions (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  linked_account_id uuid not null,
  bank_name text,
  source_id uuid not null,
  amount bigint not null,
  status text not null,
  created_at timestamptz not null,
  posted_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1
);
create index pending_transactions_shown
  on pending_transactions (tenant_id, account_id, created_at desc, id desc)
  where status <> 'posted';
alter table pending_transactions add primary key (tenant_id, id);

-- When an entry was posted, where that is not its created_at: it posts a Transaction begun before.
alter table entries add column posted_at timestamptz;

-- Refunds under way of a payment, so that none is made beyond it (decisions 1.0: counters of their own).
alter table payments add column open_refunds bigint not null default 0;
alter table payments add column network_reason_code text;
-- Only payments by bank are ever processing: what a closing merchant waits for.
create index payments_incoming on payments (tenant_id, payee_account_id)
  where status = 'processing';

-- What a closing merchant takes back.
create index payment_requests_open on payment_requests (tenant_id, merchant_account_id)
  where status = 'open';

alter table accounts add column closing_reason text;
alter table accounts add column legal_hold boolean not null default false;

-- One row for each day on which fees left the clearing position.
create table fee_sweeps (
  tenant_id uuid not null,
  day date not null,
  id uuid not null,
  platform_fees bigint not null check (platform_fees >= 0),
  tenant_fees bigint not null check (tenant_fees >= 0),
  created_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, day)
);

-- What an account that is older than this release waits for.
insert into due (tenant_id, what, ref, due_at, wake_at)
  select a.tenant_id, 'dormancy', a.id, a.opened_at + interval '365 days',
    a.opened_at + interval '365 days' - t.clock_offset_ms * interval '1 millisecond'
  from accounts a join tenants t on t.tenant_id = a.tenant_id where a.status = 'active';

-- A tenant's calendar (jobs/calendar.ts), for those that are older than this release.
insert into due (tenant_id, what, ref, due_at, wake_at)
  select tenant_id, what, tenant_id, now(), now()
  from tenants, (values ('fees_sweep')) recurring(what);

-- Bank money that belongs to nobody yet (decisions 2.1, suspense). One row for each sum of a record:
-- what the bank tells twice of it comes once.
create table suspense (
  tenant_id uuid not null,
  id uuid not null,
  amount bigint not null check (amount > 0),
  status text not null,
  reason text not null,
  source_type text not null,
  source_id uuid not null,
  account_id uuid,
  linked_account_id uuid,
  created_at timestamptz not null,
  resolved_at timestamptz,
  revision integer not null default 1,
  constraint suspense_sum unique (tenant_id, source_id, amount)
);
create index suspense_held on suspense (tenant_id, created_at desc, id desc) where status = 'held';
alter table suspense add primary key (tenant_id, id);

-- What the bank said that contradicts a record: kept for a reviewer, nothing of the record moved
-- (decisions 1.4). Money that came with it stands in suspense.
create table bank_messages (
  tenant_id uuid not null,
  id uuid not null,
  source_type text not null,
  source_id uuid not null,
  outcome text not null,
  network_reason_code text,
  amount bigint,
  reference text,
  record_status text not null,
  suspense_id uuid,
  status text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
-- After the primary key: of an empty table the planner takes what was made last, and keeps to it.
create index bank_messages_source on bank_messages (tenant_id, source_id);
create index bank_messages_open on bank_messages (tenant_id, created_at desc, id desc)
  where status = 'open';

-- The reviewer's moves: who, when and the note (decisions 1.4).
create table reviews (
  tenant_id uuid not null,
  id uuid not null,
  resource text not null,
  record_id text not null,
  move text not null,
  operator text not null,
  note text,
  amount bigint,
  failure_code text,
  created_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);

-- What a reviewer is waited for (decisions 1.4, the queue).
create index customers_in_review on customers (tenant_id, verification_updated_at desc, id desc)
  where status = 'in_review';
create index owners_in_review on owners (tenant_id, updated_at desc, id desc)
  where status = 'in_review';
create index linked_accounts_held on linked_accounts (tenant_id, updated_at desc, id desc)
  where status = 'held_for_review';
