import { mayCall, type Role, staffRoles } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { approvalDays } from '../contract/operate/approvals.ts';
import { platform } from '../people/scope.ts';
import { actOf } from './acts.ts';
import type { ApprovalRow } from './table.ts';
import type { Outlook } from './view.ts';

/** Why somebody is no second person for a request (rules/approvals#19), as they are told. */
const whyDependent = {
  member_of_tenant: 'you are a member of the Tenant: somebody who is none must approve',
  invited_by_maker: 'who asks has invited you, or given you the role: somebody else must approve',
  role_too_new:
    'your role was given after the request, or within the last 24 hours: somebody else must approve',
} as const;

export type Dependence = keyof typeof whyDependent | null;

type Parts = Pick<Service, 'db' | 'clocks' | 'config'>;

type Asked = Pick<ApprovalRow, 'resource' | 'move' | 'maker_person' | 'lapses_at'>;

/** Roles of the caller `p` in which the act may be approved. */
const fitting = (may: readonly Role[]) => sql`(select r.* from control.roles r
  where r.scope = ${platform} and r.person_id = p.id
    and r.role = any(${staffRoles.filter((role) => mayCall(may, [role]))}::text[]))`;

/**
 * Whether the caller stands apart from who asked and from the Tenant acted on. A program stands for nobody,
 * and where one person may do everything nobody needs to.
 * @param tenantId acted on; null: the act is of no Tenant
 */
export async function dependenceOf(
  { db, clocks, config }: Parts,
  { personId }: Pick<Actor, 'personId'>,
  row: Asked,
  tenantId: string | null,
): Promise<Dependence> {
  if (!config.approvals || personId === null) return null;
  const fits = fitting(actOf(row)?.may ?? []);
  const others = sql`(r.granted_by = ${row.maker_person}) is not true`;
  const isOld = sql`(r.bootstrap or r.granted_at <= least(
    ${row.lapses_at}::timestamptz - ${sql.lit(`${approvalDays} days`)}::interval,
    ${instantOf(clocks.realNow())}::timestamptz - interval '24 hours'))`;
  const { rows } = await sql<{ why: Dependence }>`select case
      when exists (select from control.roles m where m.person_id = p.id and m.scope = ${tenantId})
        then 'member_of_tenant'
      when p.invited_by = ${row.maker_person} then 'invited_by_maker'
      when not exists (select from ${fits} r) then null
      when not exists (select from ${fits} r where ${others}) then 'invited_by_maker'
      when not exists (select from ${fits} r where ${others} and ${isOld}) then 'role_too_new'
    end as why from control.people p where p.id = ${personId}`.execute(db);
  return rows[0]?.why ?? null;
}

/** @throws ApiError forbidden, with the reason */
export function assertIndependent(why: Dependence): void {
  if (why !== null)
    throw fail('forbidden', { details: { reason: why }, message: whyDependent[why] });
}

/** What a request would do, and that it is not for this caller to approve. */
export const outlookFor = (outlook: Outlook, why: Dependence): Outlook =>
  why === null || outlook.obstacle !== null
    ? outlook
    : { ...outlook, obstacle: { code: 'forbidden', reason: why } };
