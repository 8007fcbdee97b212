import type { Kysely, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { command } from '../../core/command.ts';
import type { Database } from '../database.ts';
import { loadCase, remainingOf } from './case.ts';
import { clearJob, type DisputeJob, reserveDue } from './deadlines.ts';
import { giveCredit, investigate } from './moves.ts';
import { nextMorning } from './regulation_e.ts';
import { disputes, isUnresolved } from './table.ts';

/** What looks at a deadline when it has come, and tells people of one that was missed. */
export interface Watching {
  readonly db: Kysely<Database>;
  readonly log: Logger;
}

/** The Tenant has heard of it: that is how the customer is told (decisions 1.5). */
const isTold = (type: 'dispute.provisional_credit' | 'dispute.resolved') => sql`exists (
  select from events e join deliveries v on v.tenant_id = e.tenant_id and v.event_id = e.id
  where e.tenant_id = d.tenant_id and e.object_id = d.id and e.type = ${type} and not e.sample
    and v.status = 'delivered')`;

const isOpen = sql`d.status in ('received', 'investigating', 'provisional_credit')`;

interface Alarm {
  /** On the dispute `d`. */
  readonly when: RawBuilder<unknown>;
  readonly text: string;
}

type Watched = Exclude<DisputeJob, 'dispute_reversal'> | typeof reserveDue;

const alarms: Readonly<Record<Watched, Alarm>> = {
  dispute_credit: {
    when: sql`${isOpen} and d.credited_cents = 0 and coalesce(d.disputed_cents, 0) = 0`,
    text: 'a provisional credit is due, and a reviewer has to say of how much',
  },
  dispute_result: { when: isOpen, text: 'an investigation is not concluded in time' },
  dispute_credit_notice: {
    when: sql`not ${isTold('dispute.provisional_credit')}`,
    text: 'a provisional credit was not told in time',
  },
  dispute_correction: {
    when: sql`d.credit_route in ('sent', 'suspense')`,
    text: 'an award has not come to the customer in time',
  },
  dispute_result_notice: {
    when: sql`not ${isTold('dispute.resolved')}`,
    text: 'a determination was not told in time',
  },
  dispute_reserve: {
    when: sql`(select sum(delta) from entries r where r.tenant_id = d.tenant_id
      and r.account_id is null and r.pocket = 'reserve') < 0`,
    text: 'a dispute credit has taken the reserve below zero',
  },
};

/** Raises the alarm of a job where its condition holds. */
const look =
  ({ db, log }: Watching, what: Watched) =>
  async ({ ref }: { ref: string }, { tenantId }: { tenantId: string }): Promise<void> => {
    const { when, text } = alarms[what];
    const { rows } = await sql`select from disputes d
      where d.tenant_id = ${tenantId} and d.id = ${ref} and (${when})`.execute(db);
    if (rows.length > 0) log.error({ alarm: what, tenant_id: tenantId, dispute_id: ref }, text);
  };

/**
 * Job `dispute_credit`, at 09:00 Eastern Time of the deadline day: what remains is credited. Where
 * nobody knows how much that is, a reviewer is called again each business day.
 */
export const creditJob = (watching: Watching) =>
  command('dispute_credit', {
    prepare: look(watching, 'dispute_credit'),
    load: (read, { ref }: { ref: string }) => loadCase(read, ref),
    decide: (work, rows, { ref }) => {
      const { dispute, account } = rows;
      const isDue = isUnresolved(dispute) && dispute.credit_due_at !== null;
      if (!isDue) clearJob(work, dispute, 'dispute_credit');
      else if (account === null || (remainingOf(rows) ?? 0) === 0)
        work.scheduleJob('dispute_credit', ref, nextMorning(work.now));
      else {
        // A notice that was forwarded late has not been taken up yet.
        if (dispute.status === 'received') investigate(work, dispute);
        giveCredit(work, rows, null);
      }
      return { value: null };
    },
  });

/** Job `dispute_result`, 45 days after the notice; then each business day until there is one. */
export const resultJob = (watching: Watching) =>
  command('dispute_result', {
    prepare: look(watching, 'dispute_result'),
    load: (read, { ref }: { ref: string }) => read.one(disputes, ref),
    decide: (work, dispute, { ref }) => {
      if (isUnresolved(dispute)) work.scheduleJob('dispute_result', ref, nextMorning(work.now));
      else clearJob(work, dispute, 'dispute_result');
      return { value: null };
    },
  });

/** jobs of what is to be told or put right: an alarm when it has not been. */
export const noticeJob = (
  watching: Watching,
  what: 'dispute_credit_notice' | 'dispute_correction' | 'dispute_result_notice',
) =>
  command(what, {
    prepare: look(watching, what),
    load: (read, { ref }: { ref: string }) => read.one(disputes, ref),
    decide: (work, dispute) => {
      clearJob(work, dispute, what);
      return { value: null };
    },
  });

/** Job `dispute_reserve`, after each credit: it may go below zero, and somebody has to fund it. */
export const reserveJob = (watching: Watching) =>
  command(reserveDue, {
    prepare: look(watching, reserveDue),
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      work.cancelJob(reserveDue, ref);
      return { value: null };
    },
  });
