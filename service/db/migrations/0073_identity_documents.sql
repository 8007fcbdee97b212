-- class: online
-- Documents that the vault keeps, each under a key of its own (rules/identity#13).
create table identity_documents (
  tenant_id uuid not null,
  id uuid not null,
  record_id uuid not null,
  customer_id uuid not null,
  kind text not null
    check (kind in ('photo_id', 'proof_of_address', 'tax_document', 'business_document')),
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'application/pdf')),
  bytes integer not null,
  key_sealed text not null, -- the key of its content
  received_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, id)
);
create index identity_documents_record_id on identity_documents (tenant_id, record_id);
create index identity_documents_customer_id on identity_documents (tenant_id, customer_id);
