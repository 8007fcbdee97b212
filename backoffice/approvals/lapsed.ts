import { mayCall, type StaffRole, staffRoles } from '@tenant-payments/contract/core/roles.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import { type RawBuilder, sql } from 'kysely';
import { approvalActs, approvalDays } from '../contract/operate/approvals.ts';
import { held } from '../people/grant.ts';
import { platform } from '../people/scope.ts';
import { people, roleGrants } from '../people/table.ts';
import { actOf } from '../review/move_act.ts';
import type { ApprovalRow } from './table.ts';

/** Why a request lapsed before its time (rules/approvals#18). */
export type LapsedBy = 'maker_left' | 'first_approver_left' | null;

/** A request as it is read, with who stands behind it now; absent: not asked. */
export type ReadApproval = ApprovalRow & { readonly lapsed_by?: LapsedBy };

/** A request that nobody decided in its time, or whose maker or first approver has left, has lapsed. */
export const hasLapsed = (
  { status, lapses_at, lapsed_by = null }: ReadApproval,
  realNow: Instant,
): boolean => status === 'waiting' && (lapsed_by !== null || lapses_at <= realNow);

/** `accounts.adjust reviewer`: the roles in which each act can be asked for. */
const asking = Object.entries(approvalActs).flatMap(([act, { may }]) =>
  staffRoles.filter((role) => mayCall(may, [role])).map((role) => `${act} ${role}`),
);
const further: StaffRole = 'admin';

/**
 * Whether that person is no longer on the staff with a fitting role held since then. A program is
 * no person.
 */
const hasLeft = (person: string, since: RawBuilder<unknown>, fits: RawBuilder<unknown>) => sql`
  (${sql.ref(person)} is not null and not exists (
    select from control.roles r join control.people p on p.id = r.person_id
    where r.scope = ${platform} and r.person_id::text = ${sql.ref(person)}
      and p.disabled_at is null and r.granted_at <= ${since} and ${fits}))`;

/** SQL of a request `t`: `LapsedBy`. */
export const lapsedBy = sql`case
  when ${hasLeft(
    't.maker_person',
    sql`t.lapses_at - ${sql.lit(`${approvalDays} days`)}::interval`,
    sql`t.resource || '.' || t.move || ' ' || r.role = any(${asking}::text[])`,
  )} then 'maker_left'
  when ${hasLeft(
    't.first_person',
    sql`coalesce(t.first_approved_at, 'infinity')`,
    sql`r.role = ${further}`,
  )} then 'first_approver_left' end`;

const daySeconds = 86_400;

/** When a request was made, in real time. */
export const askedAt = ({ lapses_at }: Pick<ApprovalRow, 'lapses_at'>): Instant =>
  addSeconds(lapses_at, -approvalDays * daySeconds);

type RequestPeople = Pick<
  ApprovalRow,
  'resource' | 'move' | 'maker_person' | 'first_person' | 'first_approved_at' | 'lapses_at'
>;

async function isThere(
  read: Read,
  id: string,
  since: Instant,
  fits: (role: StaffRole) => boolean,
): Promise<boolean> {
  const [person, grants] = await Promise.all([
    read.maybe(people, id),
    read.set(roleGrants, 'person_id', id),
  ]);
  const stands = held(grants).some(
    ({ scope, role, granted_at }) =>
      scope === platform && granted_at <= since && fits(role as StaffRole),
  );
  return person?.disabled_at === null && stands;
}

/** `LapsedBy` in a command: whoever leaves before its commit makes it run again, and lapse. */
export async function loadLapsedBy(read: Read, row: RequestPeople): Promise<LapsedBy> {
  const { maker_person: maker, first_person: first, first_approved_at: approvedAt } = row;
  const may = actOf(row)?.may ?? [];
  const [makerIsThere, firstIsThere] = await Promise.all([
    maker === null || isThere(read, maker, askedAt(row), (role) => mayCall(may, [role])),
    first === null ||
      approvedAt === null ||
      isThere(read, first, approvedAt, (role) => role === further),
  ]);
  if (!makerIsThere) return 'maker_left';
  return firstIsThere ? null : 'first_approver_left';
}
