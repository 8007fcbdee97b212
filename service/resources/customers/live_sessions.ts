import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { endSession, loadNamed } from '../sessions/open.ts';
import type { CustomerRow } from './table.ts';

/** The columns of a customer's live session, one for each flow. */
const columns = [
  'onboarding_session_id',
  'pin_reset_session_id',
  'contact_change_session_id',
  'terms_session_id',
] as const satisfies readonly (keyof CustomerRow)[];

/** The sessions of a customer's own flows, those of no record. */
export const loadLiveSessions = (read: Read, customer: CustomerRow) =>
  Promise.all(
    columns.map(async (column) => ({ column, named: await loadNamed(read, customer[column]) })),
  );
export type LiveSessions = Awaited<ReturnType<typeof loadLiveSessions>>;

/** Ends them. @throws LoadAgain */
export function endLiveSessions(work: Work, customer: CustomerRow, sessions: LiveSessions): void {
  for (const { column, named } of sessions) endSession(work, customer[column], named);
}
