import { expect, test } from 'vitest';
import { missingOfOwners } from './moves.ts';
import type { OwnerRow } from './table.ts';

/** The reasons that a refused approval of a business names (rules/customers#12). */

const one = (role: OwnerRow['role'], status: OwnerRow['status'], percent: number | null = null) =>
  ({ id: crypto.randomUUID(), role, status, ownership_percent: percent }) as OwnerRow;
const approval = (verification_status: string) => ({ missing: 'approval', verification_status });
const noControl = { missing: 'control_person' };
const twoControls = { missing: 'one_control_person_only' };
test.each([
  ['nobody is named', [], [noControl]],
  ['an owner alone', [one('owner', 'approved', 60)], [noControl]],
  ['one who controls is in review', [one('control_person', 'in_review')], [approval('in_review')]],
  [
    'one of 25 % waits, one of 24 % may',
    [one('control_person', 'approved'), one('owner', 'invited', 25), one('owner', 'invited', 24)],
    [approval('invited')],
  ],
  [
    'two control, one is rejected',
    [one('control_person', 'approved'), one('owner_and_control_person', 'rejected', 10)],
    [twoControls, approval('rejected')],
  ],
  ['all is there', [one('owner_and_control_person', 'approved', 100)], []],
])('what the owners of a business lack: %s', (_name, people, missing) => {
  expect(missingOfOwners(people)).toMatchObject(missing);
  expect(missingOfOwners(people)).toHaveLength(missing.length);
});
