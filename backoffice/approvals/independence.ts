import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { held } from '../people/grant.ts';
import { platform } from '../people/scope.ts';
import { type PersonRow, people, type RoleGrantRow, roleGrants } from '../people/table.ts';
import { actOf } from '../review/move_act.ts';
import { askedAt } from './lapsed.ts';
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

/** Somebody who would approve, with the roles held. */
export interface Approver {
  readonly person: Pick<PersonRow, 'invited_by' | 'disabled_at'>;
  readonly grants: readonly RoleGrantRow[];
}

/** The roles on the staff that an approver still holds. */
export const staffRolesOf = ({ person, grants }: Approver): Role[] =>
  person.disabled_at === null
    ? grants.filter(({ scope }) => scope === platform).map(({ role }) => role)
    : [];

/** A program stands for nobody, and where one person may do everything nobody needs to. */
const personOf = ({ config }: Pick<Parts, 'config'>, { personId }: Pick<Actor, 'personId'>) =>
  config.approvals ? personId : null;

/** The same rows in a command, whose commit proves them. */
export async function loadApprover(
  read: Read,
  parts: Pick<Parts, 'config'>,
  actor: Pick<Actor, 'personId'>,
): Promise<Approver | null> {
  const id = personOf(parts, actor);
  if (id === null) return null;
  const [person, grants] = await Promise.all([
    read.one(people, id),
    read.set(roleGrants, 'person_id', id),
  ]);
  return { person, grants: held(grants) };
}

async function readApprover(
  parts: Pick<Parts, 'db' | 'config'>,
  actor: Pick<Actor, 'personId'>,
): Promise<Approver | null> {
  const id = personOf(parts, actor);
  if (id === null) return null;
  const [found, grants] = await Promise.all([
    sql<PersonRow>`select invited_by, disabled_at from control.people where id = ${id}`.execute(
      parts.db,
    ),
    sql<RoleGrantRow>`select scope, role, granted_at, granted_by, bootstrap from control.roles
      where person_id = ${id}`.execute(parts.db),
  ]);
  const [person] = found.rows;
  return person ? { person, grants: grants.rows } : null;
}

const daySeconds = 86_400;

/**
 * Whether the approver stands apart from who asked and from the Tenant acted on.
 * @param tenantId acted on; null: the act is of no Tenant
 */
export function dependenceIn(
  approver: Approver | null,
  row: Asked,
  { tenantId, realNow }: { readonly tenantId: string | null; readonly realNow: Instant },
): Dependence {
  if (!approver) return null;
  const { person, grants } = approver;
  const isMaker = (by: string | null) => by !== null && by === row.maker_person;
  if (grants.some(({ scope }) => scope === tenantId)) return 'member_of_tenant';
  if (isMaker(person.invited_by)) return 'invited_by_maker';
  const may = actOf(row)?.may ?? [];
  const fits = grants.filter(({ scope, role }) => scope === platform && mayCall(may, [role]));
  if (fits.length === 0) return null;
  const others = fits.filter(({ granted_by }) => !isMaker(granted_by));
  if (others.length === 0) return 'invited_by_maker';
  const asked = askedAt(row);
  const dayAgo = addSeconds(realNow, -daySeconds);
  const isOld = ({ bootstrap, granted_at }: RoleGrantRow) =>
    bootstrap || (granted_at <= asked && granted_at <= dayAgo);
  return others.some(isOld) ? null : 'role_too_new';
}

/** The same outside a command, for a list. */
export const dependenceOf = async (
  parts: Parts,
  actor: Pick<Actor, 'personId'>,
  row: Asked,
  tenantId: string | null,
): Promise<Dependence> => {
  const realNow = instantOf(parts.clocks.realNow());
  return dependenceIn(await readApprover(parts, actor), row, { tenantId, realNow });
};

/** @throws ApiError forbidden, with the reason */
export function assertIndependent(why: Dependence): void {
  if (why !== null)
    throw fail('forbidden', { details: { reason: why }, message: whyDependent[why] });
}

/** The outlook of a request as this caller sees it, who may be somebody that does not count. */
export const outlookFor = (outlook: Outlook, why: Dependence): Outlook =>
  why === null || outlook.obstacle !== null
    ? outlook
    : { ...outlook, obstacle: { code: 'forbidden', reason: why } };
