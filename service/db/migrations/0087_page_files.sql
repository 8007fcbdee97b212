-- Scripts and styles as each release builds them: a process whose own build has another one serves them from here,
-- while two releases run side by side (rules/hosted#50). The mark is an HMAC over name and content, so that whoever
-- can write rows, and has no key, puts no script into a page.
create table control.page_files (
  name text not null,
  mark text not null,
  packed bytea not null,
  served_at timestamptz not null,
  primary key (name, mark)
);
