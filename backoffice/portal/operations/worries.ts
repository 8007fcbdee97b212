import type { Role } from '@tenant-payments/service/config/values.ts';
import { type Worry, worries } from '../../contract/operate/operations.ts';
import type { Seen } from './together.ts';

const lateSeconds = 60;
const undeliveredSeconds = 3_600;

export const allWorries: readonly Worry[] = worries;

/** Tells which worries are on now, as "when to worry" in the guide says (rules/operations#66). */
export function worriesOf({
  processes,
  jobs,
  deliveries,
  database,
  proofs,
}: Seen): Readonly<Record<Worry, boolean>> {
  const has = (role: Role) =>
    processes.some(({ state, roles }) => state === 'live' && roles.includes(role));
  return {
    no_worker: !has('worker'),
    no_api: !has('api'),
    process_lost: processes.some(({ state }) => state === 'lost'),
    jobs_late: jobs.late_seconds > lateSeconds,
    deliveries_late: deliveries.late_seconds > lateSeconds,
    event_undelivered: deliveries.oldest_seconds > undeliveredSeconds,
    database_busy: database.waiting > 0,
    ledger_violated: proofs.violated > 0,
    ledger_not_proven: proofs.not_proven > 0,
  };
}
