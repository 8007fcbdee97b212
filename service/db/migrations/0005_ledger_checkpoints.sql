-- class: online
-- Sealed checkpoints of each Tenant's ledger (rules/invariants#24): a night's proof begins at the last one.

-- Each is of a segment: the entries posted from `since` until `until`, by the Tenant's clock.
create table ledger_checkpoints (
  tenant_id uuid not null,
  number bigint not null,
  since timestamptz, -- null: from the first entry on
  until timestamptz not null,
  proven_at timestamptz not null, -- by the database's clock, when the proof that held began
  entries bigint not null, -- of the segment, as the five sums are
  cash bigint not null,
  fees_platform bigint not null,
  fees_tenant bigint not null,
  reserve bigint not null,
  suspense bigint not null,
  entries_hash text not null,
  accounts_hash text not null, -- of its rows of the table below
  previous_hash text not null,
  hash text not null,
  primary key (tenant_id, number)
);

-- What each account held at `until`; a row where it moved since the checkpoint before.
create table ledger_checkpoint_accounts (
  tenant_id uuid not null,
  account_id uuid not null,
  number bigint not null,
  entries bigint not null,
  available bigint not null,
  pending_outgoing bigint not null,
  earmarked bigint not null,
  ledger bigint not null,
  primary key (tenant_id, account_id, number)
);
create index ledger_checkpoint_accounts_number on ledger_checkpoint_accounts using brin (number)
  with (autosummarize = on);

create trigger ledger_checkpoints_append_only before update or delete on ledger_checkpoints
  for each row execute function refuse_change();
create trigger ledger_checkpoints_not_emptied before truncate on ledger_checkpoints
  for each statement execute function refuse_change();
create trigger ledger_checkpoint_accounts_append_only before update or delete on ledger_checkpoint_accounts
  for each row execute function refuse_change();
create trigger ledger_checkpoint_accounts_not_emptied before truncate on ledger_checkpoint_accounts
  for each statement execute function refuse_change();

-- The checkpoint at which a proof began; null: it was of the whole ledger.
alter table ledger_proofs add column since_checkpoint bigint;
