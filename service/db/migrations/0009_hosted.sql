-- What happens in a customer's hands between the opening of a session and its end.

-- Of a session that was opened; sessions themselves stay as narrow as a payment needs them.
create table session_progress (
  tenant_id uuid not null,
  session_id uuid not null,
  challenge text,
  pin_proven boolean not null,
  codes_sent integer not null,
  code_hash text,
  code_tries integer not null,
  code_expires_at timestamptz,
  code_verified boolean not null,
  proven_email text,
  proven_mobile_hmac text,
  proven_mobile_sealed text,
  proven_mobile_last4 text,
  revision integer not null default 1,
  primary key (tenant_id, session_id),
  check (codes_sent between 0 and 5),
  check (code_tries between 0 and 5)
);

insert into session_progress (tenant_id, session_id, pin_proven, codes_sent, code_tries, code_verified)
  select tenant_id, id, false, 0, 0, false from sessions where opened_at is not null;

create table passkeys (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null check (counter >= 0),
  transports text not null,
  created_at timestamptz not null,
  revision integer not null default 1
);
create unique index passkeys_credential on passkeys (tenant_id, credential_id)
  where credential_id is not null;
create index passkeys_customer on passkeys (tenant_id, customer_id);
alter table passkeys add primary key (tenant_id, id);

-- `attempts` counts those that are open or failed, `failures` those that are known to be wrong.
alter table pins add column failures integer not null default 0;
alter table pins add column attempted_at timestamptz;
update pins set failures = attempts;
alter table pins add check (failures between 0 and attempts);
