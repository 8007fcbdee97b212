-- That the hashes of what signs people in stand under the index key (rules/sign-in#20): the first start of this
-- release hashes those that are there once more, and no later one does.
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
insert into control.known_rights (kind, name)
  select 'role', concat_ws(' ', scope, person_id, role) from control.roles;
insert into control.known_rights (kind, name)
  select 'passkey', concat_ws(' ', id, person_id, encode(sha256(convert_to(public_key, 'UTF8')), 'hex'))
  from control.person_passkeys;
insert into control.known_rights (kind, name)
  select 'api_key', concat_ws(' ', id, scope, person_id, key_hash, array_to_string(roles, ','))
  from control.api_keys;
