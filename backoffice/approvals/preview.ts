import type { PrepareContext } from '@tenant-payments/engine/command.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { MoveTable } from '../review/move.ts';
import { type AskedMove, prepareMove, type ReadyMove } from '../review/reviewed_move.ts';
import { DryRun, dryRun, isSame, type Seen } from './seen.ts';
import type { ApprovalRow } from './table.ts';
import { askedOf, type Outlook, seenOf } from './view.ts';

/** The effect of a move if it ran now, or its refusal. */
export type Preview = DryRun | ApiError;

/** The refusal that was thrown; a fault of our own is thrown on. */
export function refusalIn(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500) return error;
  throw error;
}

/** Runs a move that is ready, without its commit. */
export async function preview(
  service: Pick<Service, 'engine' | 'db' | 'clocks'>,
  asked: AskedMove,
  ready: ReadyMove,
  { tenantId, actor }: PrepareContext,
): Promise<Preview> {
  try {
    await service.engine.submit(dryRun(service), { tenantId, actor, input: { asked, ready } });
  } catch (error) {
    return error instanceof DryRun ? error : refusalIn(error);
  }
  throw new Error('a dry run has come to its end');
}

/** Computes anew what a request would do now, or why it is refused. */
export async function rerun(
  service: Pick<Service, 'engine' | 'db' | 'clocks'>,
  table: MoveTable,
  row: ApprovalRow,
  context: PrepareContext,
): Promise<Preview> {
  const asked = readAsked(row);
  if (asked instanceof ApiError) return asked;
  return preview(service, asked, await prepareMove(table, asked, context), context);
}

/** The effect of a request computed anew (rules/approvals#5). */
export const outlookIn = (found: Preview, row: ApprovalRow): Outlook =>
  outlook(found instanceof DryRun ? found.seen : found, row);

/** The move that was asked for; why it cannot be made any more. */
function readAsked(row: ApprovalRow): AskedMove | ApiError {
  try {
    return askedOf(row);
  } catch (error) {
    return refusalIn(error);
  }
}

/** @param found what the act would do now, or why it is refused */
export function outlook(found: Seen | ApiError, row: ApprovalRow): Outlook {
  if (!(found instanceof ApiError))
    return { effect: found.effect, changed: !isSame(found, seenOf(row)), obstacle: null };
  const { reason = null } = found.details ?? {};
  return {
    effect: null,
    changed: true,
    obstacle: { code: found.code, reason: reason === null ? null : String(reason) },
  };
}
