-- Ways in that were deleted once they were over are ended instead (rules/engine#36).
alter table control.sign_in_links add column ended_at timestamptz;
alter table control.device_sign_ins add column fetched_at timestamptz;

-- Of a scope one consent is open at a time, in whichever process it is given.
alter table control.support_consents add column is_open boolean not null default false;
update control.support_consents c set is_open = true where c.id in (
  select distinct on (scope) id from control.support_consents
  where ended_at is null and expires_at > now() order by scope, created_at desc);
create unique index support_consents_open_key on control.support_consents (scope) where is_open;

-- Providers and the accounts at them have names of their own, and readers see what holds by the views of the old names.
alter table control.identity_providers rename to sign_on_providers;
alter table control.sign_on_providers rename constraint identity_providers_pkey to sign_on_providers_pkey;
alter trigger identity_providers_revised on control.sign_on_providers rename to sign_on_providers_revised;
alter table control.sign_on_providers add column removed_at timestamptz;
create view control.identity_providers as select * from control.sign_on_providers where removed_at is null;

alter table control.identities rename to linked_identities;
alter table control.linked_identities rename constraint identities_pkey to linked_identities_pkey;
alter index control.identities_person_id_idx rename to linked_identities_person_id_idx;
alter trigger identities_revised on control.linked_identities rename to linked_identities_revised;
alter table control.linked_identities add column ended_at timestamptz;
alter table control.linked_identities drop constraint identities_scope_person_id_key;
create unique index linked_identities_person_key on control.linked_identities (scope, person_id)
  where ended_at is null;
create view control.identities as select * from control.linked_identities where ended_at is null;

alter table control.sign_in_attempts add column taken_at timestamptz;
create index on control.sign_in_attempts (scope) where taken_at is null;
