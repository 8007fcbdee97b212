-- A key with the role reviewer or admin lives a day at most (rules/api-keys#3). One that was made before ends with
-- the upgrade.
update control.api_keys set expires_at = least(expires_at, now())
  where roles && array['reviewer', 'admin'];
update control.device_sign_ins set key_expires_at = least(key_expires_at, now())
  where roles && array['reviewer', 'admin'];
