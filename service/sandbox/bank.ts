import type { Bank } from '../rails/bank.ts';

/** The sandbox's bank in manual mode: it takes an order and waits until somebody simulates its answer. */
export const openSandboxBank = (): Bank => ({
  take: async () => {},
});
