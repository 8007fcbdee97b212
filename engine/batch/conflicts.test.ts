import { expect, test } from 'vitest';
import { connectionLost } from '../lost.ts';
import { constraintFailure, mustRerun } from './conflicts.ts';

test.each([
  [{ code: '40001' }, true],
  [{ code: '25P02' }, true],
  [{ code: '23505', constraint: 'payments_pkey' }, true],
  [{ code: '23505', constraint: 'payments_pkey_102008' }, true],
  [{ code: '23514', constraint: 'pocket_not_negative_102014' }, true],
  [{ code: '23514', constraint: 'events_body' }, false],
  [
    {
      code: '23505',
      message: 'duplicate key value violates unique constraint "bank_statements_file_key"',
    },
    true,
  ],
  [
    {
      code: '23514',
      message: 'new row for relation "pockets" violates check constraint "pocket_not_negative"',
    },
    true,
  ],
  [{ code: '22003', message: 'value "payments_pkey" is out of range' }, false],
  [{ code: '22003' }, false],
])('a commit that failed with %o is decided again: %s', (failure, again) => {
  expect(mustRerun(failure)).toBe(again);
  expect(connectionLost(failure)).toBe(false);
});

test.each(['linked_accounts_active', 'linked_accounts_active_102031'])(
  'the constraint %s refuses with its own code',
  (constraint) => expect(constraintFailure({ constraint })?.code).toBe('linked_account_exists'),
);

test.each(['28000', '28P01', '3D000', '53300', '57P01'])(
  'a database that says %s is away',
  (code) => {
    expect([connectionLost({ code }), mustRerun({ code })]).toEqual([true, false]);
  },
);
