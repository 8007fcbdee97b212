-- What the ledger posted on the bank's money, the reserve and suspense, by the day of the posting.
create index entries_own on entries (tenant_id, pocket, (coalesce(posted_at, created_at)))
  include (delta) where pocket in ('cash', 'reserve', 'suspense');

-- Statements of the bank. Without a Tenant it is of the pooled bank account.
create table control.bank_statements (
  id uuid primary key,
  tenant_id uuid,
  day date not null,
  file_name text not null,
  sha256 text not null,
  line_count integer not null,
  total bigint not null,
  closing_balance bigint,
  uploader text not null,
  uploaded_at timestamptz not null
);
create unique index bank_statements_file on control.bank_statements
  (coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'), sha256);
create index bank_statements_newest on control.bank_statements (uploaded_at desc, id desc);

create table control.bank_statement_lines (
  statement_id uuid not null,
  line integer not null,
  amount bigint not null,
  reference text,
  description text,
  primary key (statement_id, line)
);

create trigger bank_statements_append_only before update or delete or truncate
  on control.bank_statements for each statement execute function refuse_change();
create trigger bank_statement_lines_append_only before update or delete or truncate
  on control.bank_statement_lines for each statement execute function refuse_change();
