-- class: locks disputes, for less than 50 ms
-- The disputed amount is one that a reviewer has set, since nothing else says it (rules/disputes#8).
alter table disputes add column amount_by_staff boolean not null default false;
