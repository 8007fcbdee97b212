-- The instant of real time from which a setting strikes nothing more; null: it strikes until it is put anew.
alter table chaos add column ends_at timestamptz;
