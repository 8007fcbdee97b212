-- What a cell needs (rules/engine#32): its tables lie in a schema of any name, and several such schemas
-- may share a database, and with it the schema control.

-- A trigger of control must outlive the schema of the cell that made it.
create function control.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;

drop trigger audit_append_only on control.audit;
create trigger audit_append_only before update or delete on control.audit
  for each row execute function control.refuse_change();
create trigger audit_not_emptied before truncate on control.audit
  for each statement execute function control.refuse_change();
drop trigger audit_heads_append_only on control.audit_heads;
create trigger audit_heads_append_only before delete on control.audit_heads
  for each row execute function control.refuse_change();
create trigger audit_heads_not_emptied before truncate on control.audit_heads
  for each statement execute function control.refuse_change();
drop trigger bank_statements_append_only on control.bank_statements;
create trigger bank_statements_append_only before update or delete on control.bank_statements
  for each row execute function control.refuse_change();
create trigger bank_statements_not_emptied before truncate on control.bank_statements
  for each statement execute function control.refuse_change();
drop trigger bank_statement_lines_append_only on control.bank_statement_lines;
create trigger bank_statement_lines_append_only before update or delete on control.bank_statement_lines
  for each row execute function control.refuse_change();
create trigger bank_statement_lines_not_emptied before truncate on control.bank_statement_lines
  for each statement execute function control.refuse_change();

-- Row by row: a trigger for each statement never reaches the parts of a distributed table.
drop trigger entries_append_only on entries;
create trigger entries_append_only before update or delete on entries
  for each row execute function refuse_change();
create trigger entries_not_emptied before truncate on entries
  for each statement execute function refuse_change();
drop trigger events_append_only on events;
create trigger events_append_only before delete or update of tenant_id, id, type, object_type, object_id,
    version, sample, created_at, request_id, recorded_at on events
  for each row execute function refuse_change();
create trigger events_not_emptied before truncate on events
  for each statement execute function refuse_change();
drop trigger legal_texts_append_only on legal_texts;
create trigger legal_texts_append_only before update or delete on legal_texts
  for each row execute function refuse_change();
create trigger legal_texts_not_emptied before truncate on legal_texts
  for each statement execute function refuse_change();
drop trigger review_notes_append_only on review_notes;
create trigger review_notes_append_only before update or delete on review_notes
  for each row execute function refuse_change();
create trigger review_notes_not_emptied before truncate on review_notes
  for each statement execute function refuse_change();
drop trigger reviews_append_only on reviews;
create trigger reviews_append_only before update or delete on reviews
  for each row execute function refuse_change();
create trigger reviews_not_emptied before truncate on reviews
  for each statement execute function refuse_change();

-- A cell is moved by its write-ahead log, which has nothing of an unlogged table.
do $$ begin
  if current_schema() <> 'public' then alter table requests set logged; end if;
end $$;

-- The migrations whose part in control is done: the next cell of this database leaves it out.
create table control.migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);
insert into control.migrations (name) select name from schema_migrations;
