import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { hash128 } from '@tenant-payments/engine/hash128.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { shown } from '@tenant-payments/engine/table.ts';
import { addSeconds, earlier, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { noProgress, sessionProgress } from './progress.ts';
import { type SessionRow, sessions } from './table.ts';

/**
 * When an opened session ends: after this long without a sign of life, and at most
 * (rules/sessions#12).
 */
interface Life {
  readonly idleSeconds: number;
  readonly longestSeconds: number;
}
const confirming: Life = {
  idleSeconds: lifetimes.sessionIdle,
  longestSeconds: lifetimes.sessionOpened,
};
export const lives: Readonly<Record<Flow, Life>> = {
  onboarding: {
    idleSeconds: lifetimes.onboardingIdle,
    longestSeconds: lifetimes.onboardingOpened,
  },
  payment_confirm: confirming,
  pin_reset: confirming,
  contact_change: confirming,
  terms_acceptance: confirming,
};

const invalid = (reason: 'unknown' | 'used' | 'ended' | 'expired') =>
  fail('session_invalid', { param: 'token', details: { reason } });

/** Sets the end of an opened session anew. */
function extendSession(
  work: Work,
  session: SessionRow,
  openedAt: Instant,
  set: Partial<Pick<SessionRow, 'opened_at' | 'bearer_hash'>> = {},
): void {
  const { idleSeconds, longestSeconds } = lives[session.flow];
  const idleEnd = addSeconds(work.now, idleSeconds);
  const ends_at = earlier(idleEnd, addSeconds(openedAt, longestSeconds));
  work.change(session, { ...set, ends_at });
  work.scheduleJob('session_end', session.id, ends_at);
}

/** The time for which the page that opened a session may open it again: its reply may have been lost. */
const repeatSeconds = 60;

interface Opener {
  readonly token: string;
  /** The bearer that the page's own nonce makes; absent: a new one. */
  readonly bearer?: string;
}

function isRepeated(work: Work, { opened_at, bearer_hash }: SessionRow, bearer?: string): boolean {
  if (opened_at === null || bearer === undefined) return false;
  return bearer_hash === hash128(bearer) && work.now < addSeconds(opened_at, repeatSeconds);
}

/**
 * The page opens the session with its token, once, before expires_at. Nothing visible changes.
 * @returns {session, bearer}: the bearer is the page's credential
 * @throws ApiError session_invalid {reason}: unknown, ended, used, expired
 */
export const openFlow = command('open_flow', {
  load: (read, { token }: Opener) => read.by(sessions, 'token', { token_hash: hash128(token) }),
  decide: (work, session, { bearer: given }) => {
    if (!session) throw invalid('unknown');
    const found = { session: shown(sessions, session), bearer: given };
    if (isRepeated(work, session, given)) return { value: found, sealed: true };
    if (session.opened_at !== null) throw invalid('used');
    if (session.status === 'expired') throw invalid('expired');
    if (session.status !== 'created') throw invalid('ended');
    if (session.expires_at <= work.now) throw invalid('expired');
    const bearer = given ?? work.newSecret('fb');
    extendSession(work, session, work.now, { opened_at: work.now, bearer_hash: hash128(bearer) });
    work.create(sessionProgress, { session_id: session.id, ...noProgress });
    return { value: { session: shown(sessions, session), bearer }, sealed: true };
  },
});

interface Bearer {
  readonly bearer: string;
}

/** The session of a page's bearer. */
export const loadOpenedSession = (read: Read, { bearer }: Bearer): Promise<SessionRow | null> =>
  read.by(sessions, 'bearer', { bearer_hash: hash128(bearer) });

/**
 * The customer is still active.
 * @returns {session, ends_at}: when the session ends without a further sign of life
 * @throws ApiError session_invalid {reason}: unknown, ended
 */
export const signOfLife = command('sign_of_life', {
  load: loadOpenedSession,
  decide: (work, session) => {
    if (!session?.opened_at) throw invalid('unknown');
    if (session.status !== 'created' || session.ends_at <= work.now) throw invalid('ended');
    extendSession(work, session, session.opened_at);
    return { value: { session: shown(sessions, session), ends_at: session.ends_at } };
  },
});

/**
 * The result token of a flow that has ended, for the SDK. Each call gives a new token, and the one
 * before becomes invalid, so that a lost reply can be repeated.
 * @returns {result_token}
 * @throws ApiError session_invalid {reason: unknown}; invalid_state: it has not ended, gave no
 *   result, or its result was exchanged
 */
export const takeResult = command('take_result', {
  load: loadOpenedSession,
  decide: (work, session) => {
    if (!session) throw invalid('unknown');
    const { status, gave_result, exchanged_at } = session;
    if (!gave_result || exchanged_at !== null)
      throw fail('invalid_state', { details: { current_status: status, allowed: [] } });
    const token = work.newSecret('rt');
    work.change(session, { result_token_hash: hash128(token) });
    return { value: { result_token: token }, sealed: true };
  },
});
