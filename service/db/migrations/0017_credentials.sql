-- PIN resets that failed, over the customer's life; which PIN or passkey a page has proven; what a
-- passkey is, and when it was used and removed.

alter table pins add column reset_failures integer not null default 0
  check (reset_failures between 0 and 10);
alter table pins add column generation integer not null default 1;

alter table session_progress add column proven_pin integer;
update session_progress set proven_pin = 1 where pin_proven;
alter table session_progress drop column pin_proven;
alter table session_progress add column proven_passkey_id uuid;

alter table passkeys add column aaguid text not null default '';
alter table passkeys add column last_used_at timestamptz;
alter table passkeys add column removed_at timestamptz;
