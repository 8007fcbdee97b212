import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { type Kysely, sql } from 'kysely';

/**
 * The keys that one person alone has changed within seven days, as they were before: seven days ago, or when two
 * people or the command line set them since. So several changes of one person count together (rules/approvals#11).
 */
export async function settingsWeekAgo(
  db: Kysely<Database>,
  tenantId: string,
): Promise<Partial<Settings>> {
  const { rows } = await sql<{ key: string; value: unknown }>`
    with made as (
      select a.number, a.body::jsonb as body, a.actor_kind = 'command_line' or exists (
          select from control.audit p where p.scope = a.scope and p.act = 'approveApproval'
            and p.outcome = 'done' and p.request_id = a.request_id) as is_settled
      from control.audit a where a.scope = ${tenantId} and a.act = 'putSettings' and a.outcome = 'done'
        and a.at > now() - interval '7 days')
    select distinct on (k.key) k.key, m.body -> 'before' -> k.key as value
    from made m cross join lateral jsonb_object_keys(m.body -> 'before') k(key)
    where not m.is_settled and not exists (
      select from made s where s.is_settled and s.number > m.number and s.body -> 'before' ? k.key)
    order by k.key, m.number`.execute(db);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}
