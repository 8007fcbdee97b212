-- What changes of a session stands at its end: an update logs what lies between its first and its last change.
alter table sessions rename column status to old_status;
alter table sessions rename column gave_result to old_gave_result;
alter table sessions rename column ended_status to old_ended_status;
alter table sessions add column status text, add column gave_result boolean not null default false,
  add column ended_status text;
update sessions set status = old_status, gave_result = old_gave_result, ended_status = old_ended_status;
alter table sessions alter column status set not null,
  drop column old_status, drop column old_gave_result, drop column old_ended_status;

-- Room for an update on most pages: less of it writes more to the log, more of it more to the disk.
alter table sessions set (fillfactor = 60);
alter table payments set (fillfactor = 85);
