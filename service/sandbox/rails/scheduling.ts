import { command } from '../../core/command.ts';
import type { Engine } from '../../core/batch/engine.ts';

/** How long whoever was asked takes in automatic mode, in real seconds (decisions 1.4). */
export const answerAfterSeconds = 5;

/** The answers that the sandbox gives by itself: the jobs of `answers.ts`. */
export type AnswerName =
  | 'sandbox_bank_answer'
  | 'sandbox_link_answer'
  | 'sandbox_customer_answer'
  | 'sandbox_owner_answer';

/** Somebody outside was asked about the record `ref`. The same again begins the wait anew. */
export type Ask = (tenantId: string, name: AnswerName, ref: string) => Promise<void>;

/** Nobody answers: somebody simulates. */
export const silent: Ask = async () => {};

/**
 * Has the answer fall due, if the tenant's sandbox is automatic now. The mode at the time of asking
 * counts: what was asked before a change of mode is answered, or left unanswered, as it was then.
 */
export function openAsking(engine: Pick<Engine, 'submit'>, seconds: number): Ask {
  const schedule = command('schedule_answer', {
    load: async () => null,
    decide: (work, _nothing, { name, ref }: { name: AnswerName; ref: string }) => {
      if (work.tenant.settings.sandbox_mode === 'automatic')
        work.scheduleJobInRealTime(name, ref, seconds);
      return { value: null };
    },
  });
  return async (tenantId, name, ref) => {
    await engine.submit(schedule, { tenantId, input: { name, ref }, lane: 'job' });
  };
}
