import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { expireSession, leaveSession } from '../resources/sessions/open.ts';
import {
  assertLive,
  isOpen,
  readSession,
  readTarget,
  type SessionRows,
  sessionOf,
  type Target,
} from './confirm.ts';

/** The job that ends an unconfirmed record after its grace, by its type. */
export const deadlineJob = (type: TargetType) => `${type}_deadline` as const;

/**
 * After a session ended without a decision the record waits `confirmation_grace_seconds` for a new
 * one. With a grace of 0, record and session end together (rules/sessions#16, rules/sessions#19).
 */
function startDeadline(work: Work, target: Target | null): void {
  if (!target || !isOpen(target)) return;
  const grace = work.tenant.settings.confirmation_grace_seconds;
  if (grace === 0) target.expire(work);
  else work.scheduleJob(deadlineJob(target.type), target.row.id, addSeconds(work.now, grace));
}

/** The customer leaves the flow; the record stays until its deadline. */
export function leave(work: Work, { session, target, subject }: SessionRows): void {
  assertLive(session);
  startDeadline(work, target);
  leaveSession(work, session, subject.status);
}

/** The customer declines: the record ends at once, confirmation_declined. */
export function decline(work: Work, { session, target, subject }: SessionRows): void {
  assertLive(session);
  target?.decline(work);
  leaveSession(work, session, subject.status);
}

/** The session's end is reached. */
export function expire(work: Work, { session, target, subject }: SessionRows): void {
  assertLive(session);
  startDeadline(work, target);
  expireSession(work, session, subject.status);
}

/** Job at a session's end. The end may have moved since it was scheduled: the row decides. */
export const sessionEndJob = command('session_end', {
  load: (read, { ref }: { ref: string }) => readSession(read, ref),
  decide: (work, rows) => {
    const { session } = rows;
    if (session.status !== 'created') work.cancelJob('session_end', session.id);
    else if (session.ends_at > work.now)
      work.scheduleJob('session_end', session.id, session.ends_at);
    else expire(work, rows);
    return { value: null };
  },
});

/** Job when the grace after a record's last session is over. */
export const deadlineJobOf = (type: TargetType) =>
  command(deadlineJob(type), {
    load: (read, { ref }: { ref: string }) => readTarget(read, type, ref),
    decide: (work, target, { ref }) => {
      const hasLiveSession = sessionOf(target)?.status === 'created';
      if (isOpen(target) && !hasLiveSession) target.expire(work);
      work.cancelJob(deadlineJob(type), ref);
      return { value: null };
    },
  });
