import { expect, test } from 'vitest';
import { singleChanges } from './statements.ts';

test('each change of a table is a statement of its own, whatever stands between parentheses', () => {
  expect(
    singleChanges(`alter table pay
      add primary key (tenant_id, id), add column a numeric(5, 2) not null default 0,
      add constraint b check (c in ('x', 'y'))`).map((one) => one.replace(/\s+/g, ' ')),
  ).toEqual([
    'alter table pay add primary key (tenant_id, id)',
    'alter table pay add column a numeric(5, 2) not null default 0',
    "alter table pay add constraint b check (c in ('x', 'y'))",
  ]);
});

test('the check of a new column gets the name that PostgreSQL would give it', () => {
  expect(
    singleChanges('alter table pay add column days integer not null check (days > 0)'),
  ).toEqual([
    'alter table pay add column days integer not null',
    'alter table pay add constraint pay_days_check check (days > 0)',
  ]);
});

test('what alters no table is left as it is', () => {
  const sql = 'create index on pay (a, b)';
  expect(singleChanges(sql)).toEqual([sql]);
});
