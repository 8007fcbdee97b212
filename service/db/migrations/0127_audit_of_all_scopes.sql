-- class: online
-- The audit of all scopes by time, and of one act, person, actor or record in them (rules/audit#13).
create index concurrently audit_all_times on control.audit (at, scope, number);
create index concurrently audit_all_acts on control.audit (act, at, scope, number);
create index concurrently audit_all_people on control.audit (person_id, at, scope, number);
create index concurrently audit_all_actors on control.audit (actor_id, at, scope, number);
create index concurrently audit_all_records on control.audit (record text_pattern_ops, at, scope, number);
