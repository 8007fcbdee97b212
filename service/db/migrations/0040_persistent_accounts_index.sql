-- class: online
create index concurrently linked_accounts_persistent on linked_accounts (tenant_id, persistent_hash) where persistent_hash is not null;
