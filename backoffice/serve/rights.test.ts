import { type Role, roles } from '@tenant-payments/contract/core/roles.ts';
import type { ApiError } from '@tenant-payments/engine/fail.ts';
import { expect, test } from 'vitest';
import {
  type Calling,
  expectedVerdict,
  ofPlatformAlone,
  operations,
  type Verdict,
  verdictOf,
} from '../../test/kit/rights.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { assertMay } from './rights.ts';

/** The decisions of the rights (rules/people#2). That each route asks them is in guard.test.ts. */

const ways = (['sandbox', 'production'] as const).flatMap((environment) =>
  ([undefined, 'on', 'over'] as const).flatMap((visit) =>
    [false, true].flatMap((isFresh) =>
      [false, true].flatMap((isTenantNamed) =>
        [false, true].map((isProgram) => ({
          environment,
          visit,
          isFresh,
          isTenantNamed,
          isProgram,
        })),
      ),
    ),
  ),
);

function decided(row: PortalEndpoint, calling: Calling): Verdict {
  const { roles, isTenantNamed, isFresh, visit, environment, isProgram } = calling;
  const tenantId = isTenantNamed ? 'a Tenant' : '';
  try {
    const actor = isProgram
      ? ({ kind: 'client', personId: null, roles } as const)
      : ({ kind: 'person', personId: 'prs_1', roles } as const);
    assertMay(row, { actor, tenantId, isFresh, visit }, environment);
    return 'answered';
  } catch (error) {
    return verdictOf(error as ApiError, row);
  }
}

const holders: readonly (readonly [string, readonly Role[]])[] = [
  ...roles.map((role) => [role, [role]] as const),
  ['whoever has no role', []],
];

test.each(holders)('%s may do exactly what the table says, in every way to call', (_, roles) => {
  const wrong: object[] = [];
  for (const row of operations)
    for (const way of ways) {
      const found = decided(row, { roles, ...way });
      const wanted = expectedVerdict(row, { roles, ...way });
      if (found !== wanted) wrong.push({ id: row.id, ...way, found, wanted });
    }
  expect(wrong).toEqual([]);
});

test('what is of the platform is closed to a program, or says that it answers about one Tenant alone', () => {
  const closed = operations.filter(
    ({ of, ownTenant }) => of !== 'tenant' && of !== 'person' && !ownTenant,
  );
  expect(closed.map(({ id }) => id).sort()).toEqual([...ofPlatformAlone].sort());
  const odd = operations.filter(
    ({ of, ownTenant }) => (of === 'tenant' || of === 'person') && ownTenant,
  );
  expect(odd).toEqual([]);
});
