import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import { settingOwners } from '@tenant-payments/contract/core/setting_facts.ts';
import type { FeeRule, Settings } from '@tenant-payments/contract/core/settings.ts';
import { fail } from '@tenant-payments/engine/fail.ts';

type Owner = FeeRule['type'];

const ownerRoles = { platform: ['admin'], tenant: ['developer'] } as const;

/** The rules of one type, whatever their order. */
const rulesOf = (rules: readonly FeeRule[], type: Owner): string =>
  JSON.stringify(
    rules
      .filter((rule) => rule.type === type)
      .map(({ payment_type, source, basis_points, fixed, paid_by }) =>
        JSON.stringify([payment_type, source, basis_points, fixed, paid_by]),
      )
      .sort(),
  );

/** The owners whose settings a change of this key touches. */
function touchedBy(key: keyof Settings, now: Settings, changes: Partial<Settings>): Owner[] {
  const owner = settingOwners[key];
  if (owner !== 'by_type') return [owner];
  const fees = changes.fees ?? now.fees;
  return (['platform', 'tenant'] as const).filter(
    (type) => rulesOf(fees, type) !== rulesOf(now.fees, type),
  );
}

/**
 * Holds each key of a change against who may set it (rules/operations#49).
 * @throws ApiError forbidden, param: the key; details.owner: whose it is
 */
export function assertOwnSettings(
  roles: readonly Role[],
  now: Settings,
  changes: Partial<Settings>,
): void {
  for (const key of Object.keys(changes) as (keyof Settings)[])
    for (const owner of touchedBy(key, now, changes)) {
      if (mayCall(ownerRoles[owner], roles)) continue;
      throw fail('forbidden', {
        param: key,
        details: { owner, roles: ownerRoles[owner] },
        message: `${key} is a setting of the ${owner === 'tenant' ? 'Tenant' : 'platform'}`,
      });
    }
}
