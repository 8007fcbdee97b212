-- class: online
-- The load that a notice names by its Transaction: another bank may recall it (rules/disputes#7).
alter table disputes add column disputed_load_id uuid;
