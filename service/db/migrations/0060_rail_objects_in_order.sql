-- class: online
-- What a provider must remember in the order of its ids, in which a poll walks it (rules/rails#13).
create index concurrently rail_objects_in_order on rail_objects (provider, kind, key collate "C");
