-- An owner's consent that staff of the platform see the Tenant as a reader (rules/people#8).
create table control.support_consents (
  id uuid primary key,
  -- The Tenant.
  scope text not null,
  note text not null,
  -- Null: a program of the sandbox gave it.
  given_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index on control.support_consents (scope, created_at);

-- Who came in by a consent.
create table control.support_visits (
  id uuid primary key,
  consent_id uuid not null,
  scope text not null,
  person_id uuid not null,
  session_id uuid not null,
  entered_at timestamptz not null,
  -- It is over then, whatever happens.
  until timestamptz not null,
  left_at timestamptz
);
create index on control.support_visits (consent_id);

-- The visit that the session is on; null: it acts with the person's own roles.
alter table control.sessions add column visit_id uuid;
-- A session of the platform's provider may visit too.
alter table control.sessions drop constraint sessions_only_scope_check;
alter table control.sessions add constraint sessions_only_scope_check
  check ((opened_by = 'single_sign_on') = (only_scope is not null)
    and (only_scope is null or scope = only_scope or visit_id is not null));
