-- Keys of QR codes that no process takes any more, whatever its ring holds (rules/keys#12).
create table control.revoked_qr_keys (
  key_id text primary key,
  revoked_at timestamptz not null
);
