-- Where a session was last used from, and since when it waits for its person's proof because network and
-- browser have both changed (rules/sign-in#19).
alter table control.sessions add column last_address text;
alter table control.sessions add column last_browser text;
update control.sessions set last_address = address, last_browser = browser;
alter table control.sessions alter column last_address set not null;
alter table control.sessions alter column last_browser set not null;
alter table control.sessions add column moved_at timestamptz;
