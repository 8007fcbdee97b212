import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { settingOwners } from '@tenant-payments/contract/core/setting_facts.ts';
import {
  defaultSettings,
  type FeeRule,
  Settings,
} from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import { assertOwnSettings } from './owners.ts';

/** The owner of each setting (rules/operations#49). settings.test.ts has that the service asks. */

const now = defaultSettings('Test Tenant');

/** The error; null: they may be set. */
function refusal(role: Role | 'both', changes: Partial<Settings>, before = now): unknown {
  try {
    assertOwnSettings(role === 'both' ? ['admin', 'owner'] : [role], before, changes);
    return null;
  } catch (error) {
    return error;
  }
}

const refused = (param: string, owner: string) =>
  expect.objectContaining({
    code: 'forbidden',
    param,
    details: expect.objectContaining({ owner }),
  });

const keys = Object.keys(Settings.properties) as (keyof Settings)[];
const owned = keys.filter((key) => settingOwners[key] !== 'by_type');

const sides = {
  platform: { mine: ['admin'], others: ['owner', 'developer', 'reviewer', 'finance'] },
  tenant: { mine: ['owner', 'developer'], others: ['admin', 'finance', 'reader'] },
} as const;

test.each(owned)('%s is set by its owner and refused to the others', (key) => {
  const owner = settingOwners[key] as keyof typeof sides;
  const changes = { [key]: now[key] };
  for (const role of sides[owner].mine) expect(refusal(role, changes)).toBeNull();
  for (const role of sides[owner].others)
    expect(refusal(role, changes)).toEqual(refused(key, owner));
  expect(refusal('both', changes)).toBeNull();
});

const rule = (type: FeeRule['type'], fixed: number): FeeRule => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 0,
  fixed,
  paid_by: 'payee',
});

test('of fees each side changes its own rules and gives the others unchanged', () => {
  const before = { ...now, fees: [rule('platform', 5), rule('tenant', 7)] };
  expect(refusal('owner', { fees: [rule('tenant', 8), rule('platform', 5)] }, before)).toBeNull();
  expect(refusal('admin', { fees: [rule('tenant', 7), rule('platform', 6)] }, before)).toBeNull();
  for (const [role, other] of [
    ['owner', 'platform'],
    ['admin', 'tenant'],
  ] as const)
    for (const fees of [[], [rule('platform', 1), rule('tenant', 1)]])
      expect(refusal(role, { fees }, before)).toEqual(refused('fees', other));
});

test('one key of somebody else keeps the others from being set', () => {
  expect(refusal('owner', { sandbox_mode: 'automatic', refund_window_days: 30 })).toEqual(
    refused('refund_window_days', 'platform'),
  );
});
