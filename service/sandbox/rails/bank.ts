import type { Bank } from '../../rails/bank.ts';
import { type Ask, silent } from './scheduling.ts';

/** The sandbox's bank: it takes an order, and answers by itself or waits until somebody simulates. */
export const openSandboxBank = (ask: Ask = silent): Bank => ({
  take: ({ tenantId, id }) => ask(tenantId, 'sandbox_bank_answer', id),
});
