import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { assert, fail } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import { type ProgressRow, sessionProgress } from '../../resources/sessions/progress.ts';
import { type SessionRow, sessions } from '../../resources/sessions/table.ts';
import { type Confirmable, readTarget } from '../confirm.ts';

/** What every command of a page begins with: the session that its bearer opened, by uuid. */
export interface OfSession {
  readonly sessionId: string;
}

/** An opened session, with what was done in it and the record that it confirms, if any. */
export interface Opened {
  readonly session: SessionRow;
  readonly progress: ProgressRow;
  readonly target: Confirmable | null;
}

export async function readOpened(read: Read, { sessionId }: OfSession): Promise<Opened> {
  const [session, progress] = await Promise.all([
    read.one(sessions, sessionId),
    read.maybe(sessionProgress, sessionId),
  ]);
  assert(progress, 'an opened session has its progress');
  const { target_type, target_id } = session;
  const target = target_type && target_id ? await readTarget(read, target_type, target_id) : null;
  return { session, progress, target };
}

const allFlows: readonly Flow[] = [
  'onboarding',
  'payment_confirm',
  'pin_reset',
  'contact_change',
  'terms_acceptance',
];

/**
 * The session lives, and is of a flow in which this may be done.
 * @throws ApiError invalid_state {reason?: expired, flow}
 */
export function assertOpen(
  work: Work,
  { status, ends_at, flow }: SessionRow,
  flows: readonly Flow[] = allFlows,
): void {
  const refuse = (reason?: string) =>
    fail('invalid_state', {
      details: { current_status: status, allowed: ['created'], ...(reason ? { reason } : {}) },
    });
  if (status !== 'created') throw refuse();
  if (ends_at <= work.now) throw refuse('expired');
  if (!flows.includes(flow)) throw refuse('flow');
}
