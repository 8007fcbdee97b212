-- Ids are UUIDv7 of the tenant's clock, so a primary key also lists a table by time.
--
-- tenant_id comes first in every key, so that the tables can later be distributed by tenant. No
-- foreign keys between batched tables: they are checked row by row and cost the batch half of its
-- time; the engine and the invariant checker hold them (architecture 4).

-- A batch proves what it read by counting: another number means that a row had changed.
create function expect(actual bigint, wanted bigint) returns void language plpgsql as $$
begin
  if actual <> wanted then
    raise exception 'rows changed since they were read: % of % are as before', actual, wanted
      using errcode = '40001';
  end if;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;

-- Tenants, their credentials and their settings ------------------------------------------------

create table tenants (
  tenant_id uuid primary key,
  name text not null,
  settings jsonb not null,
  clock_offset_ms bigint not null default 0,
  clock_target timestamptz,
  clock_at timestamptz,
  clock_lease_until timestamptz,
  delivers boolean not null default false,
  created_at timestamptz not null,
  revision integer not null default 1
);
create index tenants_advancing on tenants (tenant_id) where clock_target is not null;

create table clients (
  client_id text primary key,
  tenant_id uuid not null,
  secret_hash text not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create index clients_tenant on clients (tenant_id);

create table access_tokens (
  tenant_id uuid not null,
  token_hash text not null,
  client_id text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_hash)
);

create table webhook_endpoints (
  tenant_id uuid primary key,
  url text not null,
  enabled boolean not null,
  updated_at timestamptz not null
);

create table webhook_secrets (
  tenant_id uuid not null,
  id uuid not null,
  sealed text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  primary key (tenant_id, id)
);

-- People ----------------------------------------------------------------------------------------

create table customers (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  external_ref text not null,
  email text,
  mobile_hmac text not null,
  mobile_sealed text,
  mobile_last4 text,
  given_name text,
  family_name text,
  legal_name text,
  trading_name text,
  industry text,
  owners_status text,
  status text not null,
  verification_updated_at timestamptz not null,
  retry_available_at timestamptz,
  rejections integer not null default 0,
  more_requested boolean not null default false,
  identity_reference text,
  account_id uuid,
  pin_set boolean not null default false,
  pin_locked boolean not null default false,
  onboarding_session_id uuid,
  pin_reset_session_id uuid,
  contact_change_session_id uuid,
  terms_session_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id),
  constraint customers_external_ref unique (tenant_id, external_ref),
  constraint customers_mobile_number unique (tenant_id, mobile_hmac)
);

create table pins (
  tenant_id uuid not null,
  customer_id uuid not null,
  hash text not null,
  attempts integer not null default 0,
  revision integer not null default 1,
  primary key (tenant_id, customer_id)
);

create table owners (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  name text,
  role text not null,
  ownership_percent integer,
  status text not null,
  invited_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index owners_customer on owners (tenant_id, customer_id);

create table documents (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  document_type text not null,
  document_version text not null,
  status text not null,
  accepted_at timestamptz,
  channel text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index documents_customer on documents (tenant_id, customer_id);

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  flow text not null,
  customer_id uuid not null,
  target_type text,
  target_id uuid,
  status text not null,
  token_hash text not null,
  return_url text,
  opened_at timestamptz,
  ends_at timestamptz not null,
  gave_result boolean not null default false,
  result_token_hash text,
  exchanged_at timestamptz,
  ended_status text,
  terms_decision text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id),
  constraint sessions_token unique (tenant_id, token_hash)
) with (fillfactor = 75);
create index sessions_result_token on sessions (tenant_id, result_token_hash)
  where result_token_hash is not null;

-- Accounts and the ledger (decisions 2) ---------------------------------------------------------

create table accounts (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  type text not null,
  status text not null,
  holder_name text,
  suspension_reasons text not null default '',
  waiting_claims integer not null default 0,
  opened_at timestamptz not null,
  closed_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id),
  constraint accounts_customer unique (tenant_id, customer_id)
);

create table balances (
  tenant_id uuid not null,
  account_id uuid not null,
  available bigint not null default 0,
  pending_outgoing bigint not null default 0,
  earmarked bigint not null default 0,
  entry_count integer not null default 0,
  primary key (tenant_id, account_id),
  constraint pocket_not_negative check (available >= 0 and pending_outgoing >= 0 and earmarked >= 0)
) with (fillfactor = 50);

create table entries (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid,
  pocket text not null,
  delta bigint not null,
  number integer,
  balance_after bigint,
  ledger_after bigint,
  source_type text not null,
  source_id uuid not null,
  step text not null,
  leg smallint not null,
  transaction_type text,
  amount bigint,
  fee_amount bigint,
  counterpart_kind text,
  counterpart_id uuid,
  created_at timestamptz not null,
  -- No step of a record is posted twice. An entry is found by its source or by its account; its id
  -- is a Transaction's name, and one more index would be written with every entry of every payment.
  constraint entries_posted_once primary key (tenant_id, source_id, step, leg),
  constraint entry_of_an_account check ((account_id is null) = (number is null)),
  constraint entry_amounts check ((transaction_type is null) = (amount is null))
);
create index entries_transactions on entries (tenant_id, account_id, created_at desc, id desc)
  where transaction_type is not null;
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();

-- Money in motion -------------------------------------------------------------------------------

create table linked_accounts (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  status text not null,
  institution_name text not null,
  account_type text not null,
  account_mask text not null,
  reference_sealed text,
  can_withdraw boolean not null default false,
  can_load boolean not null default false,
  can_pay_by_bank boolean not null default false,
  offered_withdraw boolean not null default false,
  offered_load boolean not null default false,
  verified_at timestamptz,
  withdrawal_hold_until timestamptz,
  failure_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create unique index linked_accounts_active on linked_accounts (tenant_id, customer_id)
  where status in ('pending', 'held_for_review', 'verified');
create index linked_accounts_customer on linked_accounts (tenant_id, customer_id, created_at desc, id desc);

create table link_tokens (
  tenant_id uuid not null,
  token_hash text not null,
  customer_id uuid not null,
  expires_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, token_hash)
);

create table limit_counters (
  tenant_id uuid not null,
  customer_id uuid not null,
  kind text not null,
  period date not null,
  used bigint not null,
  revision integer not null default 1,
  primary key (tenant_id, customer_id, kind, period),
  constraint counter_not_negative check (used >= 0)
) with (fillfactor = 75);

create table loads (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  account_id uuid not null,
  linked_account_id uuid not null,
  amount bigint not null check (amount > 0),
  status text not null,
  failure_code text,
  network_reason_code text,
  session_id uuid,
  counted_day date not null,
  counted_block date not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  settled_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index loads_account on loads (tenant_id, account_id);

create table payment_requests (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  merchant_customer_id uuid not null,
  merchant_account_id uuid not null,
  amount bigint check (amount > 0),
  order_reference text,
  collection_reference text,
  collection_name text,
  status text not null,
  qr_payload text not null,
  expires_at timestamptz,
  paid_payment_id uuid,
  claimed_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);

create table payments (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  source text not null,
  payer_customer_id uuid not null,
  payer_account_id uuid not null,
  payee_customer_id uuid not null,
  payee_account_id uuid not null,
  payment_request_id uuid,
  linked_account_id uuid,
  amount bigint not null check (amount > 0),
  platform_fee bigint not null default 0,
  platform_fee_paid_by text,
  tenant_fee bigint not null default 0,
  tenant_fee_paid_by text,
  refunded_amount bigint not null default 0,
  held_cents bigint not null default 0,
  status text not null,
  failure_code text,
  order_reference text,
  invoice_reference text,
  description text,
  session_id uuid,
  counted_day date not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 75);
create index payments_request on payments (tenant_id, payment_request_id)
  where payment_request_id is not null;

-- What the outside is asked to do, written with the change that asks for it (architecture 3).
create table instructions (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  source_type text not null,
  source_id uuid not null,
  linked_account_id uuid not null,
  amount bigint not null,
  status text not null,
  sent_at timestamptz,
  created_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id),
  constraint instructions_source unique (tenant_id, source_type, source_id)
);

-- What time brings, what is told, what was answered ---------------------------------------------

create table due (
  tenant_id uuid not null,
  what text not null,
  ref uuid not null,
  due_at timestamptz not null,
  wake_at timestamptz not null,
  lease_until timestamptz,
  primary key (tenant_id, what, ref)
) with (fillfactor = 75);
create index due_wake on due (wake_at);

create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  object_type text not null,
  object_id uuid not null,
  version integer not null,
  sample boolean not null default false,
  created_at timestamptz not null,
  body text not null,
  primary key (tenant_id, id)
);
create unique index events_one_per_version on events (tenant_id, object_id, version) where not sample;
create trigger events_append_only before update or delete or truncate on events
  for each statement execute function refuse_change();

create table deliveries (
  tenant_id uuid not null,
  event_id uuid not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  created_at timestamptz not null,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_response_status integer,
  next_attempt_at timestamptz,
  due_at timestamptz,
  wake_at timestamptz,
  lease_until timestamptz,
  extra boolean not null default false,
  revision integer not null default 1,
  primary key (tenant_id, event_id)
) with (fillfactor = 75);
create index deliveries_wake on deliveries (wake_at) where wake_at is not null;

create table attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  number integer not null,
  at timestamptz not null,
  url text not null,
  request_headers jsonb not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  duration_ms integer not null,
  error text,
  primary key (tenant_id, event_id, number)
);

create table idempotency (
  tenant_id uuid not null,
  key_hash uuid not null,
  fingerprint uuid not null,
  body text,
  once_field text,
  once_sealed text,
  session_id uuid,
  created_at timestamptz not null,
  constraint idempotency_pkey primary key (tenant_id, key_hash)
);
-- Rows come in the order of time and are only ever swept by it: a range index is enough.
create index idempotency_age on idempotency using brin (created_at);

-- While a table fits a page all its indexes cost the same, and the planner then takes the newest,
-- of which a look-up by id can use tenant_id alone; such a plan, once cached, reads all of a
-- tenant's rows. So the primary keys are made last.
alter table customers drop constraint customers_pkey, add primary key (tenant_id, id);
alter table owners drop constraint owners_pkey, add primary key (tenant_id, id);
alter table documents drop constraint documents_pkey, add primary key (tenant_id, id);
alter table sessions drop constraint sessions_pkey, add primary key (tenant_id, id);
alter table accounts drop constraint accounts_pkey, add primary key (tenant_id, id);
alter table linked_accounts drop constraint linked_accounts_pkey, add primary key (tenant_id, id);
alter table loads drop constraint loads_pkey, add primary key (tenant_id, id);
alter table payments drop constraint payments_pkey, add primary key (tenant_id, id);
alter table instructions drop constraint instructions_pkey, add primary key (tenant_id, id);
alter table events drop constraint events_pkey, add primary key (tenant_id, id);
