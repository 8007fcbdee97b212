import { type TermPiece, withTerms } from '@tenant-payments/contract/core/consumer_terms.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { settingsOf, withChanges } from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { customers } from '../customers/table.ts';
import { addDays, easternDay, startOfDay } from '../limits/days.ts';
import { effectiveFrom } from './effective.ts';
import { type TermChangeRow, termChanges, termPieces, waitingTerms } from './table.ts';
import { tellTerms } from './tell.ts';

/** Consumers told in one command; the job runs again at once for the rest. */
const consumersAtOnce = 100;

const first = '00000000-0000-0000-0000-000000000000';

/** Consumers, as `a`, whose account is not closed and who have no notice of the change `c`. */
const untold = (tenantId: string) => sql`join accounts a on a.tenant_id = c.tenant_id
    and a.tenant_id = ${tenantId} and a.type = 'consumer' and a.status <> 'closed'
    and not exists (select from notices n where n.tenant_id = a.tenant_id and n.source_id = c.id
      and n.customer_id = a.customer_id)`;

async function readNext(db: Kysely<Database>, tenantId: string, ref: string, atOnce: number) {
  const { rows } = await sql<{ id: string; from: string | null }>`
    select a.customer_id as id, c.told_to as from from term_changes c ${untold(tenantId)}
      and a.customer_id > coalesce(c.told_to, ${first}::uuid)
    where c.tenant_id = ${tenantId} and c.id = ${ref}
    order by a.customer_id limit ${atOnce}`.execute(db);
  return rows;
}

/**
 * Job `term_notice`: tells the consumers of terms that get worse, a hundred in a command (rules/documents#30), in the
 * order of their ids. It ends with a round that finds nobody: an account may open behind it.
 */
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
      if (!last && change.told_to === null) {
        work.change(change, { told_at: work.now });
        work.cancelJob('term_notice', ref);
        return { value: null };
      }
      if (!last) work.change(change, { told_to: null });
      // `next` was read before the batch: another run may have told them already.
      else if (last.from === change.told_to) {
        for (const customer of told) tellTerms(work, customer, change);
        work.change(change, { told_to: last.id });
      }
      work.scheduleJob('term_notice', ref, work.now);
      return { value: null };
    },
  });

/** How consumers whose account is not closed have been told of a change. */
interface Told {
  /** They were told as they joined, which the 21 days are not for (rules/documents#29). */
  readonly is_joiner: boolean;
  /** A notice waits, or is a person's task. */
  readonly is_open: boolean;
  /** When the last notice was given. */
  readonly given_at: Instant | null;
}

interface Telling {
  readonly told: readonly Told[];
  readonly hasUntold: boolean;
}

async function readTelling(db: Kysely<Database>, tenantId: string, ref: string): Promise<Telling> {
  const [{ rows: told }, { rows: left }] = await Promise.all([
    sql<Told>`
      select a.opened_at > c.created_at and a.opened_at = n.created_at as is_joiner,
        bool_or(n.status in ('waiting', 'task')) as is_open, max(n.sent_at) as given_at
      from term_changes c
        join notices n on n.tenant_id = c.tenant_id and n.source_id = c.id
        join accounts a on a.tenant_id = n.tenant_id and a.customer_id = n.customer_id
          and a.status <> 'closed'
      where c.tenant_id = ${tenantId} and n.tenant_id = ${tenantId} and c.id = ${ref}
      group by 1`.execute(db),
    sql`select from term_changes c ${untold(tenantId)}
      where c.tenant_id = ${tenantId} and c.id = ${ref} limit 1`.execute(db),
  ]);
  return { told, hasUntold: left.length > 0 };
}

/** From when on a change may hold, as its notices stand; not after `now`: it may hold at once (rules/documents#29). */
function mayHoldFrom(
  { told_at }: Pick<TermChangeRow, 'told_at'>,
  { told, hasUntold }: Telling,
  now: Instant,
): Instant {
  const others = told.find(({ is_joiner }) => !is_joiner);
  if (told_at === null || hasUntold || others?.is_open) return effectiveFrom(now);
  if (told.some(({ is_open }) => is_open)) return startOfDay(addDays(easternDay(now), 1));
  return others?.given_at ? effectiveFrom(others.given_at) : now;
}

/**
 * Job `term_change`: puts terms in force on their day. One that was set otherwise since is left as it is; while not
 * everybody has been given a notice, 21 days ago, the day moves on (rules/documents#29).
 */
export const termChangeJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('term_change', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => readTelling(db, tenantId, ref),
    load: loadChange,
    decide: (work, rows, { ref }, telling) => {
      const { change, pieces, waiting } = rows;
      const due = pieces.filter((_, index) => waiting[index]?.change_id === ref);
      const earliest = mayHoldFrom(change, telling, work.now);
      if (due.length > 0 && earliest > work.now) {
        work.change(change, { effective_at: earliest });
        work.scheduleJob('term_change', ref, earliest);
        if (change.told_at !== null && telling.hasUntold) {
          work.change(change, { told_at: null, told_to: null });
          work.scheduleJob('term_notice', ref, work.now);
        }
      } else putInForce(work, rows, due);
      return { value: null };
    },
  });

async function loadChange(read: Read, { ref }: { ref: string }) {
  const [change, tenant] = await Promise.all([read.one(termChanges, ref), read.one(tenants, {})]);
  const pieces = termPieces.read(null, JSON.parse(change.pieces));
  const waiting = await Promise.all(pieces.map(({ field }) => read.maybe(waitingTerms, field)));
  return { change, tenant, pieces, waiting };
}

function putInForce(
  work: Work,
  { change, tenant, waiting }: Awaited<ReturnType<typeof loadChange>>,
  due: readonly TermPiece[],
): void {
  const was = settingsOf(work.tenantId, tenant);
  const { limits, flows, fees } = withTerms(was, due);
  work.change<typeof tenants>(tenant, {
    settings: withChanges(tenant.settings, { limits, flows, fees }),
  });
  for (const row of waiting)
    if (row?.change_id === change.id) work.change(row, { change_id: null });
  work.change(change, { ended_at: work.now });
  work.cancelJob('term_change', change.id);
  const shown = (after: boolean) =>
    Object.fromEntries(due.map((piece) => [piece.field, after ? piece.after : piece.before]));
  const of = { act: 'term_change', record: change.id } as const;
  work.audit({ ...of, before: shown(false), after: shown(true) });
}
