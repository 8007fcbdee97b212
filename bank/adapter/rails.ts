import { resolve } from 'node:path';
import type { Inbound } from '@tenant-payments/service/rails/facts.ts';
import type { Rails } from '@tenant-payments/service/rails/rails.ts';
import { openBank } from './bank.ts';
import { openByHand } from './by_hand.ts';
import { openClient } from './client.ts';
import { openHandPort } from './hand_port.ts';
import { openProvider } from './provider.ts';

/**
 * A module of RAILS whose bank is the sandbox bank (docs/guide/bank.md). Its identity provider, aggregator and messages
 * connect to nobody, so it is for a walk through production and for tests of it.
 */
const { env } = process;
const client = openClient({
  url: env.BANK_URL || 'https://localhost:9600',
  folder: resolve(env.BANK_DIR || '.data/bank'),
});
const byHand = openByHand();
const dropped = new Map<string, number>();
const ends = [client.close];
let heardBy: Inbound | null = null;

export const rails: Rails = {
  ...byHand.rails,
  // Before anybody listens, the feed brings what is told here.
  bank: openBank(client, async (tenantId, fact) => heardBy?.bank(tenantId, fact)),
  providers: [openProvider(client, { pollSeconds: Number(env.BANK_POLL_SECONDS || 5), dropped })],
  listen(inbound) {
    heardBy = inbound;
    // Adapters answer in place of all that is done by hand here.
    if (env.RAILS_PORT)
      ends.unshift(openHandPort({ byHand, dropped, inbound }, Number(env.RAILS_PORT)));
  },
  async close() {
    for (const end of ends) await end();
  },
};
