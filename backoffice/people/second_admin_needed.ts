import { fail } from '@tenant-payments/engine/fail.ts';
import type { platformMoves } from '../contract/operate/approvals.ts';

type Moves = typeof platformMoves;

/** The refusal of one admin who does such an act alone. */
export const platformApprovalNeeded = <R extends keyof Moves>(
  resource: R,
  move: Moves[R][number],
) =>
  fail('invalid_state', {
    details: { current_status: null, allowed: [], reason: 'approval_required' },
    message: `a second admin must approve this: ask by POST /portal/api/platform-approvals with resource ${resource}, move ${move}`,
  });
