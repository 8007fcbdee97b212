-- Ways in that were deleted once they were over are ended instead (rules/engine#36).
alter table control.sign_in_links add column ended_at timestamptz;
