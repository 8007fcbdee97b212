-- That the hashes of what signs people in stand under the index key (rules/sign-in#20): the first start of this
-- release hashes those that are there once more, and no later one does.
create table control.keyed_secrets (
  one boolean primary key default true check (one),
  at timestamptz not null
);
