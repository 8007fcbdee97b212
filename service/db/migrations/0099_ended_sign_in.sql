-- What let somebody in is ended and stays: the engine deletes no row (rules/engine#36). The table of passkeys has a
-- name of its own, and readers see those that are held by the view of the old name.
alter table control.person_passkeys rename to passkeys;
alter table control.passkeys rename constraint person_passkeys_pkey to passkeys_pkey;
alter table control.passkeys rename constraint person_passkeys_credential_id_key to passkeys_credential_id_key;
alter index control.person_passkeys_person_id_idx rename to passkeys_person_id_idx;
alter trigger person_passkeys_revised on control.passkeys rename to passkeys_revised;
alter table control.passkeys add column removed_at timestamptz;
create view control.person_passkeys as select * from control.passkeys where removed_at is null;

alter table control.recovery_codes add column ended_at timestamptz;

-- By which the sessions of an identity provider are found when it is changed.
create index on control.sessions (only_scope) where ended_at is null;
