-- When the first of two admins approved, in real time: whoever has left staff since stands behind nothing.
alter table approvals add column first_approved_at timestamptz;
