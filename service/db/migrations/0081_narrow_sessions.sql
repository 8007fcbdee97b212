-- Hashes of a session's tokens are 128 bits instead of 64 digits, and its updates find room on their page, so that
-- they change no index.
alter table sessions
  alter column token_hash type uuid using left(token_hash, 32)::uuid,
  alter column bearer_hash type uuid using left(bearer_hash, 32)::uuid,
  alter column result_token_hash type uuid using left(result_token_hash, 32)::uuid,
  set (fillfactor = 50);

-- An update of a delivery changes what its indexes hold, so room on its page saves nothing.
alter table deliveries reset (fillfactor);
