import { changedLeaves, leavesOf } from '@tenant-payments/contract/core/setting_leaves.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { type SettingsRow, unprovenSettings } from '@tenant-payments/engine/settings.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { type Kysely, sql } from 'kysely';

type Limits = Pick<Settings, 'limits'>;

interface Found extends SettingsRow {
  /** Changes of limits within seven days, the latest first. */
  readonly changes: readonly {
    /** Two people made it, or the command line. */
    readonly is_settled: boolean;
    readonly before: Limits;
    readonly after: Limits;
  }[];
}

/** The values of limits by their paths. */
export type LimitsAgo = ReturnType<typeof leavesOf>;

/**
 * The limits against which a change by one person is held: each as it was seven days ago, or when two people or the
 * command line changed it since. So several changes of one person count together (rules/approvals#11). A limit that
 * nobody has changed is there as it is now, so that changes that are under way at once count together too.
 */
export async function limitsWeekAgo(db: Kysely<Database>, tenantId: string): Promise<LimitsAgo> {
  const { rows } = await sql<Found>`
    with made as (
      select a.number, a.body::jsonb as body, a.actor_kind = 'command_line' or exists (
          select from control.audit p where p.scope = a.scope and p.act = 'approveApproval'
            and p.outcome = 'done' and p.request_id = a.request_id) as is_settled
      from control.audit a where a.scope = ${tenantId} and a.act = 'putSettings' and a.outcome = 'done'
        and a.at > now() - interval '7 days')
    select t.name, t.settings, coalesce((
      select jsonb_agg(jsonb_build_object('is_settled', m.is_settled,
          'before', jsonb_build_object('limits', m.body -> 'before' -> 'limits'),
          'after', jsonb_build_object('limits', m.body -> 'after' -> 'limits')) order by m.number desc)
      from made m where m.body -> 'before' ? 'limits'), '[]') as changes
    from tenants t where t.tenant_id = ${tenantId}`.execute(db);
  const [found] = rows;
  if (!found) return new Map();
  const { limits } = unprovenSettings(found);
  const ago = new Map(leavesOf({ limits }));
  const settled = new Set<string>();
  for (const { is_settled, before, after } of found.changes)
    for (const { field, before: value } of changedLeaves(before, after)) {
      if (is_settled) settled.add(field);
      if (!settled.has(field)) ago.set(field, value);
    }
  return ago;
}
