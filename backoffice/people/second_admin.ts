import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { platformApprovalNeeded } from '../approvals/platform/needed.ts';
import { isBootstrapping } from './bootstrap.ts';
import { platform, type Queryable } from './scope.ts';
import { emailOf } from './sign_in/secrets.ts';

/** What one admin does not do alone to the staff (rules/approvals#21). */

type Parts = Pick<Service, 'clocks' | 'config'>;

const approving: readonly Role[] = ['admin', 'reviewer'];
export const mayApprove = (roles: readonly Role[]): boolean =>
  roles.some((role) => approving.includes(role));

/** The roles that an address holds on the platform. */
async function rolesOf(db: Queryable, email: string): Promise<Role[]> {
  const { rows } = await db.query<{ role: Role }>(
    `select r.role from control.roles r join control.people p on p.id = r.person_id
     where r.scope = $1 and p.email = $2`,
    [platform, emailOf(email)],
  );
  return rows.map(({ role }) => role);
}

/** Whether the command line gave the caller the role within a day of the first admin, which is not over. */
async function isFirstOperator(
  db: Queryable,
  { clocks }: Parts,
  { personId }: Pick<Actor, 'personId'>,
): Promise<boolean> {
  if (!(await isBootstrapping(db, platform, instantOf(clocks.realNow())))) return false;
  const { rowCount } = await db.query(
    'select from control.roles where scope = $1 and person_id = $2 and bootstrap limit 1',
    [platform, personId],
  );
  return rowCount !== 0;
}

type Given = Parameters<typeof platformApprovalNeeded<'staff'>>[1];

/** @returns whether it is done by one only because the platform is being set up @throws ApiError invalid_state */
async function assertGiving(db: Queryable, parts: Parts, by: Actor, move: Given): Promise<boolean> {
  if (!parts.config.approvals) return false;
  if (await isFirstOperator(db, parts, by)) return true;
  throw platformApprovalNeeded('staff', move);
}

/** An invitation of staff that one admin makes. @throws ApiError invalid_state {reason: approval_required} */
export async function assertInvitesAlone(
  db: Queryable,
  parts: Parts,
  by: Actor,
  { email, roles }: { readonly email: string; readonly roles: readonly Role[] },
): Promise<boolean> {
  const isOf = mayApprove([...roles, ...(await rolesOf(db, email))]);
  return isOf && (await assertGiving(db, parts, by, 'invite'));
}

/** A change of the roles of staff by one admin. @throws ApiError invalid_state {reason: approval_required} */
export async function assertChangesAlone(
  db: Queryable,
  parts: Parts,
  by: Actor,
  { before, after }: { readonly before: readonly Role[]; readonly after: readonly Role[] },
): Promise<boolean> {
  if (parts.config.approvals && before.includes('admin') && !after.includes('admin'))
    throw platformApprovalNeeded('staff', after.length === 0 ? 'remove' : 'change');
  const isGiven = mayApprove(after.filter((role) => !before.includes(role)));
  return isGiven && (await assertGiving(db, parts, by, 'change'));
}
