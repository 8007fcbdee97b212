import { LoadAgain } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { endSession } from '../sessions/open.ts';
import { sessions } from '../sessions/table.ts';
import type { CustomerRow } from './table.ts';

/** The columns of a customer's live session, one for each flow. */
const columns = [
  'onboarding_session_id',
  'pin_reset_session_id',
  'contact_change_session_id',
  'terms_session_id',
] as const satisfies readonly (keyof CustomerRow)[];

/** The sessions of a customer's own flows, those of no record. */
export async function loadLiveSessions(read: Read, customer: CustomerRow) {
  const ids = columns.map((column) => customer[column]);
  return { ids, live: await Promise.all(ids.map((id) => read.maybe(sessions, id))) };
}
export type LiveSessions = Awaited<ReturnType<typeof loadLiveSessions>>;

/** Ends them, with what a command before this one in the batch opened. */
export function endLiveSessions(
  work: Work,
  customer: CustomerRow,
  { ids, live }: LiveSessions,
): void {
  if (columns.some((column, index) => customer[column] !== ids[index]))
    throw new LoadAgain('a session was opened meanwhile');
  for (const session of live) endSession(work, session);
}
