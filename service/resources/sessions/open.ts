import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type {
  ConfirmationSession,
  Flow,
  TargetType,
} from '@tenant-payments/contract/resources/sessions.ts';
import type { Once } from '@tenant-payments/engine/command.ts';
import { fail, LoadAgain } from '@tenant-payments/engine/fail.ts';
import { hash128 } from '@tenant-payments/engine/hash128.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type SessionRow, sessions } from './table.ts';

/** How long a session can wait to be opened (rules/sessions#11). */
const openWithinSeconds: Readonly<Record<Flow, number>> = {
  onboarding: lifetimes.onboardingToOpen,
  payment_confirm: lifetimes.sessionToOpen,
  pin_reset: lifetimes.sessionToOpen,
  contact_change: lifetimes.sessionToOpen,
  terms_acceptance: lifetimes.sessionToOpen,
};

export interface Opening {
  readonly flow: Flow;
  readonly customerId: string;
  readonly target: { readonly type: TargetType; readonly id: string } | null;
  readonly returnUrl: string | null;
}

export interface NewSession {
  readonly row: SessionRow;
  readonly token: string;
}

/** A new session in the reply of the record that it is for. */
export const summaryOf = (
  { id, flow, expires_at }: Pick<SessionRow, 'id' | 'flow' | 'expires_at'>,
  token: string,
): ConfirmationSession => ({ id: publicId('session', id), flow, token, expires_at });

/**
 * Embeds the session in the reply that creates a record, and in no later one (rules/sessions#1).
 */
export const onceOf = (
  field: 'confirmation_session' | 'onboarding_session',
  { row, token }: NewSession,
): Once => ({ field, value: summaryOf(row, token), token, sessionId: row.id });

/** Opens a hosted session. Its creation has no event; its end is a job. */
export function openSession(work: Work, opening: Opening): NewSession {
  const token = work.newSecret('st');
  const id = work.newId();
  const expiresAt = addSeconds(work.now, openWithinSeconds[opening.flow]);
  const row = work.create(
    sessions,
    {
      id,
      flow: opening.flow,
      customer_id: opening.customerId,
      target_type: opening.target?.type ?? null,
      target_id: opening.target?.id ?? null,
      token_hash: hash128(token),
      return_url: opening.returnUrl,
      bearer_hash: null,
      opened_at: null,
      ends_at: expiresAt,
      gave_result: false,
      result_token_hash: null,
      exchanged_at: null,
      ended_status: null,
      terms_decision: null,
      expires_at: expiresAt,
      created_at: work.now,
    },
    'create',
  );
  work.scheduleJob('session_end', id, expiresAt);
  return { row, token };
}

/**
 * The session has not ended, even if the job that ends it is late (rules/sessions#13).
 * @throws ApiError invalid_state {reason: expired}
 */
function assertNotOver(work: Work, { status, ends_at }: SessionRow): void {
  if (ends_at > work.now) return;
  throw fail('invalid_state', {
    details: { current_status: status, allowed: ['created'], reason: 'expired' },
  });
}

/** The customer finished the flow; `endedStatus` is the record's status at that time, else the customer's. */
export function completeSession(
  work: Work,
  session: SessionRow,
  endedStatus: string,
  termsDecision: SessionRow['terms_decision'] = null,
): void {
  assertNotOver(work, session);
  const set = { gave_result: true, ended_status: endedStatus, terms_decision: termsDecision };
  work.move(session, 'complete', { set });
  work.cancelJob('session_end', session.id);
}

/** The customer left or declined: the session gives a result token (rules/sessions#24). */
export function leaveSession(work: Work, session: SessionRow, endedStatus: string): void {
  assertNotOver(work, session);
  work.move(session, 'leave', { set: { gave_result: true, ended_status: endedStatus } });
  work.cancelJob('session_end', session.id);
}

/** The session that a record or customer names, as it did when the command loaded it. */
export interface NamedSession {
  readonly id: string | null;
  readonly row: SessionRow | null;
}

/** @param id from the column of the record or customer that names it */
export const loadNamed = async (read: Read, id: string | null): Promise<NamedSession> => ({
  id,
  row: await read.maybe(sessions, id),
});

/**
 * The session that is named now.
 * @param id from the same column, in `decide`
 * @throws LoadAgain where a command before this one in the batch has opened another (rules/engine#15)
 */
export function namedNow(id: string | null, loaded: NamedSession): SessionRow | null {
  if (loaded.id !== id) throw new LoadAgain('a session was opened meanwhile');
  return loaded.row;
}

/**
 * Cancels the live session that is named now: a newer one began, or its record ended. Others stay as they are.
 * @throws LoadAgain
 */
export function endSession(work: Work, id: string | null, loaded: NamedSession): void {
  const session = namedNow(id, loaded);
  if (session?.status !== 'created') return;
  work.move(session, 'supersede');
  work.cancelJob('session_end', session.id);
}

/** The rows of a record that ends in the flow of its session: the flow moves the session itself. */
export const movedByFlow = <Rows extends { readonly session: NamedSession }>(rows: Rows): Rows => ({
  ...rows,
  session: { ...rows.session, row: null },
});

/** The session's end is reached; an opened one gives a result token (rules/sessions#24). */
export function expireSession(work: Work, session: SessionRow, endedStatus: string): void {
  const set = { gave_result: session.opened_at !== null, ended_status: endedStatus };
  work.move(session, 'expire', { set });
  work.cancelJob('session_end', session.id);
}
