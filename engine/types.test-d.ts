/**
 * Code that must not compile. The type checker is the test: a line below that became legal is an error, because its
 * directive would then expect one in vain.
 */
import type { Jobs } from '@tenant-payments/service/jobs/registry.ts';
import type { Rails } from '@tenant-payments/service/rails/rails.ts';
import { type Command, command } from './command.ts';
import type { JobName } from './job_names.ts';

export const names: readonly JobName[] = [
  'session_end',
  'sandbox_bank_answer',
  'rails.settlement_file',
  'test.probe',
  // @ts-expect-error a misspelt name
  'sesion_end',
];

export const scheduling = [
  command('schedule', {
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      work.scheduleJob('session_end', ref, work.now);
      // @ts-expect-error no such job
      work.scheduleJob('session_ends', ref, work.now);
      // @ts-expect-error no such job
      work.scheduleJobInRealTime('sandbox_answer', ref, 5);
      // @ts-expect-error no such job
      work.cancelJob('dormancies', ref);
      return { value: null };
    },
  }),
];

declare const plain: Command<{ ref: string }, { row: number }, string>;
declare const needsMore: Command<{ ref: string; amount: number }>;

export const jobs: readonly Jobs[] = [
  { session_end: plain },
  // @ts-expect-error a misspelt name
  { sesion_end: plain },
  // @ts-expect-error a job is given its ref and nothing else
  { session_end: needsMore },
];

export const brought: readonly Rails['jobs'][] = [
  { 'rails.settlement_file': plain, reserve_top_up: plain },
  // @ts-expect-error a job of the service itself
  { session_end: plain },
  // @ts-expect-error a name without `rails.`
  { settlement_file: plain },
];
