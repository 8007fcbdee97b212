import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Approval } from '@tenant-payments/contract/portal/operate/approvals.ts';
import type { Instant } from '../../core/time/instant.ts';
import type { AskedMove } from '../review/made.ts';
import type { Seen } from './seen.ts';
import type { ApprovalRow } from './table.ts';

/** The move that was asked for, as the reviewer's door takes it. */
export const askedOf = ({ resource, record_id, move, body, note }: ApprovalRow): AskedMove => ({
  ...JSON.parse(body),
  resource,
  id: record_id,
  move,
  note,
});

export const seenOf = ({ seen }: ApprovalRow): Seen => JSON.parse(seen);

/** A request that nobody decided in its time has lapsed (rules/approvals#6). */
export const hasLapsed = ({ status, lapses_at }: ApprovalRow, realNow: Instant): boolean =>
  status === 'waiting' && lapses_at <= realNow;

/** What a request that waits would do now. */
export type Outlook = Pick<Approval, 'effect' | 'changed' | 'obstacle'>;

/** A request as staff see it: with its outlook, or with what its maker saw. */
export const approvalView = (row: ApprovalRow, realNow: Instant, outlook?: Outlook): Approval => ({
  id: publicId('approval', row.id),
  object: 'approval',
  status: hasLapsed(row, realNow) ? 'lapsed' : row.status,
  resource: row.resource,
  move: row.move,
  record_id: row.record_id,
  body: JSON.parse(row.body),
  note: row.note,
  amount: row.amount,
  maker: row.maker,
  first_approver: row.first_approver,
  decided_by: row.decider,
  decision_note: row.decision_note,
  created_at: row.created_at,
  lapses_at: row.lapses_at,
  decided_at: row.decided_at,
  ...(outlook ?? { effect: seenOf(row).effect, changed: false, obstacle: null }),
});
