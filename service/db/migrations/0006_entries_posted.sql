-- class: online
-- Entries of a time, whichever Tenants they are of, by which a night finds what is new.
create index concurrently entries_posted on entries using brin ((coalesce(posted_at, created_at)))
  with (autosummarize = on);
