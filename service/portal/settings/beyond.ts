import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { settingTimes } from '@tenant-payments/contract/portal/operate/approvals.ts';
import { type Kysely, sql } from 'kysely';
import { fail } from '../../core/fail.ts';
import type { Database } from '../../resources/database.ts';
import { changedLeaves, type LeafChange, leavesOf } from './leaves.ts';

/** A limit of null is none. */
const isRaised = ({ before, after }: LeafChange): boolean =>
  typeof before === 'number' && (after === null || Number(after) > before * settingTimes);

/** A fee that is gone is none. */
const isLowered = ({ before, after }: LeafChange): boolean =>
  typeof before === 'number' && Number(after) * settingTimes < before;

/** Which values one person does not change so far, and what makes a change too large. */
const rules = [
  { of: /^limits\./, isBeyond: isRaised },
  { of: /^fees\.platform\..+\.(?:basis_points|fixed)$/, isBeyond: isLowered },
];

/**
 * The keys as they were a day ago, or when two people or the command line set them since: several changes of
 * one person count together.
 */
async function aDayAgo(db: Kysely<Database>, tenantId: string): Promise<Partial<Settings>> {
  const { rows } = await sql<{ key: string; value: unknown }>`
    with made as (
      select a.number, a.body::jsonb as body, a.actor_kind = 'command_line' or exists (
          select from control.audit p where p.scope = a.scope and p.act = 'approveApproval'
            and p.outcome = 'done' and p.request_id = a.request_id) as is_settled
      from control.audit a where a.scope = ${tenantId} and a.act = 'putSettings' and a.outcome = 'done'
        and a.at > now() - interval '24 hours')
    select distinct on (k.key) k.key, m.body -> 'before' -> k.key as value
    from made m cross join lateral jsonb_object_keys(m.body -> 'before') k(key)
    where not m.is_settled and not exists (
      select from made s where s.is_settled and s.number > m.number and s.body -> 'before' ? k.key)
    order by k.key, m.number`.execute(db);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** @throws ApiError invalid_state {reason: approval_required, changes}: which values, and how far */
export async function assertOnePerson(
  { db, tenantId }: { readonly db: Kysely<Database>; readonly tenantId: string },
  now: Settings,
  changes: Partial<Settings>,
): Promise<void> {
  const changed = changedLeaves(now, { ...now, ...changes });
  const judged = changed.filter(({ field }) => rules.some(({ of }) => of.test(field)));
  if (judged.length === 0) return;
  const was = leavesOf({ ...now, ...(await aDayAgo(db, tenantId)) });
  const beyond = judged
    .map((change) => ({ ...change, before: was.get(change.field) ?? null }))
    .filter((change) =>
      rules.some(({ of, isBeyond }) => of.test(change.field) && isBeyond(change)),
    );
  if (beyond.length === 0) return;
  throw fail('invalid_state', {
    details: { current_status: null, allowed: [], reason: 'approval_required', changes: beyond },
    message: `a second person must approve ${beyond.map(({ field }) => field).join(', ')}: ask by POST /portal/api/approvals with resource settings, id settings, move change, and the same body as settings`,
  });
}
