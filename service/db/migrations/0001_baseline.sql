-- The schema of version 1.0.
--
-- Two parts: the tables of a cell, whose rows belong to a Tenant, and the schema control, which all cells of a
-- database share and whose rows belong to the platform (rules/engine#31, #32). A statement names control, or it does
-- not: the second cell of a database leaves out what control has already.
--
-- Ids are UUIDv7 of the tenant's clock, so a primary key also lists a table by time. tenant_id comes first in every
-- key of a cell, so that its tables can be distributed by tenant. There are no foreign keys: they are checked row by
-- row and cost the batch half of its time; the engine and the invariants hold them. Where an index would answer what
-- a primary key answers too, the primary key is made after it, so that it is preferred while a table fits a page
-- (rules/engine#23).

-- What all tables rest on -------------------------------------------------------------------------

-- A batch proves what it read by counting: another number means that a row had changed.
create function expect(actual bigint, wanted bigint) returns void language plpgsql as $$
begin
  if actual <> wanted then
    raise exception 'rows changed since they were read: % of % are as before', actual, wanted
      using errcode = '40001';
  end if;
end $$;

-- What a Tenant leaves behind may be deleted where the directory names another cell, or where it has departed.
create function refuse_change() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
declare
  has_left boolean := false;
begin
  if tg_op = 'DELETE' then
    if current_setting('tenant_payments.left_behind', true) = old.tenant_id::text then
      select true into has_left from tenants t where t.tenant_id = old.tenant_id and t.cell <> tg_table_schema;
      if has_left is null then
        execute format('select true from %I.departures where tenant_id = $1', tg_table_schema)
          into has_left using old.tenant_id;
      end if;
      if has_left then return old; end if;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;

-- Closed lists: 4 bytes instead of 5 to 35 in every entry and event. A new word is a migration of its own:
-- alter type ... add value.
create type counterpart_kind as enum ('account', 'linked_account');
create type entry_pocket as enum ('available', 'pending_outgoing', 'earmarked', 'cash', 'fees_platform',
  'fees_tenant', 'reserve', 'suspense');
create type entry_source as enum ('load', 'payment', 'withdrawal', 'refund', 'dispute', 'adjustment');
create type entry_step as enum ('load_settled', 'payment_held', 'payment_released', 'payment_completed',
  'pay_by_bank_completed', 'withdrawal_held', 'withdrawal_released', 'withdrawal_settled', 'refund_held',
  'refund_released', 'refund_completed_balance', 'refund_completed_bank', 'dispute_held', 'dispute_released',
  'dispute_credited', 'dispute_credit_sent', 'dispute_recovered', 'dispute_reversed', 'suspense_received',
  'suspense_returned', 'suspense_matched', 'adjusted', 'adjusted_back', 'fees_swept', 'reserve_funded');
create type event_resource as enum ('customer', 'owner', 'document_acceptance', 'session', 'linked_account',
  'account', 'transaction', 'load', 'payment_request', 'payment', 'withdrawal', 'refund', 'statement',
  'reconciliation_report', 'dispute');
create type event_type as enum ('customer.created', 'customer.pending', 'customer.approved', 'customer.rejected',
  'customer.in_review', 'customer.updated', 'owner.invited', 'owner.pending', 'owner.in_review', 'owner.approved',
  'owner.rejected', 'document_acceptance.accepted', 'document_acceptance.pending_acceptance',
  'document_acceptance.superseded', 'session.completed', 'session.canceled', 'session.expired',
  'linked_account.created', 'linked_account.verified', 'linked_account.failed', 'linked_account.held_for_review',
  'linked_account.updated', 'linked_account.removed', 'account.created', 'account.suspended', 'account.reactivated',
  'account.dormant', 'account.closing', 'account.closed', 'transaction.created', 'transaction.posted',
  'transaction.reversed', 'load.created', 'load.processing', 'load.failed', 'load.settled',
  'payment_request.created', 'payment_request.paid', 'payment_request.expired', 'payment_request.canceled',
  'payment.created', 'payment.completed', 'payment.processing', 'payment.failed', 'payment.canceled',
  'payment.partially_refunded', 'payment.refunded', 'withdrawal.created', 'withdrawal.processing',
  'withdrawal.failed', 'withdrawal.settled', 'refund.created', 'refund.processing', 'refund.pending_funds',
  'refund.failed', 'refund.completed', 'statement.available', 'reconciliation_report.available', 'dispute.created',
  'dispute.investigating', 'dispute.provisional_credit', 'dispute.resolved', 'dispute.closed');
create type transaction_type as enum ('load', 'payment_sent', 'payment_received', 'withdrawal', 'refund_sent',
  'refund_received', 'dispute_credit', 'dispute_reversal', 'adjustment');

-- Tenants, their programs and their keys ----------------------------------------------------------

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
  revision integer not null default 1,
  suspended_at timestamptz,
  suspended_reason text,
  -- Until then, in real time, nothing is begun for the Tenant: it is about to leave this cell.
  stopped_until timestamptz,
  -- How often all access tokens of the Tenant were ended; a token is of the epoch in which it was given.
  token_epoch integer not null default 0,
  check ((suspended_at is null) = (suspended_reason is null))
);
create index tenants_advancing on tenants (tenant_id) where clock_target is not null;
-- Read five times a second where the cell is remote.
create index tenants_stopped on tenants (tenant_id) where stopped_until is not null;

create table clients (
  client_id text primary key,
  tenant_id uuid not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  revision integer not null default 1
);
create index clients_tenant on clients (tenant_id);

-- Several secrets of one client, so that it changes them without a break.
create table client_secrets (
  tenant_id uuid not null,
  id uuid not null,
  client_id text not null,
  secret_hash text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  -- When a client last got an access token with the secret, to the minute; in real time.
  last_used_at timestamptz,
  revision integer not null default 1
);
create index client_secrets_client on client_secrets (tenant_id, client_id);
alter table client_secrets add primary key (tenant_id, id);

create table access_tokens (
  tenant_id uuid not null,
  token_hash text not null,
  client_id text not null,
  expires_at timestamptz not null,
  epoch integer not null default 0,
  primary key (tenant_id, token_hash)
);

-- Keys that the service makes itself, each sealed under SEALING_KEY: they stay when that key changes.
create table service_keys (
  name text primary key,
  sealed text not null,
  created_at timestamptz not null
);

-- How far each sealed column of a Tenant has come in being sealed anew.
create table reseals (
  tenant_id uuid not null,
  sealed_column text not null,
  key_id text not null,
  position text,
  resealed bigint not null,
  unopened bigint not null,
  finished boolean not null,
  primary key (tenant_id, sealed_column)
);

-- What a database is: its environment, and check values of the keys that its rows need.
create table database_identity (
  name text not null,
  key_id text not null default '',
  value text not null,
  noted_at timestamptz not null default now(),
  primary key (name, key_id)
);

-- Who has left this cell for one of another database, by which move: it is never served here again.
create table departures (
  tenant_id uuid primary key,
  move_id uuid not null,
  departed_at timestamptz not null
);

-- Customers, their documents and what proves them -------------------------------------------------

create table customers (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  external_ref text not null,
  email text,
  mobile_hmac text,
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
  -- When what waits for acceptance has waited too long.
  terms_due_at timestamptz,
  erased_at timestamptz,
  withdrawn_reason text
);
alter table customers add constraint customers_external_ref unique (tenant_id, external_ref);
alter table customers add constraint customers_mobile_number unique (tenant_id, mobile_hmac);
alter table customers add primary key (tenant_id, id);
-- What a reviewer is waited for.
create index customers_in_review on customers (tenant_id, verification_updated_at desc, id desc)
  where status = 'in_review';
-- What the portal's search finds records by. A payment without a reference writes no row of these.
create index customers_email on customers (tenant_id, lower(email), id) where email is not null;

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
  rejections integer not null default 0,
  retry_available_at timestamptz,
  contact_sealed text,
  link_hash text,
  identity_reference text
);
create index owners_customer on owners (tenant_id, customer_id);
alter table owners add primary key (tenant_id, id);
create index owners_in_review on owners (tenant_id, updated_at desc, id desc) where status = 'in_review';
create unique index owners_link on owners (tenant_id, link_hash) where link_hash is not null;

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
  revision integer not null default 1
);
create index documents_customer on documents (tenant_id, customer_id);
alter table documents add primary key (tenant_id, id);
create index documents_accepted on documents (tenant_id, document_type, id) where status = 'accepted';

-- Which version of each document a new customer accepts, and the newest that anybody was shown.
create table document_versions (
  tenant_id uuid not null,
  document_type text not null,
  in_force text not null,
  latest text not null,
  revision integer not null default 1,
  primary key (tenant_id, document_type)
);

-- A new version on its way to everybody who accepted an earlier one.
create table document_publications (
  tenant_id uuid not null,
  id uuid not null,
  document_type text not null,
  document_version text not null,
  spread_to uuid,
  created_at timestamptz not null,
  spread_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);

-- Each published version of a document has its own texts, kept for ever: what a customer accepted.
create table legal_texts (
  tenant_id uuid not null,
  document_type text not null,
  document_version text not null,
  title_en text not null,
  title_es text not null,
  text_en text not null,
  text_es text not null,
  published_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, document_type, document_version)
);
create trigger legal_texts_append_only before delete or update on legal_texts
  for each row execute function refuse_change();
create trigger legal_texts_not_emptied before truncate on legal_texts
  for each statement execute function refuse_change();

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

create table pins (
  tenant_id uuid not null,
  customer_id uuid not null,
  hash text not null,
  attempts integer not null default 0,
  revision integer not null default 1,
  -- `attempts` counts those that are open or failed, `failures` those that are known to be wrong.
  failures integer not null default 0,
  attempted_at timestamptz,
  reset_failures integer not null default 0 check (reset_failures >= 0 and reset_failures <= 10),
  generation integer not null default 1,
  -- The sandbox gave this PIN to a customer whom it simulated: its pages may say what it is
  -- (rules/hosted#42). A customer who sets a PIN on a page has a PIN of their own.
  is_sample boolean not null default false,
  check (failures >= 0 and failures <= attempts),
  primary key (tenant_id, customer_id)
);

create table passkeys (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null check (counter >= 0),
  transports text not null,
  created_at timestamptz not null,
  revision integer not null default 1,
  aaguid text not null default '',
  last_used_at timestamptz,
  removed_at timestamptz
);
create unique index passkeys_credential on passkeys (tenant_id, credential_id) where credential_id is not null;
create index passkeys_customer on passkeys (tenant_id, customer_id);
alter table passkeys add primary key (tenant_id, id);

-- The logos of a Tenant's hosted pages, as PNG files that the service has written itself: the one of the
-- settings, and the one that was uploaded last.
create table logos (
  tenant_id uuid not null,
  hash text not null,
  png bytea not null,
  created_at timestamptz not null default now(),
  revision integer not null default 1,
  primary key (tenant_id, hash)
);

-- Sessions of the hosted pages --------------------------------------------------------------------

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  flow text not null,
  customer_id uuid not null,
  target_type text,
  target_id uuid,
  token_hash uuid not null,
  return_url text,
  opened_at timestamptz,
  ends_at timestamptz not null,
  result_token_hash uuid,
  exchanged_at timestamptz,
  terms_decision text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  -- What the page that opened a session shows from then on, in place of its token.
  bearer_hash uuid,
  status text not null,
  gave_result boolean not null default false,
  ended_status text,
  primary key (tenant_id, id),
  constraint sessions_token unique (tenant_id, token_hash)
) with (fillfactor = 60);
create unique index sessions_bearer on sessions (tenant_id, bearer_hash) where bearer_hash is not null;
create index sessions_result_token on sessions (tenant_id, result_token_hash) where result_token_hash is not null;

-- Of a session that was opened; sessions themselves stay as narrow as a payment needs them.
create table session_progress (
  tenant_id uuid not null,
  session_id uuid not null,
  challenge text,
  codes_sent integer not null check (codes_sent >= 0 and codes_sent <= 5),
  code_hash text,
  code_tries integer not null check (code_tries >= 0 and code_tries <= 5),
  code_expires_at timestamptz,
  code_verified boolean not null,
  proven_email text,
  proven_mobile_hmac text,
  proven_mobile_sealed text,
  proven_mobile_last4 text,
  revision integer not null default 1,
  proven_pin integer,
  proven_passkey_id uuid,
  primary key (tenant_id, session_id)
);

-- Accounts and the ledger -------------------------------------------------------------------------

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
  closing_reason text,
  legal_hold boolean not null default false,
  closing_waits_for text,
  closing_waits_until timestamptz
);
alter table accounts add constraint accounts_customer unique (tenant_id, customer_id);
alter table accounts add primary key (tenant_id, id);
create index accounts_closing on accounts (tenant_id, updated_at desc, id desc) where status = 'closing';

create table balances (
  tenant_id uuid not null,
  account_id uuid not null,
  available bigint not null default 0,
  pending_outgoing bigint not null default 0,
  earmarked bigint not null default 0,
  entry_count integer not null default 0,
  -- A balance carries its account's revision: a posting checks it in the row that it changes, instead of locking
  -- the account's row too (rules/records#12).
  account_revision integer not null default 1,
  constraint pocket_not_negative check (available >= 0 and pending_outgoing >= 0 and earmarked >= 0),
  primary key (tenant_id, account_id)
) with (fillfactor = 50);

create table entries (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid,
  pocket entry_pocket not null,
  delta bigint not null,
  number integer,
  balance_after bigint,
  ledger_after bigint,
  source_type entry_source not null,
  source_id uuid not null,
  step entry_step not null,
  leg smallint not null,
  transaction_type transaction_type,
  amount bigint,
  fee_amount bigint,
  counterpart_kind counterpart_kind,
  counterpart_id uuid,
  created_at timestamptz not null,
  -- When an entry was posted, where that is not its created_at: it posts a Transaction begun before.
  posted_at timestamptz,
  constraint entry_amounts check ((transaction_type is null) = (amount is null)),
  constraint entry_of_an_account check ((account_id is null) = (number is null))
);
-- What was begun before it was posted, by account: a statement goes by the instant of posting, and
-- `entries_transactions` by that of beginning. Withdrawals alone write it.
create index entries_posted_later on entries (tenant_id, account_id, posted_at) where posted_at is not null;
alter table entries add constraint entries_posted_once primary key (tenant_id, source_id, step, leg);
create index entries_transactions on entries (tenant_id, account_id, created_at desc, id desc)
  where transaction_type is not null;
-- What a day's report counts, by the instant of posting. Measured, it costs a payment 5 us and 300
-- bytes of WAL; a range index costs 3 us, and has each tenant's report read the entries of all.
create index entries_day on entries (tenant_id, coalesce(posted_at, created_at))
  where transaction_type is not null or pocket in ('fees_platform', 'fees_tenant');
-- What the ledger posted on the bank's money, the reserve and suspense, by the day of the posting.
create index entries_own on entries (tenant_id, pocket, coalesce(posted_at, created_at)) include (delta)
  where pocket in ('cash', 'reserve', 'suspense');
create trigger entries_append_only before delete or update on entries
  for each row execute function refuse_change();
create trigger entries_not_emptied before truncate on entries
  for each statement execute function refuse_change();

-- Transactions before they are posted: a withdrawal's, while the bank has it. The entry that posts
-- one takes its id and its time over, and the row here is then no longer read.
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
create index pending_transactions_shown on pending_transactions (tenant_id, account_id, created_at desc, id desc)
  where status <> 'posted';
alter table pending_transactions add primary key (tenant_id, id);

create table limit_counters (
  tenant_id uuid not null,
  customer_id uuid not null,
  kind text not null,
  period date not null,
  used bigint not null,
  revision integer not null default 1,
  constraint counter_not_negative check (used >= 0),
  primary key (tenant_id, customer_id, kind, period)
) with (fillfactor = 75);

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

-- Bank money that belongs to nobody yet. One row for each sum of a record:
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
  revision integer not null default 1
);
alter table suspense add constraint suspense_sum unique (tenant_id, source_id, amount);
create index suspense_held on suspense (tenant_id, created_at desc, id desc) where status = 'held';
alter table suspense add primary key (tenant_id, id);
-- What a customer's account may own in suspense.
create index suspense_account on suspense (tenant_id, account_id) where account_id is not null;

-- Linked banks, and money that moves --------------------------------------------------------------

create table link_tokens (
  tenant_id uuid not null,
  token_hash text not null,
  customer_id uuid not null,
  expires_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, token_hash)
);

-- What the aggregator answered for a public token that can be exchanged once.
create table exchanges (
  tenant_id uuid not null,
  token_hash text not null,
  customer_id uuid not null,
  asked_at timestamptz not null,
  claimed_until timestamptz,
  accounts_sealed text,
  revision integer not null default 1,
  check (claimed_until is null or accounts_sealed is null),
  primary key (tenant_id, token_hash)
);

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
  revision integer not null default 1
);
create unique index linked_accounts_active on linked_accounts (tenant_id, customer_id)
  where status in ('pending', 'held_for_review', 'verified');
create index linked_accounts_customer on linked_accounts (tenant_id, customer_id, created_at desc, id desc);
alter table linked_accounts add primary key (tenant_id, id);
create index linked_accounts_held on linked_accounts (tenant_id, updated_at desc, id desc)
  where status = 'held_for_review';

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
  revision integer not null default 1
);
create index loads_account on loads (tenant_id, account_id);
alter table loads add primary key (tenant_id, id);

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
-- What a closing merchant takes back.
create index payment_requests_open on payment_requests (tenant_id, merchant_account_id) where status = 'open';
create index payment_requests_order_reference on payment_requests (tenant_id, order_reference, id)
  where order_reference is not null;
create index payment_requests_collection on payment_requests (tenant_id, collection_reference, id)
  where collection_reference is not null;

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
  -- Refunds under way of a payment, so that none is made beyond it.
  open_refunds bigint not null default 0,
  network_reason_code text,
  -- The dispute whose earmark a refund of the payment is paid from first: its payer's latest.
  dispute_id uuid,
  -- Counters of their own: dispute credits posted and not taken back; awards of ended
  -- disputes; refunds that a bank is paying.
  disputed_cents bigint not null default 0,
  awarded_cents bigint not null default 0,
  refunding_cents bigint not null default 0
) with (fillfactor = 85);
create index payments_request on payments (tenant_id, payment_request_id) where payment_request_id is not null;
alter table payments add primary key (tenant_id, id);
-- The payments that a suspended or closing payer leaves open; 1.9). It holds the open
-- ones alone, however many a payer has made; a look-up by id cannot take it, so that it may be made after the primary
-- key. A payment pays for it about 2 us and 140 bytes of WAL.
create index payments_open on payments (tenant_id, payer_account_id)
  where status in ('requires_confirmation', 'processing');
-- Only payments by bank are ever processing: what a closing merchant waits for.
create index payments_incoming on payments (tenant_id, payee_account_id) where status = 'processing';
create index payments_order_reference on payments (tenant_id, order_reference, id) where order_reference is not null;
create index payments_invoice_reference on payments (tenant_id, invoice_reference, id)
  where invoice_reference is not null;

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
  revision integer not null default 1,
  -- How much of what a refund holds came from a dispute's earmark, and went back there when it failed.
  dispute_id uuid,
  dispute_cents bigint not null default 0,
  returned_cents bigint not null default 0
);
create index refunds_open on refunds (tenant_id, merchant_account_id)
  where status in ('requested', 'pending_funds', 'processing');
create index refunds_payment on refunds (tenant_id, payment_id);
alter table refunds add primary key (tenant_id, id);

-- What the outside is asked to do, written with the change that asks for it.
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
  revision integer not null default 1
);
alter table instructions add constraint instructions_source unique (tenant_id, source_type, source_id);
alter table instructions add primary key (tenant_id, id);

-- What the bank said that contradicts a record: kept for a reviewer, nothing of the record moved
--. Money that came with it stands in suspense.
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
create index bank_messages_open on bank_messages (tenant_id, created_at desc, id desc) where status = 'open';

-- Disputes, review and approvals ------------------------------------------------------------------

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
  revision integer not null default 1,
  -- How late a customer gave notice of a dispute.
  notice_late_days integer not null check (notice_late_days >= 0),
  -- What the investigation found, as the letter of the result tells the customer (rules/disputes#50).
  finding text check (char_length(finding) >= 1 and char_length(finding) <= 2000),
  constraint disputes_late_notice check (notice_late_days = 0 or not regulation_e)
);
-- One credited dispute of a movement at a time: a second notice is linked to the first.
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

-- The reviewer's moves: who, when and the note.
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
  -- Two people stand behind such a move: its maker in the row, its approver in the approval.
  approval_id uuid,
  primary key (tenant_id, id)
);
-- The decisions of a record, and of the other records of its customer.
create index reviews_record on reviews (tenant_id, resource, record_id);
-- Who decided what, and why, is never changed.
create trigger reviews_append_only before delete or update on reviews
  for each row execute function refuse_change();
create trigger reviews_not_emptied before truncate on reviews
  for each statement execute function refuse_change();

-- Which person has a case at the reviewers' desk; without a row, or without a name, nobody has it.
create table review_cases (
  tenant_id uuid not null,
  resource text not null,
  record_id uuid not null,
  assigned_to uuid,
  assigned_at timestamptz,
  revision integer not null default 1,
  check ((assigned_to is null) = (assigned_at is null)),
  primary key (tenant_id, resource, record_id)
);

-- What staff wrote on a case. It stays as it was written.
create table review_notes (
  tenant_id uuid not null,
  id uuid not null,
  resource text not null,
  record_id uuid not null,
  author text not null,
  text text not null,
  created_at timestamptz not null,
  revision integer not null default 1
);
create index review_notes_case on review_notes (tenant_id, resource, record_id);
alter table review_notes add primary key (tenant_id, id);
create trigger review_notes_append_only before delete or update on review_notes
  for each row execute function refuse_change();
create trigger review_notes_not_emptied before truncate on review_notes
  for each statement execute function refuse_change();

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
  -- When the first of two admins approved, in real time: whoever has left staff since stands behind nothing.
  first_approved_at timestamptz,
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

-- Statements and reports --------------------------------------------------------------------------

-- How far the statements of an account have come: where the next one begins, and with what.
create table statement_positions (
  tenant_id uuid not null,
  account_id uuid not null,
  covered_until date not null,
  balance bigint not null,
  revision integer not null default 1,
  primary key (tenant_id, account_id)
) with (fillfactor = 75);

-- How far a month has come: accounts have their turn by id, some at a time.
create table statement_runs (
  tenant_id uuid not null,
  period_end date not null,
  after_id uuid not null,
  finished boolean not null,
  revision integer not null default 1,
  primary key (tenant_id, period_end)
);

create table statements (
  tenant_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  period_start date not null,
  period_end date not null,
  opening_balance bigint not null,
  closing_balance bigint not null,
  download_url text not null,
  download_url_expires_at timestamptz not null,
  available_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1,
  constraint statement_of_days check (period_start <= period_end)
);
alter table statements add constraint statements_period unique (tenant_id, account_id, period_start);
alter table statements add primary key (tenant_id, id);

create table reconciliation_reports (
  tenant_id uuid not null,
  day date not null,
  id uuid not null,
  account_structure text not null,
  opening_balance bigint not null,
  closing_balance bigint not null,
  loads bigint not null,
  payments_balance bigint not null,
  payments_bank bigint not null,
  withdrawals bigint not null,
  refunds_balance bigint not null,
  refunds_bank bigint not null,
  fees bigint not null,
  adjustments bigint not null,
  fee_clearing_swept bigint not null,
  postings_count integer not null,
  download_url text not null,
  expires_at timestamptz not null,
  generated_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  revision integer not null default 1
);
alter table reconciliation_reports add constraint reconciliation_reports_id unique (tenant_id, id);
alter table reconciliation_reports add primary key (tenant_id, day);

-- What the proofs of a Tenant's ledger have found, in real time.
create table ledger_proofs (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  -- `night`, or `person` where somebody asked for it.
  cause text not null,
  ok boolean not null,
  checked bigint not null,
  found integer not null,
  -- The first 20.
  violations jsonb not null,
  duration_ms integer not null,
  process_id uuid not null,
  primary key (tenant_id, id)
);
create index ledger_proofs_at on ledger_proofs (tenant_id, at, id);

-- Events, and their way to the Tenant -------------------------------------------------------------

create table events (
  tenant_id uuid not null,
  id uuid not null,
  type event_type not null,
  object_type event_resource not null,
  object_id uuid not null,
  version integer not null,
  sample boolean not null default false,
  created_at timestamptz not null,
  body text not null,
  -- Which request caused an event: the uuid of its `req_` id. Null where none of the API or the portal did.
  request_id uuid,
  -- When it was written, by the database's clock: the order of the live feed, which holds for all processes.
  recorded_at timestamptz default statement_timestamp(),
  primary key (tenant_id, id)
);
-- Requests and events come in the order of time, so a range index finds a request's events, and costs
-- a payment nothing: a tree would be written with every event.
create index events_request on events using brin (request_id) with (autosummarize = on);
create index events_recorded on events using brin (recorded_at) with (autosummarize = on);
-- Found by object: the samples, which `events_one_per_version` leaves out.
create index events_samples on events (tenant_id, object_id) where sample;
create unique index events_one_per_version on events (tenant_id, object_id, version)
  where not sample and id <> object_id;
create trigger events_append_only before delete or update of tenant_id, id, type, object_type, object_id,
    version, sample, created_at, request_id, recorded_at on events
  for each row execute function refuse_change();
create trigger events_not_emptied before truncate on events
  for each statement execute function refuse_change();

-- An event may lose its text, and changes in nothing else.
create function refuse_other_text() returns trigger language plpgsql as $$
begin
  if new.body <> '' then
    raise exception '% is append-only', tg_table_name using errcode = '42501';
  end if;
  return new;
end $$;
create trigger events_forget before update of body on events
  for each row execute function refuse_other_text();

-- Up to which event of a tenant the texts are blank: ids are in the order of time, so that nothing is
-- looked at twice, and no index of what is left is written with every event.
create table event_retention (
  tenant_id uuid primary key,
  redacted_until uuid not null
);

create table webhook_endpoints (
  tenant_id uuid primary key,
  url text not null,
  enabled boolean not null,
  updated_at timestamptz not null,
  revision integer not null default 1
);

create table webhook_secrets (
  tenant_id uuid not null,
  id uuid not null,
  sealed text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id)
);

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
);
create index deliveries_wake on deliveries (wake_at) where wake_at is not null;
-- What has not arrived: failed, on its schedule, or waiting since no endpoint was enabled.
create index deliveries_unsent on deliveries (tenant_id, status, event_id)
  where status in ('retrying', 'failed') or (wake_at is null and status = 'pending');

create table attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  number integer not null,
  at timestamptz not null,
  url text not null,
  request_headers text not null,
  response_status integer,
  response_headers text,
  response_body text,
  duration_ms integer not null,
  error text,
  recorded_at timestamptz default clock_timestamp(),
  primary key (tenant_id, event_id, number)
);
create index attempts_recorded on attempts using brin (recorded_at) with (autosummarize = on);

-- Sample events that one secret alone signs, to test a receiver before the older secret is retired.
create table signed_alone (
  tenant_id uuid not null,
  event_id uuid not null,
  secret_id uuid not null,
  primary key (tenant_id, event_id)
);

-- Chaos of a sandbox tenant: rates from 0 to 1, and what a seed makes of them. The counters make
-- the same calls after the same setting meet the same faults: `requests_seen` calls have come since,
-- and `events_seen` events up to `events_after`, from which on events are counted when they are sent.
create table chaos (
  tenant_id uuid primary key,
  duplicate double precision not null,
  out_of_order double precision not null,
  fail_first_attempt double precision not null,
  api_503 double precision not null,
  seed bigint not null,
  requests_seen bigint not null default 0,
  events_seen bigint not null default 0,
  events_after uuid not null,
  updated_at timestamptz not null,
  -- The instant of real time from which a setting strikes nothing more; null: it strikes until it is put anew.
  ends_at timestamptz,
  -- Counting calls and events raises no revision.
  revision integer not null default 1
);
create index chaos_at_work on chaos (tenant_id)
  where greatest(duplicate, out_of_order, fail_first_attempt, api_503) > 0;

-- The one way by which a text of an event goes: the service may not update events, and calls this,
-- which works as the owner of the tables. Its search_path is fixed, so that no table of the caller's
-- takes the place of ours. In production no text younger than 400 days goes, whoever asks.
do $do$ begin execute format($make$
  create function redact_events(tenant uuid, before uuid, at_once integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, %1$I, pg_temp as $$
  declare
    reached uuid;
    until uuid := before;
    ids uuid[];
  begin
    if exists (select from database_identity where name = 'ENVIRONMENT' and value = 'production') then
      until := least(before, rpad(lpad(to_hex(
        (extract(epoch from now() - interval '400 days') * 1000)::bigint), 12, '0'), 32, '0')::uuid);
    end if;
    reached := coalesce((select r.redacted_until from event_retention r where r.tenant_id = tenant),
      '00000000-0000-0000-0000-000000000000');
    -- An event that is still to be sent keeps its text, and so do those after it.
    until := coalesce((select d.event_id from deliveries d where d.tenant_id = tenant
      and d.wake_at is not null and d.event_id > reached and d.event_id < until
      order by d.event_id limit 1), until);
    ids := array(select e.id from events e where e.tenant_id = tenant
      and e.id > reached and e.id < until order by e.id limit at_once);
    if cardinality(ids) = 0 then return 0; end if;
    update events e set body = '' where e.tenant_id = tenant and e.id = any (ids);
    update attempts a set request_headers = '{}', response_headers = null, response_body = null
      where a.tenant_id = tenant and a.event_id = any (ids);
    insert into event_retention as r (tenant_id, redacted_until)
      values (tenant, ids[cardinality(ids)])
      on conflict (tenant_id) do update
        set redacted_until = greatest(r.redacted_until, excluded.redacted_until);
    return cardinality(ids);
  end $$ $make$, current_schema());
end $do$;
revoke all on function redact_events(uuid, uuid, integer) from public;

-- What the service knows of its callers and of itself ---------------------------------------------

create table idempotency (
  tenant_id uuid not null,
  key_hash uuid not null,
  fingerprint uuid not null,
  body text,
  once_field text,
  once_sealed text,
  session_id uuid,
  created_at timestamptz not null,
  -- A reply that shows a record is stored as the event that shows it.
  event_id uuid,
  primary key (tenant_id, key_hash)
);
-- Rows come in the order of time and are only ever swept by it: a range index is enough.
create index idempotency_age on idempotency using brin (created_at);

-- The API request log, redacted before it is written. Unlogged: it costs no WAL, and a crash of the
-- database may take it, since no verdict ever rests on it.
create unlogged table requests (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  param text,
  replayed boolean not null default false,
  duration_ms integer not null,
  request_body text,
  response_body text,
  -- The order of the live feed, as in events: when a row was written, by the database's clock.
  recorded_at timestamptz default clock_timestamp(),
  -- The call's Idempotency-Key as stored replies have it, its hash, and the program that called.
  key_hash uuid,
  user_agent text,
  -- A reply that shows a record is logged as the event that shows it, and the session whose token it showed once.
  event_id uuid,
  once_field text,
  session_id uuid,
  primary key (tenant_id, id)
);
create index requests_age on requests using brin (at);
-- The request log is searched for what went wrong: refusals are few, so these are small.
create index requests_refused on requests (tenant_id, status, id) where status >= 400;
create index requests_code on requests (tenant_id, code, id) where code is not null;
create index requests_recorded on requests using brin (recorded_at) with (autosummarize = on);
-- Calls under one key are few: the call and its retries.
create index requests_key on requests (tenant_id, key_hash, id) where key_hash is not null;

-- A cell is moved by its write-ahead log, which has nothing of an unlogged table.
do $$ begin
  if current_schema() <> 'public' then alter table requests set logged; end if;
end $$;

create table jobs (
  tenant_id uuid not null,
  name text not null,
  ref uuid not null,
  due_at timestamptz not null,
  wake_at timestamptz not null,
  lease_until timestamptz,
  -- A row that real time brings, whatever the tenant's clock does: the answers of an automatic
  -- sandbox.
  real boolean not null default false,
  primary key (tenant_id, name, ref)
) with (fillfactor = 75);
create index jobs_wake on jobs (wake_at);

-- The processes of this deployment that are alive: they share each rate limit.
create table processes (
  process_id uuid primary key,
  roles text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- Which release it runs.
  version text
);

-- Control -----------------------------------------------------------------------------------------

-- What belongs to no Tenant, in a schema of its own, whose keys do not begin with tenant_id. Its rows are the
-- platform's, whose id is nil, and have a revision: the engine reads and changes them as any Tenant's
-- (rules/engine#36).
do $$ begin
  if to_regnamespace('control') is null then create schema control; end if;
exception when insufficient_privilege then
  raise exception 'the login % may not create the schema control. Run as the owner of the database: create schema control authorization %',
    current_user, quote_ident(current_user);
end $$;

-- The engine of the platform works in this schema alone, in the process of a remote cell too: there is no cell whose
-- function it could call.
create function control.expect(actual bigint, wanted bigint) returns void language plpgsql as $$
begin
  if actual <> wanted then
    raise exception 'rows changed since they were read: % of % are as before', actual, wanted
      using errcode = '40001';
  end if;
end $$;

-- A trigger of control must outlive the schema of the cell that made it.
create function control.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;

-- An update past the engine counts as a change too, so that a command which has read the row decides again. A bridge:
-- it goes when no statement updates these tables by itself.
create function control.raise_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;

-- The cells of a database, and which of them has which Tenant.
create table control.tenants (
  tenant_id uuid primary key,
  cell text not null,
  name text not null,
  suspended_at timestamptz
);

create table control.clients (
  client_id text primary key,
  tenant_id uuid not null
);

-- Every move, and how far it is. Those that are over say where a Tenant has been.
create table control.moves (
  id uuid primary key,
  tenant_id uuid not null,
  from_cell text not null,
  to_cell text not null,
  state text not null check (state in ('copying', 'stopped', 'switched', 'done', 'undone')),
  started_at timestamptz not null,
  stopped_until timestamptz,
  switched_at timestamptz,
  ended_at timestamptz,
  rows bigint
);
create unique index moves_open on control.moves (tenant_id) where state in ('copying', 'stopped', 'switched');
create index moves_switched on control.moves (switched_at) where switched_at is not null;

-- The migrations whose part in control is done: the next cell of this database leaves it out.
create table control.migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);

-- The Tenants of the cells that a session's process serves; without the setting: those of its own cell.
create function control.served_tenants() returns table (tenant_id uuid, name text, suspended_at timestamptz)
language sql stable as $$
  select t.tenant_id, t.name, t.suspended_at from control.tenants t
  where t.cell = any (string_to_array(
    coalesce(nullif(current_setting('tenant_payments.cells', true), ''), current_schema()), ','))
$$;

-- Each cell keeps the directory itself, in words that hold for a foreign table too.
create function list_tenant() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  update tenants t set name = new.name, suspended_at = new.suspended_at
    where t.tenant_id = new.tenant_id and t.cell = tg_table_schema;
  if not found then
    insert into tenants (tenant_id, cell, name, suspended_at)
      values (new.tenant_id, tg_table_schema, new.name, new.suspended_at) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger tenants_listed after insert or update of name, suspended_at on tenants
  for each row execute function list_tenant();

create function list_client() returns trigger
language plpgsql set search_path = control, pg_catalog, pg_temp as $$
begin
  update clients c set tenant_id = new.tenant_id where c.client_id = new.client_id;
  if not found then
    insert into clients (client_id, tenant_id) values (new.client_id, new.tenant_id)
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger clients_listed after insert or update of tenant_id on clients
  for each row execute function list_client();

-- People, and how they sign in --------------------------------------------------------------------

create table control.people (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  -- What a passkey knows the person by: random, so that it holds no personal data.
  passkey_handle text not null unique,
  created_at timestamptz not null,
  disabled_at timestamptz,
  invited_by text,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1
);
create trigger people_revised before update on control.people
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Scope: `platform`, or the id of a Tenant.
create table control.role_grants (
  scope text not null,
  person_id uuid not null,
  role text not null,
  granted_at timestamptz not null,
  -- Who gave a role: whoever was invited by the maker of a request, or got the role lately, approves nothing of it.
  granted_by text,
  -- Given by the command line within a day of the first admin: such a role counts at once.
  bootstrap boolean not null default false,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  ended_at timestamptz,
  primary key (scope, person_id, role)
);
create index role_grants_person_id_idx on control.role_grants (person_id);
create trigger role_grants_revised before update on control.role_grants
  for each row when (new.revision = old.revision) execute function control.raise_revision();

create view control.roles as
  select scope, person_id, role, granted_at, granted_by, bootstrap, tenant_id, revision
  from control.role_grants where ended_at is null;

create table control.invitations (
  id uuid primary key,
  -- `reset` gives no role: it replaces the passkeys of a person.
  kind text not null check (kind in ('join', 'reset')),
  scope text not null,
  email text not null check (email = lower(email)),
  roles text[] not null,
  token_hash text not null unique,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  invited_person text,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1
);
create index invitations_scope_created_at_idx on control.invitations (scope, created_at);
-- Commands find those of an address, of which a new one makes the others worth nothing.
create index invitations_email_idx on control.invitations (email);
create trigger invitations_revised before update on control.invitations
  for each row when (new.revision = old.revision) execute function control.raise_revision();

create table control.passkeys (
  id uuid primary key,
  person_id uuid not null,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  removed_at timestamptz
);
create index passkeys_person_id_idx on control.passkeys (person_id);
create trigger passkeys_revised before update on control.passkeys
  for each row when (new.revision = old.revision) execute function control.raise_revision();

create view control.person_passkeys as
  select id, person_id, credential_id, public_key, counter, transports, name, created_at, last_used_at,
    tenant_id, revision, removed_at
  from control.passkeys where removed_at is null;

create table control.recovery_codes (
  person_id uuid not null,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  ended_at timestamptz,
  primary key (person_id, code_hash)
);
create trigger recovery_codes_revised before update on control.recovery_codes
  for each row when (new.revision = old.revision) execute function control.raise_revision();

create table control.sessions (
  id uuid primary key,
  token_hash text not null unique,
  person_id uuid not null,
  -- Where it acts; null while the person has no role at all.
  scope text,
  -- What opened it. After a recovery code it does nothing before a new passkey is made.
  opened_by text not null check (opened_by in ('passkey', 'recovery_code', 'sandbox_link', 'single_sign_on')),
  wants_passkey boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  stepped_up_at timestamptz,
  address text not null,
  browser text not null,
  ended_at timestamptz,
  end_reason text,
  -- The one scope that a session may act in: its provider answers for no other.
  only_scope text,
  -- The visit that the session is on; null: it acts with the person's own roles.
  visit_id uuid,
  -- Where a session was last used from, and since when it waits for its person's proof because network and
  -- browser have both changed (rules/sign-in#19).
  last_address text not null,
  last_browser text not null,
  moved_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  constraint sessions_only_scope_check check ((opened_by = 'single_sign_on') = (only_scope is not null)
    and (only_scope is null or scope = only_scope or visit_id is not null))
);
create index sessions_person_id_created_at_idx on control.sessions (person_id, created_at);
-- By which the sessions of an identity provider are found when it is changed.
create index sessions_only_scope_idx on control.sessions (only_scope) where ended_at is null;
create trigger sessions_revised before update on control.sessions
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Challenges that were answered: each is good once.
create table control.used_challenges (
  nonce text primary key,
  expires_at timestamptz not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1
);
create trigger used_challenges_revised before update on control.used_challenges
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Failed attempts to sign in, of an address or a person, since the first of the last 15 minutes.
create table control.failed_attempts (
  counted_for text primary key,
  since timestamptz not null,
  failures integer not null
);

-- Links that sign a sample person in; only a sandbox makes them.
create table control.sign_in_links (
  token_hash text primary key,
  person_id uuid not null,
  scope text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  -- What is over is ended, not deleted (rules/engine#36).
  ended_at timestamptz
);
create trigger sign_in_links_revised before update on control.sign_in_links
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Single sign-on by OpenID Connect (rules/single-sign-on#1). A scope is `platform`, or the id of a Tenant.
create table control.sign_on_providers (
  scope text primary key,
  issuer text not null,
  client_id text not null,
  client_secret_sealed text not null,
  -- Nobody but the last owner or admin acts here after another way to sign in.
  required boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Whether a provider's addresses are the organization's own (rules/single-sign-on#8).
  trust_email boolean not null default false,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  removed_at timestamptz
);
create trigger sign_on_providers_revised before update on control.sign_on_providers
  for each row when (new.revision = old.revision) execute function control.raise_revision();

create view control.identity_providers as
  select scope, issuer, client_id, client_secret_sealed, required, created_at, updated_at, trust_email,
    tenant_id, revision, removed_at
  from control.sign_on_providers where removed_at is null;

-- Whom a provider means. It counts in its own scope alone, whichever scope trusts the same issuer.
create table control.linked_identities (
  scope text not null,
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  ended_at timestamptz,
  primary key (scope, issuer, subject)
);
create index linked_identities_person_id_idx on control.linked_identities (person_id);
create unique index linked_identities_person_key on control.linked_identities (scope, person_id)
  where ended_at is null;
create trigger linked_identities_revised before update on control.linked_identities
  for each row when (new.revision = old.revision) execute function control.raise_revision();

create view control.identities as
  select scope, issuer, subject, person_id, created_at, last_used_at, tenant_id, revision, ended_at
  from control.linked_identities where ended_at is null;

-- Attempts on their way through a provider. One is deleted when it comes back, however it ends.
create table control.sign_in_attempts (
  state_hash text primary key,
  scope text not null,
  nonce text not null,
  verifier text not null,
  -- The cookie of the browser that began it, hashed.
  browser_hash text not null,
  purpose text not null check (purpose in ('sign_in', 'step_up', 'link')),
  -- The session that steps up or links.
  session_id uuid,
  return_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  taken_at timestamptz,
  check ((session_id is null) = (purpose = 'sign_in'))
);
create index sign_in_attempts_expires_at_idx on control.sign_in_attempts (expires_at);
create index sign_in_attempts_scope_idx on control.sign_in_attempts (scope) where taken_at is null;
create trigger sign_in_attempts_revised before update on control.sign_in_attempts
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- API keys of members, of staff, and of a sandbox's client (rules/api-keys#1).
create table control.api_keys (
  id uuid primary key,
  key_hash text not null unique,
  -- `platform`, or the id of a Tenant.
  scope text not null,
  name text not null,
  roles text[] not null check (cardinality(roles) > 0),
  -- The maker: a person, or the client of a sandbox's Tenant.
  person_id uuid,
  client_id text,
  made_by text not null check (made_by in ('portal', 'device')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  check (expires_at > created_at),
  check ((person_id is null) <> (client_id is null))
);
create index api_keys_scope_id_idx on control.api_keys (scope, id);
create trigger api_keys_revised before update on control.api_keys
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Programs that ask for an API key by a code which somebody enters in the portal (rules/device-sign-in#1).
create table control.device_sign_ins (
  id uuid primary key,
  device_code_hash text not null unique,
  -- Keyed: a code of eight letters would be found from a plain hash.
  user_code_index text not null unique,
  client_name text not null,
  client_address text not null,
  -- Empty: as many as it is given.
  asked_roles text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  status text not null check (status in ('waiting', 'approved', 'denied')),
  -- Who has decided. Of an approval also what the key gets: it is made at the poll that fetches it.
  person_id uuid,
  decided_at timestamptz,
  scope text,
  roles text[],
  key_expires_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  fetched_at timestamptz,
  check ((person_id is null) = (status = 'waiting')),
  check ((decided_at is null) = (person_id is null)),
  check ((scope is null) = (person_id is null)),
  check ((status = 'approved') = (roles is not null) and cardinality(roles) > 0),
  check ((key_expires_at is null) = (roles is null))
);
create index device_sign_ins_expires_at_idx on control.device_sign_ins (expires_at);
create trigger device_sign_ins_revised before update on control.device_sign_ins
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- An owner's consent that staff of the platform see the Tenant as a reader (rules/people#8).
create table control.support_consents (
  id uuid primary key,
  -- The Tenant.
  scope text not null,
  note text not null,
  -- Null: a program of the sandbox gave it.
  given_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  -- Of a scope one consent is open at a time, in whichever process it is given.
  is_open boolean not null default false
);
create index support_consents_scope_created_at_idx on control.support_consents (scope, created_at);
create unique index support_consents_open_key on control.support_consents (scope) where is_open;
create trigger support_consents_revised before update on control.support_consents
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Who came in by a consent.
create table control.support_visits (
  id uuid primary key,
  consent_id uuid not null,
  scope text not null,
  person_id uuid not null,
  session_id uuid not null,
  entered_at timestamptz not null,
  -- It is over then, whatever happens.
  until timestamptz not null,
  left_at timestamptz,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1
);
create index support_visits_consent_id_idx on control.support_visits (consent_id);
create trigger support_visits_revised before update on control.support_visits
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- That the hashes of what signs people in stand under the index key (rules/sign-in#20): the first start
-- hashes those that are there once more, and no later one does.
create table control.keyed_secrets (
  one boolean primary key default true check (one),
  at timestamptz not null
);

-- What people held before the audit named it (rules/audit#22); the service's login cannot change it.
create table control.known_rights (
  kind text not null,
  name text not null,
  primary key (kind, name)
);

-- The key of all cells that are made from now on: a token of any of them is told from a made-up one.
create table control.service_keys (
  name text primary key,
  sealed text not null,
  created_at timestamptz not null
);

-- The platform at work ----------------------------------------------------------------------------

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
  -- What an act on the platform takes; a secret of it is sealed, and apart.
  given text not null default '{}',
  given_secret text,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  check ((status = 'waiting') = (decider is null)),
  check ((decider is null) = (decided_at is null))
);
create index approvals_status_id_idx on control.approvals (status, id desc);
create trigger approvals_revised before update on control.approvals
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- What one person has moved alone on a day of real time, over all Tenants (rules/approvals#9).
create table control.maker_sums (
  maker text not null,
  day date not null,
  moved bigint not null check (moved >= 0),
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  primary key (maker, day)
);

-- Keys of QR codes that no process takes any more, whatever its ring holds (rules/keys#12).
create table control.revoked_qr_keys (
  key_id text primary key,
  revoked_at timestamptz not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1
);
create trigger revoked_qr_keys_revised before update on control.revoked_qr_keys
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- What needed a person's attention, as the log said it: one row a day for each alarm, scope and record.
create table control.alarms (
  id uuid primary key,
  alarm text not null,
  -- `platform`, or the id of a Tenant.
  scope text not null,
  -- Empty: about no record.
  record text not null,
  day date not null,
  message text not null,
  facts jsonb not null,
  process_id uuid not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  check ((acknowledged_at is null) = (acknowledged_by is null)),
  unique (alarm, scope, record, day)
);
create index alarms_first on control.alarms (first_at, id);
create index alarms_open on control.alarms (first_at, id) where acknowledged_at is null;
create index alarms_scope on control.alarms (scope, first_at, id);
create trigger alarms_revised before update on control.alarms
  for each row when (new.revision = old.revision) execute function control.raise_revision();

-- Statements of the bank. Without a Tenant it is of the pooled bank account.
create table control.bank_statements (
  id uuid primary key,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  day date not null,
  file_name text not null,
  sha256 text not null,
  line_count integer not null,
  total bigint not null,
  closing_balance bigint,
  uploader text not null,
  uploaded_at timestamptz not null,
  -- A bank statement is a Tenant's or, of the pooled account, the platform's. Nothing updates it.
  revision integer not null default 1
);
create index bank_statements_newest on control.bank_statements (uploaded_at desc, id desc);
alter table control.bank_statements add constraint bank_statements_file_key unique (tenant_id, sha256);
create trigger bank_statements_append_only before delete or update on control.bank_statements
  for each row execute function control.refuse_change();
create trigger bank_statements_not_emptied before truncate on control.bank_statements
  for each statement execute function control.refuse_change();

create table control.bank_statement_lines (
  statement_id uuid not null,
  line integer not null,
  amount bigint not null,
  reference text,
  description text,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  primary key (statement_id, line)
);
create trigger bank_statement_lines_append_only before delete or update on control.bank_statement_lines
  for each row execute function control.refuse_change();
create trigger bank_statement_lines_not_emptied before truncate on control.bank_statement_lines
  for each statement execute function control.refuse_change();

-- Who read personal data (rules/audit#18): a person, a record and an hour of the database's clock leave one row.
create table control.access_records (
  id uuid primary key default gen_random_uuid(),
  -- The Tenant's uuid.
  scope text not null,
  at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  hour timestamptz not null default date_trunc('hour', clock_timestamp(), 'UTC'),
  person_id uuid not null,
  -- `staff` or `member`.
  acted_as text not null,
  -- The key by which it was read first in that hour.
  api_key_id text,
  kind text not null,
  record text not null,
  address text,
  request_id text,
  unique (scope, person_id, kind, record, hour)
);
create index access_records_times on control.access_records (scope, at, id);
create index access_records_records on control.access_records (scope, record, at);
create trigger access_records_append_only before delete or update on control.access_records
  for each row execute function control.refuse_change();
create trigger access_records_not_emptied before truncate on control.access_records
  for each statement execute function control.refuse_change();

-- Scripts and styles as each release builds them: a process whose own build has another one serves them from here,
-- while two releases run side by side (rules/hosted#50). The mark is an HMAC over name and content, so that whoever
-- can write rows, and has no key, puts no script into a page.
create table control.page_files (
  name text not null,
  mark text not null,
  packed bytea not null,
  served_at timestamptz not null,
  primary key (name, mark)
);

-- The audit ---------------------------------------------------------------------------------------

-- Who did what (rules/audit), each row bound to the one before by its hash. A chain for each Tenant, and one for the
-- platform.
create table control.audit (
  -- `platform`, or the Tenant's uuid.
  scope text not null,
  number bigint not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  person_id text,
  act text not null,
  record text,
  address text,
  request_id text,
  outcome text not null,
  -- The row with before and after, as it is hashed.
  body text not null,
  previous_hash text not null,
  hash text not null,
  primary key (scope, number)
);
create index audit_acts on control.audit (scope, act, number);
create index audit_actors on control.audit (scope, actor_id, number);
create index audit_records on control.audit (scope, record, number);
create index audit_times on control.audit (scope, at, number);
create trigger audit_append_only before delete or update on control.audit
  for each row execute function control.refuse_change();
create trigger audit_not_emptied before truncate on control.audit
  for each statement execute function control.refuse_change();

create table control.audit_heads (
  scope text primary key,
  number bigint not null,
  hash text not null
);
-- The function below moves a head on; nothing takes one away.
create trigger audit_heads_append_only before delete on control.audit_heads
  for each row execute function control.refuse_change();
create trigger audit_heads_not_emptied before truncate on control.audit_heads
  for each statement execute function control.refuse_change();

-- What the last verification of each chain of the audit has found.
create table control.audit_proofs (
  scope text primary key,
  at timestamptz not null,
  ok boolean not null,
  checked bigint not null,
  faults jsonb not null,
  number bigint not null,
  hash text not null
);

-- The one way into the audit: it works as the owner of the tables, and its search_path is fixed, so
-- that nothing of the caller's takes the place of ours. Scopes are locked in one order, and the lock of
-- a head is the last one that a transaction takes, so that no two wait for each other.
create function control.append_audit(entries jsonb) returns setof control.audit
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  given jsonb;
  head control.audit_heads;
  made control.audit;
begin
  for given in
    select e.value from jsonb_array_elements(entries) with ordinality e(value, place)
    order by e.value ->> 'scope' collate "C", e.place
  loop
    made.scope := given ->> 'scope';
    insert into control.audit_heads (scope, number, hash) values (made.scope, 0, repeat('0', 64))
      on conflict do nothing;
    select * into strict head from control.audit_heads h where h.scope = made.scope for update;
    made.number := head.number + 1;
    made.at := date_trunc('milliseconds', clock_timestamp());
    made.actor_kind := given ->> 'actor_kind';
    made.actor_id := given ->> 'actor_id';
    made.person_id := given ->> 'person_id';
    made.act := given ->> 'act';
    made.record := given ->> 'record';
    made.address := given ->> 'address';
    made.request_id := given ->> 'request_id';
    made.outcome := given ->> 'outcome';
    made.body := json_build_object(
      'scope', made.scope, 'number', made.number,
      'at', to_char(made.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor_kind', made.actor_kind, 'actor_id', made.actor_id, 'person_id', made.person_id,
      'act', made.act, 'record', made.record, 'address', made.address,
      'request_id', made.request_id, 'outcome', made.outcome,
      'before', given -> 'before', 'after', given -> 'after')::text;
    made.previous_hash := head.hash;
    made.hash := encode(
      sha256(decode(made.previous_hash, 'hex') || convert_to(made.body, 'UTF8')), 'hex');
    insert into control.audit (scope, number, at, actor_kind, actor_id, person_id, act, record, address,
        request_id, outcome, body, previous_hash, hash)
      values (made.scope, made.number, made.at, made.actor_kind, made.actor_id, made.person_id, made.act, made.record,
        made.address, made.request_id, made.outcome, made.body, made.previous_hash, made.hash);
    update control.audit_heads h set number = made.number, hash = made.hash
      where h.scope = made.scope;
    return next made;
  end loop;
end $$;
revoke all on function control.append_audit(jsonb) from public;

-- What a cell of another server calls -------------------------------------------------------------

-- Held until the transaction ends, also where a cell on another server asks for it.
create function control.lock(key bigint) returns void
language sql set search_path = pg_catalog, pg_temp as $$
  select pg_advisory_xact_lock(key)
$$;

-- What another server inserts here is a call of a function; `rows` returns its result.
create view control.calls as
  select null::text as name, null::jsonb as arguments, null::jsonb as rows where false;

create function control.answer_call() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  case new.name
    when 'append_audit' then
      new.rows := (select coalesce(jsonb_agg(a), '[]') from control.append_audit(new.arguments) a);
    when 'lock' then perform control.lock(new.arguments::bigint);
  end case;
  return new;
end $$;
create trigger calls_answered instead of insert on control.calls
  for each row execute function control.answer_call();
