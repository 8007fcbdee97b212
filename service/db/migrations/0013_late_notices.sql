-- How late a customer gave notice of a dispute. Of notices before this migration it is not known.
alter table disputes add column notice_late_days integer not null default 0
  check (notice_late_days >= 0);
alter table disputes alter column notice_late_days drop default;
alter table disputes add constraint disputes_late_notice
  check (notice_late_days = 0 or not regulation_e);
