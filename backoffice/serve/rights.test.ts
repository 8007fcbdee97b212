import { type Role, roles } from '@tenant-payments/contract/core/roles.ts';
import type { ApiError } from '@tenant-payments/engine/fail.ts';
import { expect, test } from 'vitest';
import {
  type Calling,
  expectedVerdict,
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
      [false, true].map((isTenantNamed) => ({ environment, visit, isFresh, isTenantNamed })),
    ),
  ),
);

function decided(row: PortalEndpoint, calling: Calling): Verdict {
  const { roles, isTenantNamed, isFresh, visit, environment } = calling;
  const tenantId = isTenantNamed ? 'a Tenant' : '';
  try {
    assertMay(row, { actor: { roles }, tenantId, isFresh, visit }, environment);
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
