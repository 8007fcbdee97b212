-- A role that is taken away ends, and its row stays: the engine deletes nothing (rules/engine#36). Who reads
-- `control.roles` sees what is held.
alter table control.roles rename to role_grants;
alter table control.role_grants rename constraint roles_pkey to role_grants_pkey;
alter index control.roles_person_id_idx rename to role_grants_person_id_idx;
alter trigger roles_revised on control.role_grants rename to role_grants_revised;
alter table control.role_grants add column ended_at timestamptz;
create view control.roles as
  select scope, person_id, role, granted_at, granted_by, bootstrap, tenant_id, revision
  from control.role_grants where ended_at is null;
-- Commands find those of an address, of which a new one makes the others worth nothing.
create index on control.invitations (email);
