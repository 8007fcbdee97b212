import type { Stage } from './records.ts';

/** The record of a reviewer's move, and what the move is given beside it. */
type Reviewed = (
  stage: Stage,
) => Promise<{ readonly id: string; readonly [field: string]: unknown }>;

const of =
  (make: (stage: Stage) => Promise<string>, more: object = {}): Reviewed =>
  async (stage) => ({ ...more, id: await make(stage) });

const inReview = of((s) => s.played(s.applied('individual'), 'customer.in_review'));
const owner = of((s) => s.owner());
const heldLink = of((s) => s.played(s.linked('review'), 'linked_account.held_for_review'));
const investigating = of((s) => s.played(s.dispute(), 'dispute.investigating'));
const held = of((s) => s.suspended());

/**
 * By resource and move of the door. Null: it needs five years to pass, or asks all customers, so that
 * no two have the same effect; both are tested where they are made.
 */
export const crashMoves: Readonly<Record<string, Reviewed | null>> = {
  'customers approve': inReview,
  'customers reject': inReview,
  'customers request_more': inReview,
  'customers review': of(async (s) => (await s.approve('individual')).customerId),
  'customers erase': null,
  'owners approve': owner,
  'owners reject': owner,
  'documents publish': null,
  'linked-accounts verify': heldLink,
  'linked-accounts reject': heldLink,
  'linked-accounts release_hold': of((s) => s.waitingLink()),
  'accounts suspend': of((s) => s.account()),
  'accounts reactivate': of((s) => s.played(s.account(), 'account.suspended')),
  'accounts place_hold': of((s) => s.account()),
  'accounts release_hold': of(async (s) => {
    const id = await s.account();
    await s.post(`/portal/api/review/accounts/${id}/place_hold`, {});
    return id;
  }),
  'accounts adjust': of((s) => s.account(), { amount: 7 }),
  'disputes investigate': of((s) => s.dispute()),
  'disputes credit': investigating,
  'disputes resolve_approved': investigating,
  'disputes resolve_partial': of((s) => s.played(s.dispute(), 'dispute.investigating'), {
    amount: 5,
  }),
  'disputes resolve_denied': investigating,
  'disputes resolve_withdrawn': investigating,
  'disputes liability_merchant': investigating,
  'disputes liability_platform': investigating,
  'suspense match': held,
  'suspense return': held,
  'bank-messages close': of((s) => s.message()),
  'reserve fund': of(async () => 'reserve', { amount: 1_00 }),
};
