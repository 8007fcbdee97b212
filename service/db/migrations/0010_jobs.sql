-- What falls due is a job: the table and its columns are named for it.
alter table due rename to jobs;
alter table jobs rename column what to name;
alter index due_pkey rename to jobs_pkey;
alter index due_wake rename to jobs_wake;
alter table event_retention rename column blanked_until to redacted_until;
update jobs set name = 'event_redaction' where name = 'event_blanking';
