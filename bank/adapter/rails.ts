import { resolve } from 'node:path';
import { openByHand } from './by_hand.ts';
import { openBankRails } from './frame.ts';

/**
 * A module of RAILS whose bank is the sandbox bank (docs/guide/bank.md). Its identity provider, aggregator and messages
 * connect to nobody, so it is for a walk through production and for tests of it.
 */
const { env } = process;
export const { rails, provider, taken } = openBankRails(
  {
    url: env.BANK_URL || 'https://localhost:9600',
    folder: resolve(env.BANK_DIR || '.data/bank'),
    port: Number(env.RAILS_PORT || 9500),
    pollSeconds: Number(env.BANK_POLL_SECONDS || 5),
  },
  openByHand(),
);
