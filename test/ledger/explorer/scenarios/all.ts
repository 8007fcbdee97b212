import type { Scene } from '../actor.ts';
import { accountScenes } from './accounts.ts';
import { bankingScenes } from './banking.ts';
import { disputeScenes } from './disputes.ts';
import { paymentScenes } from './payments.ts';
import { peopleScenes } from './people.ts';
import { refundScenes } from './refunds.ts';
import { requestScenes } from './requests.ts';
import { sessionScenes } from './sessions.ts';

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
