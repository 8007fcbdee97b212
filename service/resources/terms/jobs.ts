import { withTerms } from '@tenant-payments/contract/core/consumer_terms.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { settingsOf, withChanges } from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { customers } from '../customers/table.ts';
import { effectiveFrom } from './effective.ts';
import { termChanges, termPieces, waitingTerms } from './table.ts';
import { tellTerms } from './tell.ts';

/** Consumers told in one command; the job runs again at once for the rest. */
const consumersAtOnce = 100;

const first = '00000000-0000-0000-0000-000000000000';

async function readNext(db: Kysely<Database>, tenantId: string, ref: string, atOnce: number) {
  const { rows } = await sql<{ id: string; from: string | null }>`
    select a.customer_id as id, c.told_to as from from term_changes c
      join accounts a on a.tenant_id = c.tenant_id and a.type = 'consumer'
        and a.status <> 'closed' and a.customer_id > coalesce(c.told_to, ${first}::uuid)
    where c.tenant_id = ${tenantId} and a.tenant_id = ${tenantId} and c.id = ${ref}
    order by a.customer_id limit ${atOnce}`.execute(db);
  return rows;
}

/** Job `term_notice`: tells the consumers of terms that get worse, a hundred in a command (rules/documents#30). */
export const termNoticeJob = (
  { db }: { readonly db: Kysely<Database> },
  atOnce = consumersAtOnce,
) =>
  command('term_notice', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => readNext(db, tenantId, ref, atOnce),
    load: async (read, { ref }, next) => ({
      change: await read.one(termChanges, ref),
      told: await Promise.all(next.map(({ id }) => read.one(customers, id))),
    }),
    decide: (work, { change, told }, { ref }, next) => {
      const last = next.at(-1);
      if (!last) {
        work.change(change, { told_at: work.now });
        work.cancelJob('term_notice', ref);
        return { value: null };
      }
      // `next` was read before the batch: another run may have told them already.
      if (last.from === change.told_to) {
        for (const customer of told) tellTerms(work, customer, change);
        work.change(change, { told_to: last.id });
      }
      work.scheduleJob('term_notice', ref, work.now);
      return { value: null };
    },
  });

/**
 * Job `term_change`: puts terms in force on their day. One that was set otherwise since is left as it is; while not
 * everybody was told 21 days ago the day moves on (rules/documents#29).
 */
export const termChangeJob = command('term_change', {
  load: async (read, { ref }: { ref: string }) => {
    const [change, tenant] = await Promise.all([read.one(termChanges, ref), read.one(tenants, {})]);
    const pieces = termPieces.read(null, JSON.parse(change.pieces));
    const waiting = await Promise.all(pieces.map(({ field }) => read.maybe(waitingTerms, field)));
    return { change, tenant, pieces, waiting };
  },
  decide: (work, { change, tenant, pieces, waiting }, { ref }) => {
    const earliest = effectiveFrom(change.told_at ?? work.now);
    if (change.told_at === null || earliest > work.now) {
      work.change(change, { effective_at: earliest });
      work.scheduleJob('term_change', ref, earliest);
      return { value: null };
    }
    const due = pieces.filter((_, index) => waiting[index]?.change_id === ref);
    const was = settingsOf(work.tenantId, tenant);
    const { limits, flows, fees } = withTerms(was, due);
    work.change<typeof tenants>(tenant, {
      settings: withChanges(tenant.settings, { limits, flows, fees }),
    });
    for (const row of waiting) if (row?.change_id === ref) work.change(row, { change_id: null });
    work.change(change, { ended_at: work.now });
    work.cancelJob('term_change', ref);
    const shown = (after: boolean) =>
      Object.fromEntries(due.map((piece) => [piece.field, after ? piece.after : piece.before]));
    work.audit({ act: 'term_change', record: ref, before: shown(false), after: shown(true) });
    return { value: null };
  },
});
