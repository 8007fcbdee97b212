-- class: online
-- What production would have answered to a call that the sandbox took (rules/sandbox#47); null: the same.
alter table requests add column refused_in_production text;
