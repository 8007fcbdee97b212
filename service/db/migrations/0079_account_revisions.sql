-- A balance carries its account's revision: a posting checks it in the row that it changes, instead of locking
-- the account's row too (rules/records#12).
alter table balances add column account_revision integer not null default 1;
update balances b set account_revision = a.revision from accounts a
  where a.tenant_id = b.tenant_id and a.id = b.account_id and a.revision <> 1;
