-- Single sign-on by OpenID Connect (rules/single-sign-on#1). A scope is `platform`, or the id of a Tenant.
create table control.identity_providers (
  scope text primary key,
  issuer text not null,
  client_id text not null,
  client_secret_sealed text not null,
  -- Nobody but the last owner or admin acts here after another way to sign in.
  required boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Whom a provider means. It counts in its own scope alone, whichever scope trusts the same issuer.
create table control.identities (
  scope text not null,
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (scope, issuer, subject),
  unique (scope, person_id)
);
create index on control.identities (person_id);

-- Attempts on their way through a provider. One is deleted when it comes back, however it ends.
create table control.sign_in_attempts (
  state_hash text primary key,
  scope text not null,
  nonce text not null,
  verifier text not null,
  -- The cookie of the browser that began it, hashed.
  browser_hash text not null,
  purpose text not null check (purpose in ('sign_in', 'step_up', 'link')),
  -- The session that steps up or links.
  session_id uuid check ((session_id is null) = (purpose = 'sign_in')),
  return_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on control.sign_in_attempts (expires_at);

alter table control.sessions drop constraint sessions_opened_by_check;
alter table control.sessions add constraint sessions_opened_by_check
  check (opened_by in ('passkey', 'recovery_code', 'sandbox_link', 'single_sign_on'));
-- The one scope that a session may act in: its provider answers for no other.
alter table control.sessions add column only_scope text;
alter table control.sessions add constraint sessions_only_scope_check
  check ((opened_by = 'single_sign_on') = (only_scope is not null)
    and (only_scope is null or scope = only_scope));
