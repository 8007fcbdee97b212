-- class: online
-- What staff found out about a difference between the bank's statement and the ledger (rules/money-desk#14).
create table control.bank_statement_notes (
  id uuid not null,
  statement_id uuid not null,
  difference text not null,
  note text not null,
  cleared boolean not null,
  author text not null,
  created_at timestamptz not null,
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  revision integer not null default 1,
  primary key (id)
);
create index bank_statement_notes_of on control.bank_statement_notes (statement_id, created_at, id);
create trigger bank_statement_notes_append_only before delete or update on control.bank_statement_notes
  for each row execute function control.refuse_change();
create trigger bank_statement_notes_not_emptied before truncate on control.bank_statement_notes
  for each statement execute function control.refuse_change();
