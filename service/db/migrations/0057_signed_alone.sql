-- Sample events that one secret alone signs, to test a receiver before the older secret is retired.
create table signed_alone (
  tenant_id uuid not null,
  event_id uuid not null,
  secret_id uuid not null,
  primary key (tenant_id, event_id)
);
