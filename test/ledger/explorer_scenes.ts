import { accountScenes } from './explorer_accounts.ts';
import { bankingScenes } from './explorer_banking.ts';
import { disputeScenes } from './explorer_disputes.ts';
import { paymentScenes } from './explorer_payments.ts';
import { peopleScenes } from './explorer_people.ts';
import { refundScenes } from './explorer_refunds.ts';
import { requestScenes } from './explorer_requests.ts';
import type { Scene } from './explorer_scene.ts';
import { sessionScenes } from './explorer_sessions.ts';

/** Every kind of record in every state from which something can happen to it. */
export const scenes: readonly Scene[] = [
  ...paymentScenes,
  ...requestScenes,
  ...bankingScenes,
  ...refundScenes,
  ...disputeScenes,
  ...accountScenes,
  ...peopleScenes,
  ...sessionScenes,
];
