import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Kysely, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../database.ts';
import { endDisputed, loadCase, remainingOf } from './case.ts';
import { clearJob, type DisputeJob } from './deadlines.ts';
import { isUnsent, type LetterMoment } from './letters.ts';
import { giveCredit, investigate } from './moves.ts';
import { nextMorning } from './regulation_e.ts';
import { isReported, type Notice, notTakenBy } from './reported.ts';
import { disputes, isUnresolved } from './table.ts';

/** The context that the jobs of deadlines need to raise an alarm for a missed one. */
export interface AlarmContext {
  readonly db: Kysely<Database>;
  readonly log: Logger;
  /** The addresses that lead to the console. */
  readonly config: { readonly publicUrl: string; readonly consoleUrl: string | null };
}

const isOpen = sql`d.status in ('received', 'investigating', 'provisional_credit')`;

interface Alarm {
  /** On the dispute `d`. */
  readonly when: RawBuilder<unknown>;
  readonly text: string;
  /** The alarm says which endpoints have not taken it. */
  readonly notice?: Notice;
}

const unreported = (notice: Notice, moment: LetterMoment, text: string): Alarm => ({
  when: sql`${isUnsent(moment)} or not ${isReported(notice)}`,
  text,
  notice,
});

type AlarmJob = Exclude<DisputeJob, 'dispute_reversal'> | 'dispute_reserve' | 'dispute_words';

const alarms: Readonly<Record<AlarmJob, Alarm>> = {
  dispute_credit: {
    when: sql`${isOpen} and d.credited_cents = 0 and coalesce(d.disputed_cents, 0) = 0`,
    text: 'a provisional credit is due, and a reviewer must set its amount',
  },
  dispute_result: { when: isOpen, text: 'an investigation has no result in time' },
  dispute_credit_notice: unreported(
    'dispute.provisional_credit',
    'credit',
    'a provisional credit was not reported in time',
  ),
  dispute_correction: {
    when: sql`d.credit_route in ('sent', 'suspense')`,
    text: 'an award did not reach the customer in time',
  },
  dispute_result_notice: unreported(
    'dispute.resolved',
    'result',
    'a determination was not reported in time',
  ),
  dispute_words: {
    when: sql`${isOpen} and d.handled_as is null`,
    text: 'the words of a notice contradict its type, and a reviewer must classify it',
  },
  dispute_reserve: {
    when: sql`(select sum(delta) from entries r where r.tenant_id = d.tenant_id
      and r.account_id is null and r.pocket = 'reserve') < 0`,
    text: 'a dispute credit has taken the reserve below zero',
  },
};

/** Raises the alarm of a job where its condition holds. */
const raiseAlarm =
  ({ db, log, config }: AlarmContext, job: AlarmJob) =>
  async ({ ref }: { ref: string }, { tenantId }: { tenantId: string }): Promise<void> => {
    const { when, text, notice } = alarms[job];
    const { rows } = await sql`select from disputes d
      where d.tenant_id = ${tenantId} and d.id = ${ref} and (${when})`.execute(db);
    if (rows.length === 0) return;
    const link = `${config.consoleUrl ?? config.publicUrl}/console/case/${tenantId}/disputes/${publicId('dispute', ref)}`;
    const endpoints = notice && (await notTakenBy(db, { tenantId, ref }, notice));
    log.error({ alarm: job, tenant_id: tenantId, dispute_id: ref, link, endpoints }, text);
  };

/**
 * Job `dispute_credit`, at 09:00 Eastern Time of the deadline day: credits what remains. While the
 * amount is not known, the alarm is raised again each business day.
 */
export const creditJob = (context: AlarmContext) =>
  command('dispute_credit', {
    prepare: raiseAlarm(context, 'dispute_credit'),
    load: (read, { ref }: { ref: string }) => loadCase(read, ref),
    decide: (work, rows, { ref }) => {
      const { dispute, account } = rows;
      const isDue = isUnresolved(dispute) && dispute.credit_due_at !== null;
      if (!isDue) clearJob(work, dispute, 'dispute_credit');
      else if (account === null || (remainingOf(rows) ?? 0) === 0)
        // At once: the alarm calls a reviewer when nothing is left to credit.
        work.scheduleJob(
          'dispute_credit',
          ref,
          endDisputed(work, rows) ? work.now : nextMorning(work.now),
        );
      else {
        // A notice that was forwarded late can still be `received`.
        if (dispute.status === 'received') investigate(work, dispute);
        giveCredit(work, rows, null);
      }
      return { value: null };
    },
  });

/**
 * Job `dispute_result`, 45 days after the notice, then each business day until there is a result.
 */
export const resultJob = (context: AlarmContext) =>
  command('dispute_result', {
    prepare: raiseAlarm(context, 'dispute_result'),
    load: (read, { ref }: { ref: string }) => read.one(disputes, ref),
    decide: (work, dispute, { ref }) => {
      if (isUnresolved(dispute)) work.scheduleJob('dispute_result', ref, nextMorning(work.now));
      else clearJob(work, dispute, 'dispute_result');
      return { value: null };
    },
  });

/** Jobs of notices and awards: an alarm where one was not given in time. */
export const noticeJob = (
  context: AlarmContext,
  job: 'dispute_credit_notice' | 'dispute_correction' | 'dispute_result_notice',
) =>
  command(job, {
    prepare: raiseAlarm(context, job),
    load: (read, { ref }: { ref: string }) => read.one(disputes, ref),
    decide: (work, dispute) => {
      clearJob(work, dispute, job);
      return { value: null };
    },
  });

/** A job that raises its alarm once. */
const onceJob = (job: 'dispute_reserve' | 'dispute_words') => (context: AlarmContext) =>
  command(job, {
    prepare: raiseAlarm(context, job),
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      work.cancelJob(job, ref);
      return { value: null };
    },
  });

/** Job `dispute_reserve`, after each credit: an alarm for a reserve below zero. */
export const reserveJob = onceJob('dispute_reserve');

/** Job `dispute_words`, after a notice: an alarm where its words contradict its type (rules/disputes#64). */
export const wordsJob = onceJob('dispute_words');
