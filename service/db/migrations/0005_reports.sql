-- Statements and the daily reconciliation. Their files are not stored: they are read out of the
-- entries when they are downloaded, and a day that is over does not change (decisions 2.3).

-- What a day's report counts, by the instant of posting. Measured, it costs a payment 5 us and 300
-- bytes of WAL; a range index costs 3 us, and has each tenant's report read the entries of all.
create index entries_day on entries (tenant_id, (coalesce(posted_at, created_at)))
  where transaction_type is not null or pocket in ('fees_platform', 'fees_tenant');

-- What was begun before it was posted, by account: a statement goes by the instant of posting, and
-- `entries_transactions` by that of beginning. Withdrawals alone write it.
create index entries_posted_later on entries (tenant_id, account_id, posted_at)
  where posted_at is not null;

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
  revision integer not null default 1,
  constraint reconciliation_reports_id unique (tenant_id, id)
);
alter table reconciliation_reports add primary key (tenant_id, day);

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
  constraint statements_period unique (tenant_id, account_id, period_start),
  constraint statement_of_days check (period_start <= period_end)
);
alter table statements add primary key (tenant_id, id);

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

-- A tenant's calendar (jobs/calendar.ts), for those that are older than this release.
insert into due (tenant_id, what, ref, due_at, wake_at)
  select tenant_id, what, tenant_id, now(), now()
  from tenants, (values ('reconciliation'), ('statements')) recurring(what);

-- What closed before there were statements has a last one too.
insert into due (tenant_id, what, ref, due_at, wake_at)
  select tenant_id, 'account_statement', id, now(), now() from accounts where status = 'closed';
