-- People of the platform and of its Tenants (rules/sign-in#1). They belong to no Tenant, so they are in
-- a schema of their own, whose keys do not begin with tenant_id (rules/engine#31).
do $$ begin
  if to_regnamespace('control') is null then create schema control; end if;
exception when insufficient_privilege then
  raise exception 'the login % may not create the schema control. Run as the owner of the database: create schema control authorization %',
    current_user, quote_ident(current_user);
end $$;

create table control.people (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  -- What a passkey knows the person by: random, so that it holds no personal data.
  passkey_handle text not null unique,
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table control.person_passkeys (
  id uuid primary key,
  person_id uuid not null,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index on control.person_passkeys (person_id);

create table control.recovery_codes (
  person_id uuid not null,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);

-- Scope: `platform`, or the id of a Tenant.
create table control.roles (
  scope text not null,
  person_id uuid not null,
  role text not null,
  granted_at timestamptz not null,
  primary key (scope, person_id, role)
);
create index on control.roles (person_id);

create table control.invitations (
  id uuid primary key,
  -- `reset` gives no role: it replaces the passkeys of a person.
  kind text not null check (kind in ('join', 'reset')),
  scope text not null,
  email text not null check (email = lower(email)),
  roles text[] not null,
  token_hash text not null unique,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create index on control.invitations (scope, created_at);

create table control.sessions (
  id uuid primary key,
  token_hash text not null unique,
  person_id uuid not null,
  -- Where it acts; null while the person has no role at all.
  scope text,
  -- What opened it. After a recovery code it does nothing before a new passkey is made.
  opened_by text not null check (opened_by in ('passkey', 'recovery_code', 'sandbox_link')),
  wants_passkey boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  stepped_up_at timestamptz,
  address text not null,
  browser text not null,
  ended_at timestamptz,
  end_reason text
);
create index on control.sessions (person_id, created_at);

-- Challenges that were answered: each is good once.
create table control.used_challenges (
  nonce text primary key,
  expires_at timestamptz not null
);

-- Failed attempts to sign in, of an address or a person, since the first of the last 15 minutes.
create table control.failed_attempts (
  counted_for text primary key,
  since timestamptz not null,
  failures integer not null
);

-- Links that sign a sample person in; only a sandbox makes them.
create table control.sign_in_links (
  token_hash text primary key,
  person_id uuid not null,
  scope text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
