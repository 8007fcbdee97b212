-- class: online
-- The enabled endpoints beside the first one, with the types that each gets; null: there are none (rules/webhooks#36).
alter table tenants add column delivers_to jsonb;
