-- class: online
-- The change for which a term waits, a row for each term that has ever waited (rules/documents#29).
create table waiting_terms (
  tenant_id uuid not null,
  field text not null,
  change_id uuid, -- null: it waits for none
  revision integer not null default 1,
  primary key (tenant_id, field)
);
