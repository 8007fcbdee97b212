import { flows as allFlows, type Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { CustomerRow } from '../../resources/customers/table.ts';
import { type ProgressRow, sessionProgress } from '../../resources/sessions/progress.ts';
import type { SessionRow } from '../../resources/sessions/table.ts';
import { readSession, type SessionRows } from '../confirm.ts';
import { decline, leave } from '../end_session.ts';

/** The input that every command of a page begins with: the session that its bearer opened, by uuid. */
export interface OfSession {
  readonly sessionId: string;
}

/** An opened session, with what was done in it and the record that it confirms, if any. */
export interface OpenedSession extends SessionRows {
  readonly progress: ProgressRow;
}

export async function loadOpenedSession(
  read: Read,
  { sessionId }: OfSession,
): Promise<OpenedSession> {
  const [opened, progress] = await Promise.all([
    readSession(read, sessionId),
    read.maybe(sessionProgress, sessionId),
  ]);
  assert(progress, 'an opened session has its progress');
  return { ...opened, progress };
}

/** 409 of a live session in which something else is missing or used up. */
export const refusal = (reason: string) =>
  fail('invalid_state', { details: { current_status: 'created', allowed: [], reason } });

/**
 * The session is live, and of a flow in which this may be done.
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

/**
 * A PIN is reset in pin_reset, and where it is locked in the session that asks for it (rules/hosted#49).
 * @throws ApiError invalid_state {reason?: expired, flow}
 */
export function assertOpenForReset(
  work: Work,
  session: SessionRow,
  { pin_locked }: Pick<CustomerRow, 'pin_locked'>,
): void {
  const asking: readonly Flow[] = pin_locked ? ['payment_confirm', 'contact_change'] : [];
  assertOpen(work, session, ['pin_reset', ...asking]);
}

/** The customer leaves; the record stays until its deadline. @throws ApiError invalid_state */
export const leaveSession = command('leave_session', {
  load: loadOpenedSession,
  decide: (work, opened) => {
    assertOpen(work, opened.session);
    leave(work, opened);
    return { value: null };
  },
});

/** The customer declines the record. @throws ApiError invalid_state */
export const declineRecord = command('decline_record', {
  load: loadOpenedSession,
  decide: (work, opened) => {
    assertOpen(work, opened.session, ['payment_confirm']);
    decline(work, opened);
    return { value: null };
  },
});
