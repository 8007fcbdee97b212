-- What belongs to no Tenant is the platform's, whose id is nil, and has a revision: the engine reads and changes it
-- as any Tenant's rows (rules/engine#36).
create function control.raise_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;

-- The trigger is a bridge: an update past the engine counts as a change too, so that a command which has read the row
-- decides again. It goes when no statement updates these tables by itself.
do $$ declare name text; begin
  foreach name in array array['alarms', 'api_keys', 'approvals', 'device_sign_ins', 'identities',
    'identity_providers', 'invitations', 'people', 'person_passkeys', 'recovery_codes', 'revoked_qr_keys', 'roles',
    'sessions', 'sign_in_attempts', 'sign_in_links', 'support_consents', 'support_visits', 'used_challenges'] loop
    execute format('alter table control.%I
      add column tenant_id uuid not null default ''00000000-0000-0000-0000-000000000000'',
      add column revision integer not null default 1', name);
    execute format('create trigger %I before update on control.%I for each row
      when (new.revision = old.revision) execute function control.raise_revision()', name || '_revised', name);
  end loop;
end $$;

-- A bank statement is a Tenant's or, of the pooled account, the platform's. Nothing updates these two.
alter table control.bank_statements add column revision integer not null default 1;
alter table control.bank_statement_lines
  add column tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  add column revision integer not null default 1;
alter table control.bank_statements disable trigger bank_statements_append_only;
update control.bank_statements set tenant_id = '00000000-0000-0000-0000-000000000000' where tenant_id is null;
alter table control.bank_statements enable trigger bank_statements_append_only;
alter table control.bank_statements alter column tenant_id set default '00000000-0000-0000-0000-000000000000';
alter table control.bank_statements alter column tenant_id set not null;
