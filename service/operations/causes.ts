import { ApiError, StoredJsonError, type UnavailableReason } from '@tenant-payments/engine/fail.ts';
import { type DatabaseCause, databaseCause } from './database_causes.ts';

/** Why a reply was 5xx, a job failed or a process is not ready, as log lines, alarms and metrics say it (rules/operations#87). */
const listed = {
  database_unreachable: true,
  database_read_only: true,
  database_refuses_login: true,
  database_out_of_space: true,
  database_stopping: true,
  tls: true,
  provider_timeout: true,
  provider_threw: true,
  provider_busy: true,
  provider_paused: true,
  clock: true,
  no_worker: true,
  stored_json: true,
  overloaded: true,
  contention: true,
  busy: true,
  late: true,
  starting: true,
  cell: true,
  chaos: true,
  unexpected: true,
} as const satisfies Record<DatabaseCause | RailsCause | OwnCause, true>;

/** The causes that faults of the rails name. */
type RailsCause = 'provider_timeout' | 'provider_threw' | 'provider_busy' | 'provider_paused';

type OwnCause =
  | 'clock'
  | 'no_worker'
  | 'stored_json'
  | 'unexpected'
  | Exclude<UnavailableReason, 'database_away' | 'outside'>;

export type Cause = keyof typeof listed;

export const causes = Object.keys(listed) as readonly Cause[];

/** Whether a word is of this list: the cause in a line may be of another, such as that of restores. */
export const isCause = (word: unknown): word is Cause =>
  typeof word === 'string' && Object.hasOwn(listed, word);

/** The cause of a reply of 5xx, or of a job's failure. */
export function causeOf(error: unknown): Cause {
  if (error instanceof StoredJsonError) return 'stored_json';
  if (!(error instanceof ApiError)) return databaseCause(error) ?? 'unexpected';
  const own = 'reason' in error ? error.reason : null;
  if (isCause(own)) return own;
  const reason = error.details?.reason;
  if (reason === 'database_away') return 'database_unreachable';
  if (reason === 'outside') return 'provider_timeout';
  return isCause(reason) ? reason : 'unexpected';
}
