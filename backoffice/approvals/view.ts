import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { fail, StoredJsonError } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Approval } from '../contract/operate/approvals.ts';
import type { AskedMove } from '../review/reviewed_move.ts';
import { hasLapsed, type ReadApproval } from './lapsed.ts';
import type { Seen } from './seen.ts';
import { type ApprovalRow, approvalBody } from './table.ts';

export const changedSince = () =>
  fail('invalid_state', {
    details: { current_status: 'waiting', allowed: [], reason: 'changed_since' },
    message: 'what the request was made for has changed since; make a new one',
  });

/** The fields that were asked for; null: an earlier release stored what this one does not take. */
function fieldsOf({ body }: ApprovalRow) {
  try {
    return approvalBody.read(null, JSON.parse(body));
  } catch (error) {
    if (error instanceof StoredJsonError) return null;
    throw error;
  }
}

/**
 * The move that was asked for, as the reviewer's door takes it.
 * @throws ApiError invalid_state {reason: changed_since} where this release does not take what was stored
 */
export function askedOf(row: ApprovalRow): AskedMove {
  const fields = fieldsOf(row);
  if (!fields) throw changedSince();
  const { resource, record_id: id, move, note } = row;
  return { ...fields, resource, id, move, note };
}

export const seenOf = ({ seen }: ApprovalRow): Seen => JSON.parse(seen);

/** The effect that a waiting request would have now, and its obstacle. */
export type Outlook = Pick<Approval, 'effect' | 'changed' | 'obstacle'>;

/** Why a request that nobody decided lapsed before its time. */
const obstacleOf = ({ status, lapsed_by = null }: ReadApproval): Approval['obstacle'] =>
  status === 'waiting' && lapsed_by !== null ? { code: 'invalid_state', reason: lapsed_by } : null;

/** A request as staff see it: with its outlook, or with what its maker saw. */
export const approvalView = (row: ReadApproval, realNow: Instant, outlook?: Outlook): Approval => ({
  id: publicId('approval', row.id),
  object: 'approval',
  status: hasLapsed(row, realNow) ? 'lapsed' : row.status,
  resource: row.resource,
  move: row.move,
  record_id: row.record_id,
  body: fieldsOf(row) ?? {},
  note: row.note,
  amount: row.amount,
  maker: row.maker,
  first_approver: row.first_approver,
  decided_by: row.decider,
  decision_note: row.decision_note,
  created_at: row.created_at,
  lapses_at: row.lapses_at,
  decided_at: row.decided_at,
  ...(outlook ?? { effect: seenOf(row).effect, changed: false, obstacle: obstacleOf(row) }),
});
