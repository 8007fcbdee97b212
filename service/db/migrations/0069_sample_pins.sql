-- The sandbox gave this PIN to a customer whom it simulated: its pages may say what it is
-- (rules/hosted#42). A customer who sets a PIN on a page has a PIN of their own.
alter table pins add column is_sample boolean not null default false;
