import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';

/** How long the outside takes to answer in automatic mode, in real seconds (rules/sandbox#14). */
export const answerAfterSeconds = 5;

/** The jobs that answer in automatic mode, see `answers.ts`. */
export type AnswerName =
  | 'sandbox_bank_answer'
  | 'sandbox_link_answer'
  | 'sandbox_customer_answer'
  | 'sandbox_owner_answer';

interface AnswerTime {
  /** In every mode, and on the Tenant's clock. */
  readonly atOnce?: boolean;
}

/** Schedules the answer about the record `ref`. A second call for it starts the wait anew. */
export type ScheduleAnswer = (
  tenantId: string,
  name: AnswerName,
  ref: string,
  time?: AnswerTime,
) => Promise<void>;

/** Without automatic mode: only simulate answers. */
export const scheduleNothing: ScheduleAnswer = async () => {};

interface Scheduled extends AnswerTime {
  readonly name: AnswerName;
  readonly ref: string;
}

/** Schedules an answer if the tenant's sandbox is automatic now: a later change does not count. */
export function openScheduling(engine: Pick<Engine, 'submit'>, seconds: number): ScheduleAnswer {
  const schedule = command('schedule_answer', {
    load: async () => null,
    decide: (work, _nothing, { name, ref, atOnce }: Scheduled) => {
      if (atOnce) work.scheduleJob(name, ref, work.now);
      else if (work.tenant.settings.sandbox_mode === 'automatic')
        work.scheduleJobInRealTime(name, ref, seconds);
      return { value: null };
    },
  });
  return async (tenantId, name, ref, time) => {
    await engine.submit(schedule, { tenantId, input: { name, ref, ...time }, lane: 'job' });
  };
}
