import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '../core/command.ts';
import { fail } from '../core/fail.ts';
import { addSeconds } from '../core/instant.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import { expireSession, leaveSession } from '../resources/sessions/open.ts';
import { type SessionRow, sessions } from '../resources/sessions/table.ts';
import { type Confirmable, deadlineJob, isOpen, readTarget } from './confirm.ts';

/** A session with the record that it confirms, if any. */
export async function loadSession(read: Read, id: string) {
  const session = await read.one(sessions, id);
  const { target_type, target_id } = session;
  const target = target_type && target_id ? await readTarget(read, target_type, target_id) : null;
  return { session, target };
}

/**
 * After a session ended without a decision the record waits `confirmation_grace_seconds` for a new
 * one. Without grace, record and session end together (decisions 1.1, Session, Deadline).
 */
function startDeadline(work: Work, session: SessionRow, target: Confirmable | null): void {
  const { target_type, target_id } = session;
  if (!target || !isOpen(target) || !target_type || !target_id) return;
  const grace = work.tenant.settings.confirmation_grace_seconds;
  if (grace === 0) target.expire(work);
  else work.scheduleJob(deadlineJob(target_type), target_id, addSeconds(work.now, grace));
}

/** The customer leaves the flow; the record stays until its deadline. */
export function leave(work: Work, session: SessionRow, target: Confirmable | null): void {
  assertLive(session);
  startDeadline(work, session, target);
  leaveSession(work, session, target?.status() ?? null);
}

/** The customer declines: the record is closed at once, confirmation_declined. */
export function decline(work: Work, session: SessionRow, target: Confirmable | null): void {
  assertLive(session);
  target?.decline(work);
  leaveSession(work, session, target?.status() ?? null);
}

/** The session's end is reached. */
export function reachEnd(work: Work, session: SessionRow, target: Confirmable | null): void {
  assertLive(session);
  startDeadline(work, session, target);
  expireSession(work, session, target?.status() ?? null);
}

/** @throws ApiError invalid_state when the session has ended */
export function assertLive(session: SessionRow): void {
  if (session.status !== 'created')
    throw fail('invalid_state', {
      details: { current_status: session.status, allowed: ['created'] },
    });
}

/** Due at a session's end. The end may have moved meanwhile: the row decides. */
export const sessionEndJob = command('session_end', {
  load: (read, { ref }: { ref: string }) => loadSession(read, ref),
  decide: (work, { session, target }) => {
    if (session.status !== 'created') work.cancelJob('session_end', session.id);
    else if (session.ends_at > work.now)
      work.scheduleJob('session_end', session.id, session.ends_at);
    else reachEnd(work, session, target);
    return { value: null };
  },
});

/** Due when the grace after a record's last session is over. */
export const deadlineJobOf = (type: TargetType) =>
  command(deadlineJob(type), {
    load: async (read, { ref }: { ref: string }) => {
      const target = await readTarget(read, type, ref);
      const session = await read.maybe(sessions, target.sessionId);
      return { target, session };
    },
    decide: (work, { target, session }, { ref }) => {
      const replaced = session?.status === 'created';
      if (isOpen(target) && !replaced) target.expire(work);
      work.cancelJob(deadlineJob(type), ref);
      return { value: null };
    },
  });
